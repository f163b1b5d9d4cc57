import { isDeepStrictEqual } from 'node:util'
import { parse as parseToml, patch as patchToml } from '@decimalturn/toml-patch'
import { applyEdits, modify, type ParseError, parse as parseJson, printParseErrorCode } from 'jsonc-parser'
import { parseDocument, stringify } from 'yaml'
import { isJsonObject } from '../../protocol/json.ts'

type Fields = Readonly<Record<string, unknown>>
type FormatName = 'json' | 'yaml' | 'toml' | 'env'

/** What has to stand in a file. */
export interface Settings {
  readonly format: FormatName
  readonly value: Fields
  /** What a new file needs beside them. */
  readonly frame?: Fields
}

type Path = readonly (string | number)[]
/** Another value at a path; undefined takes away what stands there. */
type Step = readonly [path: Path, value: unknown]

/** A format of settings files. Edits leave the rest of a text alone, comments too. */
interface Format {
  print(fields: Fields): string
  /** Throws for what is no such file. */
  read(text: string): unknown
  set(text: string, path: Path, value: unknown): string
}

const formats: Readonly<Record<FormatName, Format>> = {
  json: { print: (fields) => `${JSON.stringify(fields, undefined, 2)}\n`, read: readJson, set: setInJson },
  toml: { print: printToml, read: parseToml, set: setInToml },
  yaml: { print: stringify, read: readYaml, set: setInYaml },
  env: { print: printVariables, read: readVariables, set: setVariable },
}

/** The settings as a file of their own. */
export function printSettings({ format, value, frame }: Settings): string {
  return formats[format].print({ ...frame, ...value })
}

/** The text of a file with the settings in it. Throws for what is no such file. */
export function mergeSettings(file: Settings, text: string): string {
  if (text.trim() === '') return printSettings(file)
  const { format, value } = file
  const merged = apply(format, text, stepsTo(value, readSettings(format, text)))
  if (stepsTo(value, readSettings(format, merged)).length === 0) return merged
  throw new SyntaxError('It says something twice.')
}

/** One file as it was before settings went into it, and what went in. */
export interface Written {
  readonly format: FormatName
  /** Absent: there was no such file. */
  readonly before?: string
  readonly after: string
  readonly value: Fields
}

/**
 * The text without what was written; undefined: the file goes. A file that was left alone since is as it was, to the
 * byte. In one that was changed, each value that still is the one that was written goes, or becomes what it was.
 */
export function undo({ format, before, after, value }: Written, text: string): string | undefined {
  if (text === after) return before
  const had = readSettings(format, before ?? '')
  // Later entries of a list first, so that places stay true.
  const edited = apply(format, text, stepsBack(readSettings(format, text), value, had).toReversed())
  return before === undefined && Object.keys(readSettings(format, edited)).length === 0 ? undefined : edited
}

function readSettings(format: FormatName, text: string): Fields {
  if (text.trim() === '') return {}
  const value = formats[format].read(text)
  if (!isJsonObject(value)) throw new SyntaxError('It is not an object.')
  return value
}

function apply(format: FormatName, text: string, steps: readonly Step[]): string {
  return steps.reduce((edited, [path, value]) => formats[format].set(edited, path, value), text)
}

/** Objects are merged as deep as they go, and lists of models by the names in them. */
function stepsTo(wanted: unknown, now: unknown): readonly Step[] {
  if (isJsonObject(wanted) && isJsonObject(now))
    return Object.entries(wanted).flatMap(([key, value]) => under(key, stepsTo(value, own(now, key))))
  if (Array.isArray(wanted) && Array.isArray(now) && wanted.every(isNamed)) {
    const known = wanted.map((entry) => now.findIndex((one) => isJsonObject(one) && nameOf(one) === nameOf(entry)))
    let end = now.length
    return wanted.flatMap((entry, index) => {
      const at = known[index] ?? -1
      return at === -1 ? [[[end++], entry] as const] : under(at, stepsTo(entry, now[at]))
    })
  }
  return isDeepStrictEqual(now, wanted) ? [] : [[[], wanted]]
}

function stepsBack(now: Fields, written: Fields, had: Fields): readonly Step[] {
  return Object.entries(written).flatMap(([key, value]) => under(key, stepBack(own(now, key), value, own(had, key))))
}

function stepBack(now: unknown, written: unknown, had: unknown): readonly Step[] {
  if (now === undefined || isDeepStrictEqual(now, had)) return []
  if (isDeepStrictEqual(now, written)) return [[[], had]]
  const steps = stepsInside(now, written, had)
  // What held nothing else goes with it.
  const gone = steps.filter(([path, value]) => path.length === 1 && value === undefined)
  const isEmpty = had === undefined && gone.length === Object.keys(Object(now)).length
  return isEmpty ? [[[], undefined]] : steps
}

