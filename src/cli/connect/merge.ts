import { type Document, isMap, isSeq, parseDocument, stringify, type YAMLMap, type YAMLSeq } from 'yaml'
import type { SettingsFile } from './clients/client.ts'
import { editJsonc, isFields, mergeJsonc, readJsoncValue } from './jsonc.ts'
import { editToml, mergeToml, printToml, readToml } from './toml.ts'

type Fields = Readonly<Record<string, unknown>>

/** The settings as a file of their own. */
export function printSettings({ format, value, frame }: SettingsFile): string {
  if (format === 'env') return toLines(value).join('\n').concat('\n')
  const whole = { ...frame, ...value }
  if (format === 'toml') return printToml(whole)
  return format === 'json' ? `${JSON.stringify(whole, undefined, 2)}\n` : stringify(whole)
}

/** The text of a file with the settings in it: what it says beside them stays, comments too. Throws for what is no such file. */
export function mergeSettings(file: SettingsFile, text: string): string {
  if (text.trim() === '') return printSettings(file)
  if (file.format === 'env') return mergeLines(text, file.value)
  if (file.format === 'toml') return mergeToml(text, file.value)
  return file.format === 'yaml' ? mergeYaml(text, file.value) : mergeJsonc(text, file.value)
}

/** What a file of this format says, as plain fields. Throws for what is no such file. */
export function readSettings(format: SettingsFile['format'], text: string): Fields {
  if (text.trim() === '') return {}
  const value = { env: readLines, toml: readToml, yaml: readYaml, json: readJsoncValue }[format](text)
  return isFields(value) ? value : {}
}

/** The text of a file with another value at this path, or, undefined, without what stands there. */
export function editSettings(
  format: SettingsFile['format'],
  text: string,
  path: readonly (string | number)[],
  value: unknown,
): string {
  if (format === 'json') return editJsonc(text, path, value)
  if (format === 'toml') return editToml(text, path.map(String), value)
  if (format === 'env') return editLines(text, String(path[0]), value)
  const document = parseDocument(text)
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, value)
  return document.toString()
}

function readYaml(text: string): unknown {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  return document.toJS()
}

function mergeYaml(text: string, wanted: Fields): string {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  if (!isMap(document.contents)) throw new SyntaxError('It is not a mapping.')
  mergeMap(document, document.contents, wanted)
  return document.toString()
}

function mergeMap(document: Document, map: YAMLMap, wanted: Fields): void {
  for (const [key, value] of Object.entries(wanted)) {
    const known: unknown = map.get(key, true)
    if (isMap(known) && isFields(value)) mergeMap(document, known, value)
    else if (isSeq(known) && Array.isArray(value) && value.every(isFields)) mergeSeq(document, known, value)
    else if (JSON.stringify(toPlain(known)) !== JSON.stringify(value)) map.set(key, document.createNode(value))
  }
}

function toPlain(node: unknown): unknown {
  return isMap(node) || isSeq(node)
    ? node.toJSON()
    : typeof node === 'object' && node !== null && 'value' in node
      ? node.value
      : undefined
}

/** Lists of models: an entry is merged into the one of the same name. */
function mergeSeq(document: Document, list: YAMLSeq, wanted: readonly Fields[]): void {
  for (const entry of wanted) {
    const known = list.items.find((item) => isMap(item) && item.get('name') === entry['name'])
    if (isMap(known)) mergeMap(document, known, entry)
    else list.add(document.createNode(entry))
  }
}

function toLines(value: Fields): readonly string[] {
  return Object.entries(value).map(([name, text]) => `${name}=${quoted(String(text))}`)
}

/** Bare where every reader of such files agrees on what it means. */
function quoted(text: string): string {
  return /^[\w.:/@+=,~-]*$/.test(text) ? text : `'${text}'`
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/

function readLines(text: string): Fields {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const found = assignment.exec(line)
      if (found === null) return []
      const value = line.slice(found[0].length).trim()
      return [[found[1] ?? '', /^'[^']*'$|^"[^"]*"$/.test(value) ? value.slice(1, -1) : value]]
    }),
  )
}

function editLines(text: string, name: string, value: unknown): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const found = assignment.exec(line)
      if (found?.[1] !== name) return [line]
      return value === undefined ? [] : [`${found[0]}${quoted(String(value))}`]
    })
    .join('\n')
}

/** Each variable where it is set; of one that is set twice, the later is gone. New ones come last. */
function mergeLines(text: string, value: Fields): string {
  const left = new Map(Object.entries(value))
  const lines = text.trimEnd().split('\n')
  const merged = lines.flatMap((line) => {
    const name = assignment.exec(line)?.[1] ?? ''
    if (!Object.hasOwn(value, name)) return [line]
    if (!left.delete(name)) return []
    const start = /^\s*(?:export\s+)?/.exec(line)?.[0] ?? ''
    return [`${start}${toLines({ [name]: value[name] })[0]}`]
  })
  return [...merged, ...toLines(Object.fromEntries(left)), ''].join('\n')
}
