import type { Json } from '../../../protocol/json.ts'
import type { SharedBytes } from '../../../protocol/memory/shared-bytes.ts'

/** A piece of a body that may come again. */
export interface Part {
  readonly bytes: Buffer
  /** What they say. Nobody may change it: it is handed to everyone who sends the same bytes. */
  readonly value: Json
  readonly depth: number
  /** The bytes as others may keep them, without all the rest. Absent: they are a slice of the whole body. */
  readonly shared: SharedBytes | undefined
  /** What followed it the last time. */
  next: Part | undefined
  /** Where it is kept, if it is. */
  shelf: Shelf | undefined
}

interface Shelf {
  readonly buckets: Map<number, Part[]>
  bytes: number
}

export interface KnownParts {
  /** The part that stands at a place of a body, if it is known. The guess is tried first. */
  find(body: Buffer, at: number, guess: Part | undefined): Part | undefined
  keep(bytes: Buffer, value: Json, depth: number): Part
}

/** Parts are found by so much of their beginning: long ones, short ones, and those that are shorter still not at all. */
export const headBytes = 128
const leastBytes = 16
const bucketSize = 8

/**
 * Parts by their bytes, within a bound: what was not asked for while half of it was filled anew is forgotten. A
 * conversation comes in the order it came in before, so the part after a known one is mostly known before it is looked
 * for, and to compare it costs a memcmp.
 */
export function createKnownParts(mostBytes: number): KnownParts {
  let young = createShelf()
  let old = createShelf()

  function put(part: Part): void {
    if (young.bytes > mostBytes / 2) turnOver()
    part.shelf = young
    young.bytes += part.bytes.length
    const key = fingerprint(part.bytes, 0, part.bytes.length >= headBytes ? headBytes : leastBytes)
    const bucket = young.buckets.get(key)
    if (bucket === undefined) young.buckets.set(key, [part])
    else if (bucket.push(part) > bucketSize) bucket.shift()
  }

  function turnOver(): void {
    const gone = old
    old = young
    young = createShelf()
    // What is forgotten must not be held by what is not.
    for (const bucket of old.buckets.values()) {
      for (const part of bucket) if (part.next?.shelf === gone) part.next = undefined
    }
  }

  function touch(part: Part): Part {
    if (part.shelf !== young) put(part)
    return part
  }

  function among(bucket: readonly Part[] | undefined, body: Buffer, at: number): Part | undefined {
    return bucket?.findLast((part) => stands(part, body, at))
  }

  return {
    find(body, at, guess) {
      if (guess !== undefined && stands(guess, body, at)) return touch(guess)
      for (const bytes of [headBytes, leastBytes]) {
        if (at + bytes > body.length) continue
        const key = fingerprint(body, at, bytes)
        const found = among(young.buckets.get(key), body, at) ?? among(old.buckets.get(key), body, at)
        if (found !== undefined) return touch(found)
      }
      return undefined
    },
    keep(bytes, value, depth) {
      // One that is too large would drive out all others.
      if (bytes.length > mostBytes / 4)
        return { bytes, value, depth, shared: undefined, next: undefined, shelf: undefined }
      // A copy of its own: a slice would keep the whole body.
      const own = Buffer.allocUnsafeSlow(bytes.length)
      bytes.copy(own)
      const part: Part = { bytes: own, value, depth, shared: { bytes: own, users: 0 }, next: undefined, shelf: young }
      put(part)
      return part
    },
  }
}

function createShelf(): Shelf {
  return { buckets: new Map(), bytes: 0 }
}

function stands({ bytes }: Part, body: Buffer, at: number): boolean {
  const end = at + bytes.length
  return end <= body.length && body.compare(bytes, 0, bytes.length, at, end) === 0
}

/** FNV-1a. Parts that share one are compared, so that it need not be hard to find two. */
function fingerprint(bytes: Buffer, from: number, length: number): number {
  let hash = 0x811c9dc5 ^ length
  for (let at = from; at < from + length; at++) hash = Math.imul(hash ^ (bytes[at] ?? 0), 0x01000193)
  return hash
}
