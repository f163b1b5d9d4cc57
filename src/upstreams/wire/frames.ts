import { asciiOf, byteLength } from '../../bytes.ts'

/**
 * The events of a stream mostly differ in one string. To parse each of them costs more than everything else that is done
 * with it, and to make text of all its bytes costs as much again (`bench/gateway`: one event a read), so the bytes around
 * that string are remembered, and where an event has the same bytes around a string, the string is all that is read.
 * Everything else is for a real parser.
 */
export class Frames<Hole> {
  /** Where the event that was read ended. */
  end = 0
  /** Whose string was read. */
  hole: Hole | undefined
  /** What stands before the string, and after it, eight bytes at a time. */
  #known = nothing
  #beforeLength = 0
  #afterLength = 0
  /** What stands after it, where that is too short to be compared like this. */
  #short: Uint8Array | undefined
  #inVain = 0

  /** Reads the event that begins at `at`, if it stands in the known frame: its string, or undefined. Then see `end`. */
  read(bytes: Uint8Array, at: number): string | undefined {
    if (this.hole === undefined) return undefined
    const view = viewOf(bytes)
    const { byteOffset, length } = bytes
    const from = at + this.#beforeLength
    const known = this.#known
    const mark = wordsOf(this.#beforeLength)
    if (from >= length || !isThere(view, byteOffset + at, this.#beforeLength, known, 0)) return undefined
    let to = from
    let isPlain = true
    for (let byte = bytes[to]; byte !== QUOTE; byte = bytes[++to]) {
      // A control character, or the end of what there is.
      if (byte === undefined || byte < 0x20) return undefined
      if (byte >= 0x80) isPlain = false
      else if (byte === BACKSLASH) {
        isPlain = false
        to++
      }
    }
    const end = to + 1 + this.#afterLength
    if (end > length) return undefined
    if (this.#short === undefined) {
      if (!isThere(view, byteOffset + to + 1, this.#afterLength, known, mark)) return undefined
    } else if (!this.#short.every((byte, index) => byte === bytes[to + 1 + index])) return undefined
    const value = isPlain ? asciiOf(bytes, from, to) : readLiteral(bytes.subarray(from, to))
    if (value === '') return undefined
    this.end = end
    this.#inVain = 0
    return value
  }

  /**
   * A parser found `value` in an event of which these are all the bytes, and this is the text. `holeIn` says what another
   * text would be that has another string in its place; undefined: something else, so that there is no frame.
   */
  learn(
    bytes: Uint8Array,
    event: string,
    value: string,
    holeIn: (event: string, value: string) => Hole | undefined,
  ): void {
    if (this.#inVain >= mostInVain || value === '' || notPlain.test(value)) return
    this.#inVain += 1
    this.hole = undefined
    const literal = `"${value}"`
    const at = event.indexOf(literal)
    if (at === -1 || event.indexOf(literal, at + 1) !== -1) return
    const before = event.slice(0, at + 1)
    const after = event.slice(at + literal.length)
    const beforeLength = byteLength(before)
    const afterLength = byteLength(after)
    // Bytes that were no characters have become others.
    if (byteLength(event) !== bytes.length || beforeLength < WORD) return
    this.hole = holeIn(`${before}${probe}"${after}`, probe)
    if (this.hole === undefined) return
    this.#beforeLength = beforeLength
    this.#afterLength = afterLength
    this.#short = afterLength < WORD ? bytes.slice(bytes.length - afterLength) : undefined
    this.#known = new BigInt64Array(wordsOf(beforeLength) + wordsOf(afterLength))
    copyWords(bytes, 0, beforeLength, this.#known, 0)
    if (this.#short === undefined)
      copyWords(bytes, bytes.length - afterLength, afterLength, this.#known, wordsOf(beforeLength))
  }

  forget(): void {
    this.hole = undefined
  }
}

const nothing = new BigInt64Array(0)
/** Frames that are learnt and never met again: such a service says something new with every event. */
const mostInVain = 8
const probe = 'qx7'
/** What a string may not hold to be its own literal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has to escape them
const notPlain = /[\0-\x1f"\\]/
const QUOTE = 0x22
const BACKSLASH = 0x5c
const WORD = 8
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The last of them overlaps with the one before it where the length is not a multiple. */
function wordsOf(length: number): number {
  return Math.ceil(length / WORD)
}

function copyWords(bytes: Uint8Array, from: number, length: number, into: BigInt64Array, mark: number): void {
  const source = viewOf(bytes)
  const start = bytes.byteOffset + from
  for (let index = 0; index < wordsOf(length); index++)
    into[mark + index] = source.getBigInt64(start + Math.min(index * WORD, length - WORD), true)
}

function isThere(bytes: DataView, at: number, length: number, known: BigInt64Array, mark: number): boolean {
  const whole = length >> 3
  for (let index = 0; index < whole; index++)
    if (bytes.getBigInt64(at + index * WORD, true) !== known[mark + index]) return false
  return (length & 7) === 0 || bytes.getBigInt64(at + length - WORD, true) === known[mark + whole]
}

/** Mostly all bytes are read into the same memory, and many events out of the same bytes. */
let viewed: Uint8Array | undefined
let memory: ArrayBufferLike | undefined
let view: DataView = new DataView(new ArrayBuffer(0))

function viewOf(bytes: Uint8Array): DataView {
  if (bytes === viewed) return view
  const { buffer } = bytes
  if (buffer !== memory) view = new DataView(buffer)
  viewed = bytes
  memory = buffer
  return view
}

/** Empty for what is none. */
function readLiteral(inner: Uint8Array): string {
  const text = decoder.decode(inner)
  if (!text.includes('\\')) return text
  try {
    return JSON.parse(`"${text}"`) as string
  } catch {
    return ''
  }
}
