import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { resolvePointer } from './expand.ts'
import { mapSubschemas } from './rules.ts'

/** Puts schemas into a larger one. What they refer to moves to the definitions of its root, where references are counted from. */
export interface Hoist {
  /** A schema to stand anywhere below the root. The same schema may be given any number of times. */
  place(schema: JsonSchema): JsonSchema
  /** For the root's `$defs`. */
  readonly definitions: JsonObject
}

const nothing: ReadonlySet<string> = new Set()
const homes = new Set(['$defs', 'definitions', '$schema', '$id'])

/** Without `dropped` keywords, for services that do not know all of them. */
export function createHoist(dropped: ReadonlySet<string> = nothing): Hoist {
  const definitions: Record<string, Json> = {}
  /** Names by what they stand for: two ways to write a reference may lead to one place. */
  const names = new Map<JsonObject, string>()

  function refer(root: JsonSchema, reference: string): JsonSchema {
    const target = follow(root, reference)
    // What leads nowhere, to another document or in a circle forbids nothing.
    if (!isJsonObject(target)) return target ?? {}
    const known = names.get(target)
    if (known !== undefined) return { $ref: `#/$defs/${known}` }
    const name = nameFor(reference, definitions)
    names.set(target, name)
    // Kept before it is looked into: it may refer to itself.
    definitions[name] = {}
    definitions[name] = inside(root, target)
    return { $ref: `#/$defs/${name}` }
  }

  function inside(root: JsonSchema, schema: JsonObject): JsonObject {
    const { $ref: reference, ...rest } = schema
    const kept = Object.entries(rest).filter(([key]) => !homes.has(key) && !dropped.has(key))
    const placed = mapSubschemas(Object.fromEntries(kept), (one) => anywhere(root, one))
    if (typeof reference !== 'string') return reference === undefined ? placed : { ...placed, $ref: reference }
    const referred = refer(root, reference)
    return isJsonObject(referred) ? { ...placed, ...referred } : placed
  }

  function anywhere(root: JsonSchema, value: Json): Json {
    return isJsonObject(value) ? inside(root, value) : value
  }

  return { place: (schema) => (isJsonObject(schema) ? inside(schema, schema) : schema), definitions }
}

/** Past references that are nothing else; undefined for a circle of them. */
function follow(root: JsonSchema, reference: string): JsonSchema | undefined {
  const seen = new Set<string>()
  let next = reference
  for (;;) {
    if (seen.has(next)) return undefined
    seen.add(next)
    const target = resolvePointer(root, next)
    if (!isJsonObject(target) || typeof target['$ref'] !== 'string' || Object.keys(target).length > 1) return target
    next = target['$ref']
  }
}

/** Letters and digits only: services take names apart and make rules of them. */
function nameFor(reference: string, taken: JsonObject): string {
  const word = (reference.split('/').at(-1) ?? '').replace(/[^A-Za-z0-9]/g, '') || 'Root'
  if (!Object.hasOwn(taken, word) && word !== '__proto__') return word
  for (let number = 2; ; number++) if (!Object.hasOwn(taken, `${word}${number}`)) return `${word}${number}`
}
