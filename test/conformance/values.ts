import { findDialect } from '../../src/dialects/registry.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../src/protocol/json.ts'
import type { Comparison } from './judge.ts'
import { type Finding, grounds } from './promises.ts'
import { declaredTools, parseExactly } from './vector.ts'

interface Place {
  readonly schema: JsonObject | undefined
  readonly isJson: boolean
  readonly isPartial: boolean
  /** The dialect writes entities for characters. */
  readonly escapes: boolean
  readonly text: string
}

const found = {
  kept: { ground: grounds.values, why: 'A member the schema does not list is kept.' },
  tolerated: { ground: grounds.malformed, why: 'A parameter without its closer is read; the row leaves it out.' },
  digits: { ground: grounds.values, why: 'The digits are the model’s: `5.0`, `1e3`.' },
  repeated: { ground: grounds.values, why: 'Of a repeated parameter the last counts.' },
  coerced: { ground: grounds.values, why: 'Values in JSON get the declared type, and only that.' },
  typed: { ground: grounds.types, why: 'A value has its declared type; one without is JSON where it is JSON.' },
  spaced: { ground: grounds.values, why: 'White space inside a value is the model’s.' },
  decoded: { ground: grounds.values, why: 'Entities and CDATA are decoded only where the dialect escapes.' },
  escaped: { ground: grounds.values, why: 'A backslash that escapes nothing stays.' },
  closed: { ground: grounds.closer, why: 'The row takes a closer for a part of the value.' },
} as const satisfies Record<string, Finding>

/** Why the values of the same calls differ: a decision of ours where one had a part in it, else a line of the contract. */
export function groundOfValues({ vector, got }: Comparison): Finding | undefined {
  const form = findDialect(vector.format)?.grammar.arguments
  const tools = declaredTools(vector)
  const findings = vector.expected_calls.flatMap(({ name, arguments: json }, index) =>
    compareValues(json, got.calls[index]?.arguments, {
      schema: asSchema(tools.find((tool) => tool.name === name)?.parameters),
      isJson: form?.as === 'json' || form?.as === 'envelope',
      escapes: form?.as === 'tagged' && form.entities === true,
      isPartial: vector.partial_args === true,
      text: vector.text,
    }),
  )
  if (findings.includes(undefined)) return undefined
  return findings.find((finding) => finding?.ground.list === 'decision') ?? findings[0]
}

function compareValues(expected: unknown, got: unknown, place: Place): readonly (Finding | undefined)[] {
  if (JSON.stringify(expected) === JSON.stringify(got)) return []
  if (isObject(expected) && isObject(got)) return compareMembers(expected, got, place)
  if (Array.isArray(expected) && Array.isArray(got) && expected.length === got.length) {
    const schema = asSchema(place.schema?.['items'])
    return expected.flatMap((item, index) => compareValues(item, got[index], { ...place, schema }))
  }
  return [compareScalars(expected, got, place)]
}

function compareMembers(expected: Members, got: Members, place: Place): readonly (Finding | undefined)[] {
  const properties = asSchema(place.schema?.['properties'])
  const extra = Object.keys(got).filter((key) => !place.isPartial && !Object.hasOwn(expected, key))
  return [
    ...extra.map((key) => {
      if (place.schema === undefined || !place.text.includes(key)) return undefined
      if (properties === undefined || !Object.hasOwn(properties, key)) return found.kept
      return place.text.includes(printed(got[key])) ? found.tolerated : undefined
    }),
    ...Object.entries(expected).flatMap(([key, value]) =>
      Object.hasOwn(got, key)
        ? compareValues(value, got[key], { ...place, schema: asSchema(properties?.[key]) })
        : [undefined],
    ),
  ]
}

/** Each of these holds only where ours is what the model wrote. */
function compareScalars(
  expected: unknown,
  got: unknown,
  { schema, isJson, escapes, text }: Place,
): Finding | undefined {
  if (Array.isArray(expected) && loose(expected.at(-1)) === loose(got)) return found.repeated
  if (isNumber(expected) && isNumber(got)) {
    const isSame = Number(expected.rawJSON) === Number(got.rawJSON)
    return isSame && text.includes(got.rawJSON) ? found.digits : undefined
  }
  if (typeof expected === 'string' && typeof got === 'string') return compareStrings(expected, got, escapes, text)
  const types = typesOf(schema)
  const isWritten = typeof got === 'string' && text.includes(isJson ? JSON.stringify(got) : got)
  if (canonical(printed(expected)) !== canonical(printed(got)))
    return types.length === 0 && isWritten && parseJson(got) === undefined ? found.typed : undefined
  if (isJson) return (types.length === 0 ? isWritten : allows(types, got)) ? found.coerced : undefined
  const isFree = types.length === 0 && typeof got !== 'string'
  return isFree || allows(types, got) ? found.typed : undefined
}

function compareStrings(expected: string, got: string, escapes: boolean, text: string): Finding | undefined {
  if (expected === got.trim() && text.includes(got)) return found.spaced
  if (expected.startsWith(got) && /^\s*<\/[^<>]+>$/.test(expected.slice(got.length))) return found.closed
  if (escapes ? decode(expected) === got : decode(got) === expected) return found.decoded
  return expected === got.replaceAll('\\', '') && text.includes(got) ? found.escaped : undefined
}

/** The types a schema allows, as far as it says so itself. */
function typesOf(schema: JsonObject | undefined): readonly unknown[] {
  const choices = Array.isArray(schema?.['anyOf']) ? schema['anyOf'] : []
  return [schema, ...choices].flatMap((one) => (isJsonObject(one) ? (one['type'] ?? []) : []))
}

function allows(types: readonly unknown[], value: unknown): boolean {
  if (isNumber(value)) return types.includes('number') || types.includes('integer')
  return types.includes(value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

type Members = Readonly<Record<string, unknown>>

function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !isNumber(value)
}

function isNumber(value: unknown): value is { readonly rawJSON: string } {
  return typeof value === 'object' && value !== null && 'rawJSON' in value
}

function asSchema(value: unknown): JsonObject | undefined {
  return isJsonObject(value) ? value : undefined
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function loose(value: unknown): string {
  return canonical(printed(value)).trim()
}

function canonical(text: string): string {
  try {
    return JSON.stringify(parseExactly(text))
  } catch {
    return text
  }
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function decode(text: string): string {
  return text
    .replace(/<!\[CDATA\[([\s\S]*?)\]\]>/g, '$1')
    .replace(/&(lt|gt|quot|apos|amp);/g, (whole, name: string) => entities[name] ?? whole)
}
