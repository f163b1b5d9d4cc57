import type { NoteKind } from '../../protocol/note.ts'

/** The longest text that is known again. */
export const longest = 1024

interface Note {
  /** What had been said before it. */
  readonly at: number
  readonly kind: NoteKind
  readonly detail: string | undefined
}

/** Whom it is told. */
interface Teller {
  text(run: string): void
  note(kind: NoteKind, detail?: string): void
}

/** What was said, and noted meanwhile, from some place on. */
export class Heard {
  readonly text: string
  readonly #notes: readonly Note[]

  constructor(text = '', notes: readonly Note[] = []) {
    this.text = text
    this.#notes = notes
  }

  /** Undefined where it gets too long. */
  with(text: string): Heard | undefined {
    return this.text.length + text.length > longest ? undefined : new Heard(this.text + text, this.#notes)
  }

  withNote(kind: NoteKind, detail: string | undefined): Heard {
    return new Heard(this.text, [...this.#notes, { at: this.text.length, kind, detail }])
  }

  /** Says all of it again, so many times. */
  repeat(transcript: Teller, times: number): void {
    if (this.#notes.length === 0) return transcript.text(this.text.repeat(times))
    for (let time = 0; time < times; time++) {
      let from = 0
      for (const { at, kind, detail } of this.#notes) {
        transcript.text(this.text.slice(from, at))
        transcript.note(kind, detail)
        from = at
      }
      transcript.text(this.text.slice(from))
    }
  }
}
