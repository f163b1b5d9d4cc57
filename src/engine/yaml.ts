import { isMap, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { Kind, type Node } from '../schema/node.ts'
import { readElements } from './nested.ts'
import type { Pen } from './pen.ts'

const maxDepth = 256

/**
 * A YAML mapping as JSON text, its scalars typed by the schema and otherwise as YAML types them; undefined when the text
 * is no mapping. Aliases are refused: they are how a short text becomes a huge one.
 */
export function readYaml(text: string, node: Node, pen: Pen): string | undefined {
  const contents = parse(dedent(text))
  if (isMap(contents)) return toJson(contents, node, 0)
  if (text.trim() === '') return '{}'
  return readElements(toElements(text, pen) ?? text, node)
}

export interface ReadMember {
  /** Undefined for the member whose value was given. */
  readonly key: string | undefined
  readonly json: (node: Node) => string | undefined
}

/**
 * A member's value, given as what stands after its colon. More than one member where the lines after it hold others, in a
 * spelling that is not seen from their beginning: `? key`.
 */
export function readYamlValue(text: string): readonly ReadMember[] | undefined {
  // Brackets need no indentation to be understood, once they stand alone.
  if (/^\s*[[{]/.test(text)) {
    const value = parse(text)
    return value && [{ key: undefined, json: (node) => toJson(value, node, 0) }]
  }
  const contents = parse(`k: ${text}`)
  if (!isMap(contents)) return undefined
  return contents.items.map(({ key, value }, i) => ({
    key: i === 0 ? undefined : nameOf(key),
    json: (node) => toJson(value as ParsedNode | null, node, 0),
  }))
}

/** What a quoted key says. */
export function readYamlKey(quoted: string): string {
  const contents = parse(quoted)
  return isScalar(contents) ? String(contents.value) : quoted.slice(1, -1)
}

export function dedent(text: string): string {
  const lines = text.split('\n')
  let indent = Number.POSITIVE_INFINITY
  for (const line of lines) {
    const content = line.trimStart()
    if (content !== '') indent = Math.min(indent, line.length - content.length)
  }
  return Number.isFinite(indent) ? lines.map((line) => line.slice(indent)).join('\n') : text
}

function parse(text: string): ParsedNode | undefined {
  const document = parseDocument(text, { uniqueKeys: false, strict: false, prettyErrors: false, logLevel: 'silent' })
  return document.errors.length === 0 ? (document.contents ?? undefined) : undefined
}

/** Elements in the place of YAML's lines, one each: closed where they are not, and without the blanks around their text. */
function toElements(text: string, pen: Pen): string | undefined {
  const elements: string[] = []
  const unclosed: string[] = []
  for (const line of text.split('\n')) {
    if (line.trim() === '') continue
    const [, name, value = '', close] = /^<([\w.-]+)>([^<]*)(<\/\1>)?$/.exec(line.trim()) ?? []
    if (name === undefined || (close === undefined && value.trim() === '')) return undefined
    if (close === undefined) unclosed.push(`</${name}>`)
    elements.push(`<${name}>${value.trim()}</${name}>`)
  }
  for (const close of unclosed) pen.note('closer_missing', close)
  return elements.join('')
}

function toJson(value: ParsedNode | null, node: Node, depth: number): string | undefined {
  if (depth > maxDepth) return undefined
  if (value === null) return 'null'
  if (isScalar(value)) {
    if (value.type === 'PLAIN') return toPlain(value.source ?? '', value.value, node)
    return coerceQuoted(String(value.value), node)
  }
  if (isSeq(value)) {
    const items = value.items.map((item, i) => toJson(item as ParsedNode, node.item(i), depth + 1))
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
  }
  if (!isMap(value)) return undefined
  const members: string[] = []
  for (const { key, value: member } of value.items) {
    const name = nameOf(key)
    const json = toJson(member as ParsedNode | null, node.property(name), depth + 1)
    if (json === undefined) return undefined
    members.push(`${JSON.stringify(name)}: ${json}`)
  }
  return `{${members.join(', ')}}`
}

function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key)
}

/** An unquoted scalar: its own text, as far as the schema or YAML makes more of it than a string. */
function toPlain(source: string, value: unknown, node: Node): string {
  if (node.declared) return value === null && (node.types & Kind.string) === 0 ? 'null' : coerceText(node, source).json
  if (typeof value === 'string') return JSON.stringify(value)
  return coerceText(node, source).json
}

function coerceQuoted(text: string, node: Node): string {
  const isListed = isTextOnly(node) && node.values !== undefined
  const isTyped = node.declared && (node.types & Kind.string) === 0
  return isListed || isTyped ? coerceText(node, text).json : JSON.stringify(text)
}
