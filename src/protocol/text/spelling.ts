import { isJsonObject } from '../json.ts'

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
