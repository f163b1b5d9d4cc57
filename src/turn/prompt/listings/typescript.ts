import type { Json, JsonObject, JsonSchema } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { compileParameters } from '../../../schema/compile.ts'
import { own } from '../../../schema/kinds.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { findProperty, follow, followItems, limitsOf } from './words.ts'

const maxDepth = 5
/** Places of one tool: a schema that refers to itself in many places would never end. Beyond this, names must do. */
const maxPlaces = 400

interface Page {
  readonly root: JsonSchema
  places: number
}

/**
 * // Read a sensor
 * type get_temp = (_: {
 * // Room
 * room: string,
 * n?: number, // integer; minimum: 1
 * }) => any;
 */
export function listAsTypeScript({ name, description, parameters }: Tool): string {
  const node = compileParameters(parameters)
  const words = description === undefined ? '' : comment(description)
  if (node.properties.length === 0) return `${words}type ${name} = () => any;`
  const page = { root: parameters ?? {}, places: 0 }
  return `${words}type ${name} = (_: ${printObject(node, page.root, page, 0)}) => any;`
}

function printObject(node: Node, schema: JsonSchema, page: Page, depth: number): string {
  const required = new Set(node.required)
  const lines = node.properties.map((name) => {
    const mark = required.has(name) ? '' : '?'
    page.places += 1
    if (page.places > maxPlaces) return `${toKey(name)}${mark}: any,\n`
    const child = node.property(name)
    const childSchema = follow(findProperty(schema, page.root, name), page.root)
    const description = own(childSchema, 'description')
    const words = typeof description === 'string' ? comment(description) : ''
    const facts = [...(isWhole(child) ? ['integer'] : []), ...limitsOf(childSchema)]
    const notes = facts.length === 0 ? '' : ` // ${facts.join('; ').replaceAll('\n', ' ')}`
    return `${words}${toKey(name)}${mark}: ${printType(child, childSchema, page, depth + 1)},${notes}\n`
  })
  return `{\n${lines.join('')}}`
}

function printType(node: Node, schema: JsonObject, page: Page, depth: number): string {
  if (!node.declared || node.types === Kind.any) return 'any'
  if (node.values !== undefined) return node.values.map((value: Json) => JSON.stringify(value)).join(' | ')
  const types: string[] = []
  if ((node.types & (Kind.number | Kind.integer)) !== 0) types.push('number')
  if ((node.types & Kind.string) !== 0) types.push('string')
  if ((node.types & Kind.boolean) !== 0) types.push('boolean')
  if ((node.types & Kind.array) !== 0) types.push(printArray(node, schema, page, depth))
  if ((node.types & Kind.object) !== 0) {
    const isOpen = node.properties.length === 0 || depth >= maxDepth || page.places >= maxPlaces
    types.push(isOpen ? 'object' : printObject(node, schema, page, depth))
  }
  if ((node.types & Kind.null) !== 0) types.push('null')
  return types.length === 0 ? 'never' : types.join(' | ')
}

function printArray(node: Node, schema: JsonObject, page: Page, depth: number): string {
  if (depth >= maxDepth || page.places >= maxPlaces) return 'any[]'
  const item = printType(node.item(0), followItems(schema, page.root), page, depth + 1)
  return item.includes(' | ') ? `Array<${item}>` : `${item}[]`
}

/** Numbers here, or in the array here, are whole ones: TypeScript has no word for it. */
function isWhole(node: Node): boolean {
  if (!node.declared || node.values !== undefined) return false
  if ((node.types & Kind.number) !== 0) return false
  if ((node.types & Kind.integer) !== 0) return true
  return node.types === Kind.array && isWhole(node.item(0))
}

function toKey(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name)
}

function comment(words: string): string {
  const lines = words.trim().split('\n')
  return lines.map((line) => `// ${line}\n`).join('')
}

/** Reads the tools back. */
export function readTypeScript(list: string): readonly Tool[] {
  return [...list.matchAll(/^type ([\w-]+) = \((_: )?/gm)].map(({ 0: head, 1: name = '', index }): Tool => {
    const words = commentBefore(list, index)
    const parameters = head.endsWith('_: ') ? createParser(list, index + head.length).type() : { type: 'object' }
    return { kind: 'function', name, ...(words === '' ? {} : { description: words }), parameters }
  })
}

function commentBefore(list: string, at: number): string {
  const lines = list.slice(0, at).split('\n').slice(0, -1)
  const first = lines.findLastIndex((line) => !line.startsWith('//')) + 1
  return lines
    .slice(first)
    .map((line) => line.replace(/^\/\/ ?/, ''))
    .join('\n')
}

const token =
  /\s*(\/\/[^\n]*|"(?:[^"\\]|\\.)*"|Array<|\[\]|-?\d[\d.eE+-]*|[\p{L}_$][\p{L}\p{N}_$]*|[{}[\]<>|?:,()=;])/uy

/** A reader of the little TypeScript that is written above. */
function createParser(text: string, from: number) {
  let at = from

  function peek(): string {
    token.lastIndex = at
    return token.exec(text)?.[1] ?? ''
  }

  function next(): string {
    token.lastIndex = at
    const found = token.exec(text)
    if (found === null) return ''
    at = token.lastIndex
    return found[1] ?? ''
  }

  function type(): JsonObject {
    const parts = [single()]
    while (peek() === '|') {
      next()
      parts.push(single())
    }
    return union(parts)
  }

  function single(): JsonObject {
    let part = atom()
    while (peek() === '[]') {
      next()
      part = { type: 'array', items: part }
    }
    return part
  }

  function atom(): JsonObject {
    const word = next()
    if (word === '{') return object()
    if (word === 'Array<') {
      const items = type()
      next()
      return { type: 'array', items }
    }
    if (word === 'any') return {}
    if (/^["\d-]|^(?:true|false)$/.test(word)) return { enum: [JSON.parse(word) as Json] }
    return { type: word === 'never' ? 'null' : word }
  }

  function object(): JsonObject {
    const properties: [string, JsonObject][] = []
    const required: string[] = []
    let words: string[] = []
    for (let word = next(); word !== '}' && word !== ''; word = next()) {
      if (word.startsWith('//')) {
        words.push(word.replace(/^\/\/ ?/, ''))
        continue
      }
      const name = word.startsWith('"') ? (JSON.parse(word) as string) : word
      if (peek() === '?') next()
      else required.push(name)
      next()
      const schema = type()
      next()
      const whole = /^[ \t]*\/\/ integer\b/.test(text.slice(at, at + 20))
      if (/^[ \t]*\/\//.test(text.slice(at, at + 4))) next()
      const description = words.length === 0 ? {} : { description: words.join('\n') }
      properties.push([name, { ...(whole ? toWhole(schema) : schema), ...description }])
      words = []
    }
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }

  return { type }
}

function union(parts: readonly JsonObject[]): JsonObject {
  const [first = {}] = parts
  if (parts.length === 1) return first
  if (parts.every((part) => 'enum' in part || part['type'] === 'null')) {
    return { enum: parts.flatMap((part) => (Array.isArray(part['enum']) ? (part['enum'] as Json[]) : [null])) }
  }
  return { anyOf: parts }
}

function toWhole(schema: JsonObject): JsonObject {
  if (schema['type'] === 'number') return { ...schema, type: 'integer' }
  const { items, anyOf } = schema
  if (typeof items === 'object' && items !== null) return { ...schema, items: toWhole(items as JsonObject) }
  return Array.isArray(anyOf) ? { ...schema, anyOf: anyOf.map((part: Json) => toWhole(part as JsonObject)) } : schema
}
