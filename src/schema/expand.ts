import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import { own } from './kinds.ts'

/**
 * A schema as a list of alternatives, each a list of plain schema objects that hold together: `anyOf` and `oneOf` make
 * alternatives, `allOf` and `$ref` join them. Plain means: only their own keywords count, the combining ones are spent.
 */
export type Alternative = readonly JsonObject[]

const stepLimit = 2_000
const depthLimit = 64

const spent = new Set([
  '$ref',
  '$defs',
  'definitions',
  '$schema',
  '$id',
  '$comment',
  'title',
  'description',
  'anyOf',
  'oneOf',
  'allOf',
])

export type Resolve = (reference: string) => JsonSchema | undefined

/** Undefined when anything goes: the schema is a circle of references, or so large that looking further would cost too much. */
export function expand(schemas: readonly JsonSchema[], resolve: Resolve): readonly Alternative[] | undefined {
  const open = new Set<JsonObject>()
  let steps = 0

  // Each returns undefined for a schema that only leads back to one being expanded: it adds nothing to a union and
  // forbids nothing in a conjunction.
  function one(schema: JsonSchema): readonly Alternative[] | undefined {
    spend(1)
    if (schema === false) return []
    if (!isJsonObject(schema)) return [[]]
    if (open.has(schema)) return undefined
    if (open.size >= depthLimit) throw tooLarge
    open.add(schema)
    const result = keywords(schema)
    open.delete(schema)
    return result
  }

  function keywords(schema: JsonObject): readonly Alternative[] | undefined {
    let result: readonly Alternative[] = isPlain(schema) ? [[schema]] : [[]]
    const reference = own(schema, '$ref')
    const target = typeof reference === 'string' ? resolve(reference) : undefined
    if (target !== undefined) {
      const alternatives = one(target)
      if (alternatives === undefined) return undefined
      result = both(result, alternatives)
    }
    for (const part of list(schema, 'allOf')) {
      const alternatives = one(part)
      if (alternatives !== undefined) result = both(result, alternatives)
    }
    for (const key of ['anyOf', 'oneOf']) {
      const branches = list(schema, key)
      if (branches.length === 0) continue
      const alternatives = any(branches)
      if (alternatives === undefined) return undefined
      result = both(result, alternatives)
    }
    return result
  }

  function any(branches: readonly JsonSchema[]): readonly Alternative[] | undefined {
    const union: Alternative[] = []
    let reached = false
    for (const branch of branches) {
      const alternatives = one(branch)
      if (alternatives === undefined) continue
      reached = true
      for (const alternative of alternatives) union.push(alternative)
    }
    return reached ? union : undefined
  }

  function both(left: readonly Alternative[], right: readonly Alternative[]): readonly Alternative[] {
    if (left.length === 1 && left[0]?.length === 0) return right
    const product: Alternative[] = []
    for (const a of left) {
      for (const b of right) {
        spend(1)
        product.push(a.length === 0 ? b : b.length === 0 ? a : [...a, ...b])
      }
    }
    return product
  }

  function spend(count: number): void {
    steps += count
    if (steps > stepLimit) throw tooLarge
  }

  try {
    let result: readonly Alternative[] = [[]]
    for (const schema of schemas) {
      const alternatives = one(schema)
      if (alternatives === undefined) return undefined
      result = both(result, alternatives)
    }
    return result
  } catch (thrown) {
    if (thrown === tooLarge) return undefined
    throw thrown
  }
}

const tooLarge = new Error('the schema is too large to look through')

function isPlain(schema: JsonObject): boolean {
  for (const key of Object.keys(schema)) if (!spent.has(key)) return true
  return false
}

function list(schema: JsonObject, key: string): readonly JsonSchema[] {
  const value = own(schema, key)
  return Array.isArray(value) ? (value as readonly Json[]).filter(isSchema) : []
}

export function isSchema(value: Json | undefined): value is JsonSchema {
  return typeof value === 'boolean' || isJsonObject(value)
}

/** `#`, `#/$defs/a`, any JSON pointer as a fragment, from `root`; undefined when it leads nowhere. */
export function resolvePointer(root: JsonSchema, reference: string): JsonSchema | undefined {
  if (reference === '#') return root
  if (!reference.startsWith('#/')) return undefined
  let place: Json | undefined = root
  for (const escaped of reference.slice(2).split('/')) {
    const name = unescapePointer(escaped)
    if (Array.isArray(place))
      place = /^(?:0|[1-9]\d{0,8})$/.test(name) ? (place as readonly Json[])[Number(name)] : undefined
    else place = isJsonObject(place) ? own(place, name) : undefined
    if (place === undefined) return undefined
  }
  return isSchema(place) ? place : undefined
}

function unescapePointer(escaped: string): string {
  let name = escaped
  try {
    name = decodeURIComponent(escaped)
  } catch {
    // A stray `%` is part of the name.
  }
  return name.replaceAll('~1', '/').replaceAll('~0', '~')
}