function stepsInside(now: unknown, written: unknown, had: unknown): readonly Step[] {
  if (isJsonObject(now) && isJsonObject(written)) return stepsBack(now, written, isJsonObject(had) ? had : {})
  if (!Array.isArray(now) || !Array.isArray(written)) return []
  return written.filter(isJsonObject).flatMap((entry) => {
    const isIt = (one: unknown): boolean => isJsonObject(one) && nameOf(one) === nameOf(entry)
    const at = now.findIndex(isIt)
    return at === -1 ? [] : under(at, stepBack(now[at], entry, Array.isArray(had) ? had.find(isIt) : undefined))
  })
}

const under = (key: string | number, steps: readonly Step[]): readonly Step[] =>
  steps.map(([path, value]) => [[key, ...path], value])

const own = (fields: Fields, key: string): unknown => (Object.hasOwn(fields, key) ? fields[key] : undefined)

const nameOf = (entry: Fields): unknown => entry['id'] ?? entry['name']

const isNamed = (entry: unknown): entry is Fields => isJsonObject(entry) && typeof nameOf(entry) === 'string'

/** At this path: what is no table first, then the tables, each in a section of its own. */
function printToml(fields: Fields, path: Path = []): string {
  const entries = Object.entries(fields)
  const pairs = entries
    .filter(([, value]) => !isJsonObject(value))
    .map(([key, value]) => `${printKey([key])} = ${JSON.stringify(value)}\n`)
  const heading = path.length > 0 && pairs.length > 0 ? `[${printKey(path)}]\n` : ''
  const tables = entries.flatMap(([key, value]) => (isJsonObject(value) ? [printToml(value, [...path, key])] : []))
  return [...(pairs.length > 0 ? [heading + pairs.join('')] : []), ...tables].join('\n')
}

const printKey = (path: Path): string =>
  path.map((key) => (/^[\w-]+$/.test(String(key)) ? key : JSON.stringify(key))).join('.')

/** New tables come last, in sections of their own. */
function setInToml(text: string, path: Path, value: unknown): string {
  if (isJsonObject(value)) return `${text.trimEnd()}\n\n${printToml(value, path)}`
  return patchToml(text, withValue(parseToml(text), path, value) as object)
}

function withValue(outer: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  const { [step]: inner, ...others } = Object(outer)
  const next = withValue(inner, rest, value)
  return next === undefined ? others : { ...others, [step]: next }
}

/** JSON as people keep it in settings: with comments and trailing commas. */
function readJson(text: string): unknown {
  const errors: ParseError[] = []
  const value: unknown = parseJson(text, errors, { allowTrailingComma: true })
  const [first] = errors
  if (first !== undefined) {
    const line = text.slice(0, first.offset).split('\n').length
    throw new SyntaxError(`Line ${line}: ${printParseErrorCode(first.error)}.`)
  }
  return value
}

function setInJson(text: string, path: Path, value: unknown): string {
  const [, indent = '  '] = /\n([ \t]+)\S/.exec(text) ?? []
  const formattingOptions = { insertSpaces: !indent.includes('\t'), tabSize: indent.length }
  return applyEdits(text, modify(text, [...path], value, { formattingOptions }))
}

function parseYaml(text: string) {
  const document = parseDocument(text)
  const [error] = document.errors
  if (error !== undefined) throw error
  return document
}

function readYaml(text: string): unknown {
  return parseYaml(text).toJS() ?? {}
}

function setInYaml(text: string, path: Path, value: unknown): string {
  const document = parseYaml(text)
  if (value === undefined) document.deleteIn(path)
  else document.setIn(path, document.createNode(value))
  return document.toString()
}

const assignment = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/

function printVariables(fields: Fields): string {
  return Object.entries(fields)
    .map(([name, value]) => `${name}=${quoted(String(value))}\n`)
    .join('')
}

/** Bare where every reader of such files agrees on what it means. */
function quoted(text: string): string {
  return /^[\w.:/@+=,~-]*$/.test(text) ? text : `'${text}'`
}

function readVariables(text: string): Fields {
  return Object.fromEntries(
    text.split('\n').flatMap((line) => {
      const found = assignment.exec(line)
      if (found === null) return []
      const value = line.slice(found[0].length).trim()
      return [[found[1] ?? '', /^'[^']*'$|^"[^"]*"$/.test(value) ? value.slice(1, -1) : value]]
    }),
  )
}

/** Where it is set; of one that is set twice, the later is gone. A new one comes last. */
function setVariable(text: string, [name = '']: Path, value: unknown): string {
  let isSet = value === undefined
  const lines = text.split('\n').flatMap((line) => {
    const found = assignment.exec(line)
    if (found?.[1] !== name) return [line]
    if (isSet) return []
    isSet = true
    return [`${found[0]}${quoted(String(value))}`]
  })
  const edited = lines.join('\n')
  return isSet ? edited : `${edited.trimEnd()}\n${printVariables({ [name]: value })}`
}
