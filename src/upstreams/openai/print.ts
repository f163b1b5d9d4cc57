import { joinBytes, toBytes } from '../../bytes.ts'
import type { Json, JsonObject } from '../../protocol/json.ts'

/** Messages and tools that come again are frozen, and are printed once (`bench/gateway`: turns 31 to 40). */
const known = new WeakMap<object, Uint8Array>()

/** The JSON of a body, as bytes: most of it was made for an earlier request. */
export function printBody(body: JsonObject): Uint8Array {
  const parts: (string | Uint8Array)[] = []
  /** What is to stand before the next part. */
  let between = ''

  function put(value: Json): void {
    if (!isLasting(value)) {
      between += JSON.stringify(value)
      return
    }
    const bytes = printOnce(value)
    if (between === ',') parts.push(bytes)
    else parts.push(between, bytes.subarray(1))
    between = ''
  }

  function putItems(items: readonly Json[]): void {
    between += '['
    for (let place = 0; place < items.length; place++) {
      if (place > 0) between += ','
      put(items[place] as Json)
    }
    between += ']'
  }

  between = '{'
  let comma = ''
  for (const name of Object.keys(body)) {
    const value = body[name] as Json
    between += `${comma}${JSON.stringify(name)}:`
    comma = ','
    if (name === 'messages' && Array.isArray(value)) putItems(value)
    else put(value)
  }
  parts.push(`${between}}`)
  return joinBytes(parts)
}

function isLasting(value: Json): value is JsonObject | readonly Json[] {
  return typeof value === 'object' && value !== null && Object.isFrozen(value)
}

/** With the comma that mostly stands before it. */
function printOnce(value: object): Uint8Array {
  const before = known.get(value)
  if (before !== undefined) return before
  const bytes = toBytes(`,${JSON.stringify(value)}`)
  known.set(value, bytes)
  return bytes
}
