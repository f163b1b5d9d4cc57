import { asciiOf } from '../../bytes.ts'

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
  /** What stands before the string, and after it, four bytes at a time. */
  #known = new Int32Array(0)
  #beforeLength = 0
  #afterLength = 0
  #inVain = 0

  /** Reads the event that begins at `at`, if it stands in the known frame: its string, or undefined. Then see `end`. */
  read(bytes: Uint8Array, at: number): string | undefined {
    if (this.hole === undefined) return undefined
    const view = viewOf(bytes.buffer)
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
    if (end > length || !isThere(view, byteOffset + to + 1, this.#afterLength, known, mark)) return undefined
    const value = isPlain ? asciiOf(bytes, from, to) : readLiteral(bytes.subarray(from, to))
    if (value === '') return undefined
    this.end = end
    this.#inVain = 0
    return value
  }

  /**
   * A parser found `value` in an event of which this is all the text. `holeIn` says what another text would be that has
   * another string in its place; undefined: something else, so that there is no frame.
   */
  learn(event: string, value: string, holeIn: (event: string, value: string) => Hole | undefined): void {
    if (this.#inVain >= mostInVain || value === '' || notPlain.test(value)) return
    this.#inVain += 1
    this.hole = undefined
    const literal = `"${value}"`
    const at = event.indexOf(literal)
    if (at === -1 || event.indexOf(literal, at + 1) !== -1) return
    const before = event.slice(0, at + 1)
    const after = event.slice(at + literal.length)
    this.#remember(encoder.encode(before), encoder.encode(after))
    if (this.#beforeLength >= WORD && this.#afterLength >= WORD) this.hole = holeIn(`${before}${probe}"${after}`, probe)
  }

  forget(): void {
    this.hole = undefined
  }

  #remember(before: Uint8Array, after: Uint8Array): void {
    this.#beforeLength = before.length
    this.#afterLength = after.length
    this.#known = Int32Array.from([...wordsIn(before), ...wordsIn(after)])
  }
}

/** Frames that are learnt and never met again: such a service says something new with every event. */
const mostInVain = 8
const probe = 'qx7'
/** What a string may not hold to be its own literal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has to escape them
const notPlain = /[\0-\x1f"\\]/
const QUOTE = 0x22
const BACKSLASH = 0x5c
const WORD = 4
const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

/** The last of them overlaps with the one before it where the length is not a multiple. */
function wordsOf(length: number): number {
  return Math.ceil(length / WORD)
}

function wordAt(length: number, index: number): number {
  return Math.min(index * WORD, length - WORD)
}

function wordsIn(bytes: Uint8Array): readonly number[] {
  if (bytes.length < WORD) return []
  const view = new DataView(bytes.buffer, bytes.byteOffset)
  return Array.from({ length: wordsOf(bytes.length) }, (_, index) => view.getInt32(wordAt(bytes.length, index), true))
}

function isThere(view: DataView, at: number, length: number, known: Int32Array, mark: number): boolean {
  const whole = length >> 2
  for (let index = 0; index < whole; index++)
    if (view.getInt32(at + index * WORD, true) !== known[mark + index]) return false
  return (length & 3) === 0 || view.getInt32(at + length - WORD, true) === known[mark + whole]
}

/** Mostly all bytes are read into the same memory. */
let view: DataView = new DataView(new ArrayBuffer(0))

function viewOf(buffer: ArrayBufferLike): DataView {
  if (view.buffer !== buffer) view = new DataView(buffer)
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
