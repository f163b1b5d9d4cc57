import type { Json, JsonObject } from '../protocol/json.ts'
import { Kind } from './node.ts'

const numeric = Kind.integer | Kind.number

/** Names of types as clients write them: JSON Schema's own, Gemini's upper case (looked up in lower case), Python's and others'. */
const kindsByName = new Map<string, number>([
  ['null', Kind.null],
  ['none', Kind.null],
  ['boolean', Kind.boolean],
  ['bool', Kind.boolean],
  ['integer', Kind.integer],
  ['int', Kind.integer],
  ['int32', Kind.integer],
  ['int64', Kind.integer],
  ['long', Kind.integer],
  ['number', numeric],
  ['float', numeric],
  ['double', numeric],
  ['decimal', numeric],
  ['string', Kind.string],
  ['str', Kind.string],
  ['text', Kind.string],
  ['array', Kind.array],
  ['list', Kind.array],
  ['tuple', Kind.array],
  ['object', Kind.object],
  ['dict', Kind.object],
  ['map', Kind.object],
])

/** The kind of a value; a number that is not integral has the integer bit too, so that it reads as "numbers go here". */
export function kindsOfValue(value: unknown): number {
  if (value === null) return Kind.null
  switch (typeof value) {
    case 'boolean':
      return Kind.boolean
    case 'number':
      return Number.isInteger(value) ? Kind.integer : numeric
    case 'string':
      return Kind.string
    default:
      return Array.isArray(value) ? Kind.array : Kind.object
  }
}

export interface Claim {
  readonly kinds: number
  readonly values: readonly Json[] | undefined
}

/** What `type`, `nullable`, `enum` and `const` of one schema object say; undefined when they say nothing. */
export function claimOf(schema: JsonObject): Claim | undefined {
  const typed = kindsOfType(own(schema, 'type'))
  const values = valuesOf(schema)
  if (typed === undefined && values === undefined) return undefined
  const nullable = own(schema, 'nullable') === true ? Kind.null : 0
  if (values === undefined) return { kinds: (typed ?? 0) | nullable, values: undefined }
  if (typed === undefined) return { kinds: kindsOfValues(values) | nullable, values: withNull(values, nullable) }
  // `{"type": "integer", "enum": ["1", "2"]}` comes from services that only know enums of strings: the type is meant.
  const fitting = values.filter((value) => (kindsOfValue(value) & (typed | nullable)) !== 0)
  if (fitting.length === 0) return { kinds: typed | nullable, values: undefined }
  return { kinds: kindsOfValues(fitting) | nullable, values: withNull(fitting, nullable) }
}

function kindsOfType(type: Json | undefined): number | undefined {
  if (typeof type === 'string') return kindsByName.get(type.toLowerCase())
  if (!Array.isArray(type)) return undefined
  let kinds = 0
  for (const name of type as readonly Json[]) {
    const kind = typeof name === 'string' ? kindsByName.get(name.toLowerCase()) : undefined
    // An unknown name (`any`, `file`) leaves the place open.
    if (kind === undefined) return undefined
    kinds |= kind
  }
  return kinds === 0 ? undefined : kinds
}

function valuesOf(schema: JsonObject): readonly Json[] | undefined {
  if (Object.hasOwn(schema, 'const')) return [schema['const'] as Json]
  const values = own(schema, 'enum')
  return Array.isArray(values) && values.length > 0 ? (values as readonly Json[]) : undefined
}

export function kindsOfValues(values: readonly Json[]): number {
  let kinds = 0
  for (const value of values) kinds |= kindsOfValue(value)
  return kinds
}

function withNull(values: readonly Json[], nullable: number): readonly Json[] {
  return nullable === 0 || values.includes(null) ? values : [...values, null]
}

/** A key of an untrusted object, never of its prototype. */
export function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
