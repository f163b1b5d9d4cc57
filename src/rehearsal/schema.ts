import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'

type SchemaType = 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object' | 'null'

const types: readonly string[] = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** The plain schema behind references and alternatives: the first that is not null. The stand-in wants no more than that. */
export function resolve(schema: JsonSchema, root: JsonSchema): JsonObject {
  let current: JsonSchema = schema
  for (let step = 0; step < 16 && isJsonObject(current); step += 1) {
    const next: JsonSchema | undefined = referenced(current, root) ?? alternative(current)
    if (next === undefined) return current
    // What stands beside a reference, like a description, still holds.
    const { $ref: _, anyOf: __, oneOf: ___, allOf: ____, ...beside } = current
    current = isJsonObject(next) ? { ...beside, ...next } : beside
  }
  return isJsonObject(current) ? current : {}
}

function referenced(schema: JsonObject, root: JsonSchema): JsonSchema | undefined {
  const pointer = schema['$ref']
  if (typeof pointer !== 'string' || !pointer.startsWith('#')) return undefined
  let found: unknown = root
  for (const key of pointer.split('/').slice(1)) {
    const name = key.replaceAll('~1', '/').replaceAll('~0', '~')
    found = isJsonObject(found) && Object.hasOwn(found, name) ? found[name] : undefined
  }
  return isJsonObject(found) ? found : {}
}

function alternative(schema: JsonObject): JsonSchema | undefined {
  const choices = [schema['anyOf'], schema['oneOf'], schema['allOf']].find(Array.isArray)?.filter(isJsonObject)
  return choices?.find((choice) => choice['type'] !== 'null') ?? choices?.[0]
}

/** One type for a schema; what says nothing is an object when it has properties, else a string. */
export function typeOf(schema: JsonObject): SchemaType {
  const declared = Array.isArray(schema['type']) ? schema['type'] : [schema['type']]
  const type = declared.find((candidate) => candidate !== 'null' && isType(candidate)) ?? declared.find(isType)
  if (isType(type)) return type
  if (isJsonObject(schema['properties'])) return 'object'
  return isJsonObject(schema['items']) ? 'array' : 'string'
}

function isType(value: unknown): value is SchemaType {
  return typeof value === 'string' && types.includes(value)
}
