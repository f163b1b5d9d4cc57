import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { isSchema } from './expand.ts'
import { own } from './kinds.ts'

export function requiredOf(rule: JsonObject): readonly string[] {
  const required = own(rule, 'required')
  return Array.isArray(required) ? (required as readonly Json[]).filter((name) => typeof name === 'string') : []
}

/** The schema of a name listed in `properties` or matched by a readable pattern. */
export function declaredProperty(rule: JsonObject, name: string): JsonSchema | undefined {
  const schema = own(objectAt(rule, 'properties'), name)
  if (isSchema(schema)) return schema
  return patternsOf(rule).find(({ prefix }) => name.startsWith(prefix))?.schema
}

interface Pattern {
  readonly prefix: string
  readonly schema: JsonSchema
}

/**
 * `patternProperties` whose expression asks for a literal prefix and no more; others are passed over. Clients' patterns are
 * never run: they are untrusted, and one bad expression can hang the process.
 */
export function patternsOf(rule: JsonObject): readonly Pattern[] {
  if (!Object.hasOwn(rule, 'patternProperties')) return []
  return Object.entries(objectAt(rule, 'patternProperties'))
    .slice(0, 100)
    .flatMap(([pattern, schema]) => {
      const prefix = /^(?:\^([\w\-/:@ ]*))?(?:\.[*+]\$?)?$/.exec(pattern)
      return prefix !== null && isSchema(schema) ? [{ prefix: prefix[1] ?? '', schema }] : []
    })
}

/** The schema of names that are not declared, when it says more than whether they may be there. */
export function otherPropertiesOf(rule: JsonObject): JsonSchema | undefined {
  const schema = own(rule, 'additionalProperties')
  return schema !== false && isSchema(schema) ? schema : undefined
}

export function tupleOf(rule: JsonObject): readonly Json[] {
  const prefix = own(rule, 'prefixItems')
  if (Array.isArray(prefix)) return prefix as readonly Json[]
  const items = own(rule, 'items')
  return Array.isArray(items) ? (items as readonly Json[]) : []
}

export function itemSchema(rule: JsonObject, index: number): JsonSchema | undefined {
  const placed = tupleOf(rule)[index]
  if (placed !== undefined) return isSchema(placed) ? placed : undefined
  const items = own(rule, 'items')
  const rest = Array.isArray(items) ? own(rule, 'additionalItems') : items
  return isSchema(rest) ? rest : undefined
}

export function objectAt(rule: JsonObject, key: string): JsonObject {
  const value = own(rule, key)
  return isJsonObject(value) ? value : {}
}

/** Keywords with schemas by name, with a list of them, and with one. */
const maps = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems', 'items'])
const singles = new Set([
  ...['items', 'additionalProperties', 'additionalItems', 'unevaluatedProperties', 'unevaluatedItems'],
  ...['contains', 'propertyNames', 'not', 'if', 'then', 'else'],
])

/** The same schema with the schemas right below it changed. */
export function mapSubschemas(schema: JsonObject, change: (value: Json) => Json): JsonObject {
  const changed = Object.entries(schema).map(([keyword, value]): [string, Json] => {
    if (maps.has(keyword) && isJsonObject(value)) return [keyword, mapValues(value, change)]
    if (lists.has(keyword) && Array.isArray(value)) return [keyword, value.map(change)]
    return [keyword, singles.has(keyword) ? change(value) : value]
  })
  return Object.fromEntries(changed)
}

export function mapValues(object: JsonObject, change: (value: Json) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]))
}
