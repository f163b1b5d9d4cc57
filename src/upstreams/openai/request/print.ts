import { joinBytes, toBytes } from '../../../bytes.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { isLasting, MadeOf } from '../../../protocol/memory/lasting.ts'
import type { SharedBytes } from '../../../protocol/memory/shared-bytes.ts'

export type Pieces = (SharedBytes | Uint8Array)[]

/** What was printed of something. */
interface Printed {
  /** With the comma that mostly stands before it. */
  readonly next: SharedBytes
  /** Without it. */
  first?: SharedBytes
}

/** Messages and tools that come again are printed once (`bench/gateway`: turns 31 to 40). */
const known = new MadeOf<Printed>()

/**
 * The JSON of a body, as bytes: most of it was made for an earlier request. Whoever wants to keep them hands in where to
 * put them, piece by piece.
 */
export function printBody(body: JsonObject, pieces?: Pieces): Uint8Array {
  const parts: (string | Uint8Array)[] = []
  /** What is to stand before the next part. */
  let between = ''

  function addText(text: string): void {
    parts.push(text)
    pieces?.push(toBytes(text))
  }

  function put(value: Json): void {
    if (typeof value !== 'object' || value === null || !isLasting(value)) {
      between += JSON.stringify(value)
      return
    }
    const printed = printOnce(value)
    const isNext = between === ','
    if (!isNext) {
      addText(between)
      printed.first ??= { bytes: printed.next.bytes.subarray(1), users: 0 }
    }
    const shared = isNext ? printed.next : (printed.first ?? printed.next)
    parts.push(shared.bytes)
    pieces?.push(shared)
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
  addText(`${between}}`)
  return joinBytes(parts)
}

function printOnce(value: object): Printed {
  const before = known.get(value)
  if (before !== undefined) return before
  const printed: Printed = { next: { bytes: toBytes(`,${JSON.stringify(value)}`), users: 0 } }
  known.set(value, printed)
  return printed
}
