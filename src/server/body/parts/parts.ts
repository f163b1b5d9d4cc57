import type { Json, JsonObject } from '../../../protocol/json.ts'
import { lasting } from '../../../protocol/memory/lasting.ts'
import type { SharedBytes } from '../../../protocol/memory/shared-bytes.ts'
import { createKnownParts, headBytes, type Part } from './known.ts'
import { Scan } from './scan.ts'

/** A body that was read by its parts. */
interface Assembled {
  readonly body: JsonObject
  /** How deep it is nested. */
  readonly depth: number
}

/** Reads bodies by parts. */
export interface BodyParts {
  /**
   * The JSON of a body: every long value of its fields is a part, and so is every item of the field that `grows`. Undefined
   * where it cannot be taken apart, or is not JSON. Whoever wants the bytes hands in where to put them, piece by piece.
   */
  read(bytes: Buffer, grows: string, pieces?: Pieces): Assembled | undefined
}

type Pieces = (SharedBytes | Uint8Array)[]

const decoder = new TextDecoder('utf-8', { fatal: true })
const [quote, colon, comma, open, openList, closeList] = [0x22, 0x3a, 0x2c, 0x7b, 0x5b, 0x5d]
/** Stands for a part in what is left of the body. */
const hole = Buffer.from('0')
const commaAlone = Buffer.from(',')

/**
 * An agent sends its tools and its whole conversation with every request. What was there before is compared and not
 * parsed, which takes a thirtieth of the time, and it is the same object again, so that whatever was made of it can be
 * found by it (`bench/gateway`: turns 31 to 40). Everything read is frozen: others get it, too.
 */
export function createBodyParts(mostBytes = 4 << 20): BodyParts {
  const known = createKnownParts(mostBytes)

  /** The value that begins here. One that is new is kept if it has so many bytes, else it is left to others. */
  function pass(scan: Scan, bytes: Buffer, guess: Part | undefined, least = 0): Part | 'short' | undefined {
    const from = scan.at
    const found = known.find(bytes, from, guess)
    if (found !== undefined) {
      scan.at = from + found.bytes.length
      return found
    }
    if (!scan.passValue()) return undefined
    if (scan.at - from < least) return 'short'
    const piece = bytes.subarray(from, scan.at)
    return known.keep(piece, freeze(JSON.parse(decoder.decode(piece)) as Json, lasting), scan.depth)
  }

  /** The items of a list, of which each but the last leads to the next. */
  function passItems(scan: Scan, bytes: Buffer, cut: Cut): Pick<Part, 'value' | 'depth'> | undefined {
    const items: Json[] = []
    let depth = 1
    let last: Part | undefined
    scan.at += 1
    if (scan.peek() === closeList) {
      scan.at += 1
      return { value: items, depth }
    }
    for (;;) {
      scan.peek()
      const part = pass(scan, bytes, last?.next)
      if (part === undefined || part === 'short') return undefined
      if (last !== undefined && last.next !== part && part.shelf !== undefined) last.next = part
      last = part
      cut(part, scan.at)
      items.push(part.value)
      if (part.depth >= depth) depth = part.depth + 1
      const code = scan.peek()
      scan.at += 1
      if (code === closeList) return { value: items, depth }
      if (code !== comma) return undefined
    }
  }

  function take(bytes: Buffer, grows: string, pieces: Pieces | undefined): Assembled | undefined {
    const scan = new Scan(bytes)
    if (scan.peek() !== open) return undefined
    const names = new Set<string>()
    const filled: [string, Json][] = []
    const left: Buffer[] = []
    let depth = 1
    let from = 0
    const cut = pieces === undefined ? () => undefined : createCut(bytes, pieces)
    do {
      scan.at += 1
      const name = passName(scan, bytes)
      // Which of two would count is better left to the parser.
      if (name === undefined || names.has(name)) return undefined
      names.add(name)
      const at = scan.at
      const value = passMember(scan, bytes, cut, name === grows)
      if (value === undefined) return undefined
      depth = Math.max(depth, 1 + (value === 'short' ? scan.depth : value.depth))
      if (value === 'short') continue
      filled.push([name, value.value])
      left.push(bytes.subarray(from, at), hole)
      from = scan.at
    } while (scan.peek() === comma)
    left.push(bytes.subarray(from))
    cut(undefined, bytes.length)
    // What is left is parsed, and so whatever is wrong with it is found.
    const body = JSON.parse(decoder.decode(Buffer.concat(left))) as Record<string, Json>
    for (const [name, value] of filled) body[name] = value
    return { body, depth }
  }

  function passMember(
    scan: Scan,
    bytes: Buffer,
    cut: Cut,
    isList: boolean,
  ): Pick<Part, 'value' | 'depth'> | 'short' | undefined {
    const code = scan.peek()
    if (isList && code === openList) return passItems(scan, bytes, cut)
    if (code === open || code === openList || code === quote) {
      const part = pass(scan, bytes, undefined, headBytes)
      if (part !== undefined && part !== 'short') cut(part, scan.at)
      return part
    }
    scan.passWord()
    return 'short'
  }

  return {
    read(bytes, grows, pieces) {
      try {
        return take(bytes, grows, pieces)
      } catch {
        // Whoever parses it whole says what is wrong.
        return undefined
      }
    },
  }
}

/** Takes note of a part that ends here, and of what lies between it and the one before. */
type Cut = (part: Part | undefined, end: number) => void

function createCut(bytes: Buffer, pieces: Pieces): Cut {
  let done = 0
  return (part, end) => {
    const begin = end - (part?.bytes.length ?? 0)
    // Between two messages there is mostly nothing else.
    if (begin === done + 1 && bytes[done] === comma) pieces.push(commaAlone)
    else if (begin > done) pieces.push(bytes.subarray(done, begin))
    if (part !== undefined) pieces.push(part.shared ?? part.bytes)
    done = end
  }
}

/** The name of a field, up to its value. Undefined for one that is not spelt plainly. */
function passName(scan: Scan, bytes: Buffer): string | undefined {
  if (scan.peek() !== quote) return undefined
  const from = scan.at + 1
  if (!scan.passValue()) return undefined
  const name = bytes.toString('latin1', from, scan.at - 1)
  if (!/^\w+$/.test(name) || name === '__proto__' || scan.peek() !== colon) return undefined
  scan.at += 1
  scan.peek()
  return name
}

/** What comes again is one thing; what it is made of only must not change. */
function freeze(value: Json, seal: <T extends object>(value: T) => T = Object.freeze): Json {
  if (typeof value !== 'object' || value === null) return value
  for (const inner of Object.values(value)) freeze(inner)
  return seal(value)
}
