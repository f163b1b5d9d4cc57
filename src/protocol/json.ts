/** Any JSON value. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/** A JSON Schema as a client sends it: untrusted, any draft, possibly recursive through `$ref`. */
export type JsonSchema = boolean | JsonObject

/** What a text says in JSON; undefined, which no JSON says, when it is none. */
export function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    // That is the answer.
    return undefined
  }
}

/** The object a text says in JSON; undefined when it says none. */
export function parseObject(text: string): JsonObject | undefined {
  const value = parseJson(text)
  return isJsonObject(value) ? value : undefined
}

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value nests deeper than `levels`. Looks no further down than that, so it is safe on any parsed JSON. */
export function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  if (Array.isArray(value)) return value.some((item) => isDeeperThan(item, levels - 1))
  for (const key in value) {
    if (isDeeperThan((value as Record<string, unknown>)[key], levels - 1)) return true
  }
  return false
}

/** JSON in the one spelling by which arguments are compared: without white space, and with its keys in order. */
export function toCanonicalJson(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), (_, value: unknown) => (isJsonObject(value) ? sortKeys(value) : value))
  } catch {
    // Arguments that are no JSON are compared as they stand.
    return text
  }
}

function sortKeys(value: object): object {
  return Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}
