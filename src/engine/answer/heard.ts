import type { NoteKind } from '../../protocol/note.ts'

/** The longest text that is known again, and what may have become of it besides being said. */
export const longest = 1024
const mostActs = 64

/** Before what a mark means nothing. */
export type Before = 'call' | 'thought' | 'end'

/** Who is told. */
interface Teller {
  text(run: string): void
  note(kind: NoteKind, detail?: string): void
  aside(mark: string, before: Before): void
  thought(text: string): void
  endThought(end: string): void
  dropLeadingSpace(mark: string): void
}

/** Something else than saying what stands there. */
interface Act {
  readonly at: number
  /** Of the text that it is about. */
  readonly length: number
  readonly tell: (teller: Teller) => void
}

/** What became of a text, from some place on. */
export class Heard {
  readonly text: string
  readonly #acts: readonly Act[]

  constructor(text = '', acts: readonly Act[] = []) {
    this.text = text
    this.#acts = acts
  }

  /** With more text, of which it is told by `tell` unless it is said. Undefined where it gets too long. */
  with(text: string, tell?: Act['tell']): Heard | undefined {
    if (this.text.length + text.length > longest || this.#acts.length > mostActs) return undefined
    const acts = tell ? [...this.#acts, { at: this.text.length, length: text.length, tell }] : this.#acts
    return new Heard(this.text + text, acts)
  }

  /** The same becomes of it again, so many times. */
  repeat(teller: Teller, times: number): void {
    if (this.#acts.length === 0) return teller.text(this.text.repeat(times))
    for (let time = 0; time < times; time++) {
      let from = 0
      for (const { at, length, tell } of this.#acts) {
        teller.text(this.text.slice(from, at))
        tell(teller)
        from = at + length
      }
      teller.text(this.text.slice(from))
    }
  }
}
