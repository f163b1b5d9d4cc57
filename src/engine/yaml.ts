import { isMap, isScalar, isSeq, type ParsedNode, parseDocument } from 'yaml'
import { coerceText } from '../schema/coerce.ts'
import { Kind, type Node } from '../schema/node.ts'
import { readElements } from './nested.ts'

const maxDepth = 256

/**
 * A YAML mapping as JSON text, its scalars typed by the schema and otherwise as YAML types them; undefined when the text
 * is no mapping. Aliases are refused: they are how a short text becomes a huge one.
 */
export function readYaml(text: string, node: Node): string | undefined {
  const document = parseDocument(dedent(text), { uniqueKeys: false, strict: false, logLevel: 'silent' })
  if (document.errors.length === 0 && isMap(document.contents)) return toJson(document.contents, node, 0)
  if (text.trim() === '') return '{}'
  return readElements(text, node)
}

function dedent(text: string): string {
  const lines = text.split('\n')
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.length - line.trimStart().length)
  const indent = Math.min(...indents)
  return Number.isFinite(indent) ? lines.map((line) => line.slice(indent)).join('\n') : text
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
    const name = String(isScalar(key) ? key.value : key)
    const json = toJson(member as ParsedNode | null, node.property(name), depth + 1)
    if (json === undefined) return undefined
    members.push(`${JSON.stringify(name)}: ${json}`)
  }
  return `{${members.join(', ')}}`
}

/** An unquoted scalar: its own text, as far as the schema or YAML makes more of it than a string. */
function toPlain(source: string, value: unknown, node: Node): string {
  if (node.declared) return value === null && (node.types & Kind.string) === 0 ? 'null' : coerceText(node, source).json
  if (typeof value === 'string') return JSON.stringify(value)
  return coerceText(node, source).json
}

function coerceQuoted(text: string, node: Node): string {
  return node.declared && (node.types & Kind.string) === 0 ? coerceText(node, text).json : JSON.stringify(text)
}
