import type { Writable } from '../../protocol/writable.ts'

/**
 * The events of a stream mostly differ in one string. To parse each of them costs more than everything else that is done
 * with it (`bench/gateway`: a third of the time of a stream), so the text around that string is remembered, and where an
 * event has the same text around a string, the string is all that is read. Everything else is for a real parser.
 */
export interface Frames<Hole> {
  /** Reads the event that begins at `at`, if it stands in the known frame: its string, or undefined. Then see `end`. */
  read(text: string, at: number): string | undefined
  /** Where the event that was read ended. */
  readonly end: number
  /** Whose string was read. */
  readonly hole: Hole | undefined
  /**
   * A parser found `value` in an event of which this is all the text. `holeIn` says what another text would be that has
   * another string in its place; undefined: something else, so that there is no frame.
   */
  learn(event: string, value: string, holeIn: (event: string, value: string) => Hole | undefined): void
  forget(): void
}

/** Frames that are learnt and never met again: such a service says something new with every event. */
const mostInVain = 8
const probe = 'qx7'
/** What a string may not hold to be its own literal. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: JSON has to escape them
const notPlain = /[\0-\x1f"\\]/

export function createFrames<Hole>(): Frames<Hole> {
  let before = ''
  let after = ''
  let inVain = 0

  const frames: Writable<Frames<Hole>> = {
    end: 0,
    hole: undefined,
    read(text, at) {
      if (frames.hole === undefined || !standsAt(text, before, at)) return undefined
      const from = at + before.length
      let to = text.indexOf('"', from)
      while (to !== -1 && isEscaped(text, to, from)) to = text.indexOf('"', to + 1)
      if (to === -1 || !standsAt(text, after, to + 1)) return undefined
      const value = readLiteral(text.slice(from, to))
      if (value === undefined) return undefined
      frames.end = to + 1 + after.length
      inVain = 0
      return value
    },
    learn(event, value, holeIn) {
      if (inVain >= mostInVain || value === '' || notPlain.test(value)) return
      inVain += 1
      frames.hole = undefined
      const literal = `"${value}"`
      const at = event.indexOf(literal)
      if (at === -1 || event.indexOf(literal, at + 1) !== -1) return
      before = event.slice(0, at + 1)
      after = event.slice(at + literal.length)
      frames.hole = holeIn(`${before}${probe}"${after}`, probe)
    },
    forget() {
      frames.hole = undefined
    },
  }
  return frames
}

/** As `startsWith`, which looks at one character after the other: to compare a slice is four times as fast. */
function standsAt(text: string, part: string, at: number): boolean {
  return text.slice(at, at + part.length) === part
}

function isEscaped(text: string, at: number, from: number): boolean {
  let backslashes = 0
  while (at - backslashes > from && text.charCodeAt(at - 1 - backslashes) === 92) backslashes++
  return backslashes % 2 === 1
}

function readLiteral(inner: string): string | undefined {
  if (inner === '') return undefined
  if (!notPlain.test(inner)) return inner
  try {
    return JSON.parse(`"${inner}"`) as string
  } catch {
    return undefined
  }
}
