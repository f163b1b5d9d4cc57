import { type Json, type JsonObject, parseJson } from '../../../src/protocol/json.ts'
import type { Tool } from '../../../src/protocol/tool.ts'

/** Reads back the tools that were listed as XML with their schemas in elements. */
export function readQwenXml(list: string): readonly Tool[] {
  return [...list.matchAll(/<function>\n([\s\S]*?)\n<\/parameters>\n<\/function>/g)].map(([, body = '']): Tool => {
    const [head = '', inside = ''] = splitAt(body, '<parameters>')
    const { name = '', description } = readElements(head)
    const properties: [string, JsonObject][] = []
    const rest = inside.replace(/<parameter>\n([\s\S]*?)\n<\/parameter>/g, (_, text: string) => {
      const { name: key, ...schema } = readElements(text)
      properties.push([String(key), schema])
      return ''
    })
    const parameters = { type: 'object', properties: Object.fromEntries(properties), ...readElements(rest) }
    return {
      kind: 'function',
      name: String(name),
      ...(typeof description === 'string' ? { description } : {}),
      parameters,
    }
  })
}

function splitAt(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark)
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + mark.length)]
}

const textKeys = new Set(['name', 'description', 'title', 'pattern', 'format'])

function readElements(text: string): JsonObject {
  const found = [...text.matchAll(/<([$\w-]+)>([\s\S]*?)<\/\1>/g)]
  return Object.fromEntries(
    found.map(([, key = '', value = '']): [string, Json] => [key, textKeys.has(key) ? value : readValue(value)]),
  )
}

function readValue(text: string): Json {
  const value = parseJson(text)
  return value === undefined ? text : value
}
