import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { type Check, fail, object, quoted } from './fields.ts'

/**
 * The schema of a tool's arguments. Its root must be able to be an object; a root without a type is let through, because
 * servers of the Model Context Protocol send `{}` and bare `$ref`s and mean an object. A strict tool must be strict all over.
 */
export function readParameters(name: string, strict: boolean): Check<JsonObject> {
  return (value, path) => {
    const broken = (rule: string): never =>
      fail('invalid_function_parameters', `Invalid schema for function ${quoted(name)}: ${rule}`, path)
    const schema = object(value, path)
    const { type, properties, required } = schema as { type?: unknown; properties?: unknown; required?: unknown }
    const types: readonly unknown[] = Array.isArray(type) ? type : [type]
    if (type !== undefined && !types.includes('object')) {
      broken(`schema must be a JSON Schema of 'type: "object"', got 'type: ${JSON.stringify(type)?.slice(0, 40)}'.`)
    }
    if (properties !== undefined && !isJsonObject(properties)) broken("'properties' must be an object of schemas.")
    if (required !== undefined && !(Array.isArray(required) && required.every((key) => typeof key === 'string'))) {
      broken("'required' must be an array of property names.")
    }
    if (strict) checkStrict(schema, [], broken)
    return schema
  }
}

const maps = ['properties', '$defs', 'definitions'] as const
const lists = ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const

/** Recursion ends: the request's depth was limited before it came here, and `$ref`s are not followed. */
function checkStrict(schema: unknown, at: readonly string[], broken: (rule: string) => never): void {
  if (!isJsonObject(schema)) return
  const properties = schema['properties']
  const types: readonly unknown[] = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  if (types.includes('object') || properties !== undefined) {
    const context = `In context=(${at.map((step) => quoted(step)).join(', ')})`
    if (schema['additionalProperties'] !== false) {
      broken(`${context}, 'additionalProperties' is required to be supplied and to be false.`)
    }
    const required = schema['required']
    const listed: readonly unknown[] = Array.isArray(required) ? required : []
    const absent = Object.keys(isJsonObject(properties) ? properties : {}).find((key) => !listed.includes(key))
    if (absent !== undefined) {
      const rule = "'required' is required to be supplied and to be an array including every key in properties."
      broken(`${context}, ${rule} Missing ${quoted(absent)}.`)
    }
  }
  for (const key of maps) {
    const inner = schema[key]
    if (isJsonObject(inner)) for (const name of Object.keys(inner)) checkStrict(inner[name], [...at, key, name], broken)
  }
  for (const key of lists) {
    const inner = schema[key]
    if (Array.isArray(inner))
      inner.forEach((item, index) => {
        checkStrict(item, [...at, key, String(index)], broken)
      })
  }
  checkStrict(schema['items'], [...at, 'items'], broken)
}
