import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { printJson } from '../json-words.ts'

/**
 * <function>
 * <name>get_temp</name>
 * <description>Read a sensor</description>
 * <parameters>
 * <parameter>
 * <name>room</name>
 * <type>string</type>
 * </parameter>
 * <required>["room"]</required>
 * </parameters>
 * </function>
 */
export function listAsQwenXml({ name, description, parameters }: Tool): string {
  const schema = isJsonObject(parameters) ? parameters : {}
  const { properties, type: _, ...others } = schema
  const lines = [
    '<function>',
    element('name', name),
    ...(description === undefined ? [] : [element('description', description.trim())]),
    '<parameters>',
    ...Object.entries(isJsonObject(properties) ? properties : {}).map(([key, value]) => listParameter(key, value)),
    ...elements(others),
    '</parameters>',
    '</function>',
  ]
  return lines.join('\n')
}

function listParameter(name: string, schema: Json): string {
  const inner = isJsonObject(schema) ? elements(schema) : []
  return ['<parameter>', element('name', name), ...inner, '</parameter>'].join('\n')
}

function elements(schema: JsonObject): readonly string[] {
  return Object.entries(schema).map(([key, value]) => {
    return element(key, typeof value === 'string' ? value.trim() : printJson(value))
  })
}

function element(key: string, text: string): string {
  return `<${key}>${text}</${key}>`
}

/** Reads the tools back. */
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
