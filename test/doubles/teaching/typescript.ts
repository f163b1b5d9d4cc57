import type { Json, JsonObject } from '../../../src/protocol/json.ts'
import type { Tool } from '../../../src/protocol/tool.ts'

/** Reads back the tools that were listed as TypeScript types. */
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

/** A reader of the little TypeScript that listings write. */
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
