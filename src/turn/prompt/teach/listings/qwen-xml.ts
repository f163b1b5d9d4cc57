import { isJsonObject, type Json, type JsonObject } from '../../../../protocol/json.ts'
import type { Tool } from '../../../../protocol/tool.ts'
import { printJson } from './words.ts'

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
