import type { NoteKind } from '../protocol/note.ts'
import type { Span, Why } from '../protocol/span.ts'
import { hasMarkAt, type Marks } from './marks.ts'
import type { Source } from './source.ts'

type Draft = { -readonly [Key in keyof Span]: Span[Key] }

const dropping: Readonly<Partial<Record<NoteKind, Why>>> = {
  decoy_dropped: 'decoy',
  echo: 'echo',
  fence_removed: 'fence',
  mark_dropped: 'mark',
}

/**
 * What becomes of each stretch of an answer, for those who ask. Whatever is told ends where the reader stands; what was
 * told of text that is then read anew is forgotten.
 */
export class Trace {
  /** All that has been said. */
  text = ''
  readonly #source: Source
  readonly #drafts: Draft[] = []
  readonly #refusals: Span[] = []
  #isAmbiguous = false

  constructor(source: Source) {
    this.#source = source
  }

  /** Up to here it is known. */
  get end(): number {
    return this.#drafts.at(-1)?.to ?? 0
  }

  /** From here on nothing is known. What was passed over is a mark, unless it is mere white space. */
  goTo(position: number, passed: Why = 'mark'): void {
    for (let last = this.#drafts.at(-1); last !== undefined && last.to > position; last = this.#drafts.at(-1)) {
      if (last.from < position) last.to = position
      else this.#drafts.pop()
    }
    const last = this.#drafts.at(-1)
    const from = this.end
    if (from >= position) return
    if (last !== undefined && this.text.slice(from, position).trim() === '') last.to = position
    else this.#drafts.push({ kind: 'dropped', from, to: position, why: passed })
  }

  /** What was read last is of this kind: so many characters, or all that nothing is known of. */
  tell(kind: Span['kind'], length?: number, more: Pick<Span, 'index' | 'why'> = {}): Draft {
    const to = this.#source.position
    const from = length === undefined ? Math.min(this.end, to) : to - length
    const draft = { kind, from, to, ...more }
    this.goTo(from)
    if (from < to) this.#drafts.push(draft)
    return draft
  }

  /** What follows calls up to here belongs to them. */
  close(): void {
    const last = this.#drafts.at(-1)
    if (last?.kind === 'call') last.to = Math.max(last.to, this.#source.position)
  }

  /** A call was begun and cannot be completed. */
  fail(length: number, index: number, reason: Why): void {
    this.tell('broken-call', length, { index, why: this.#isAmbiguous ? 'ambiguous' : reason })
    this.#isAmbiguous = false
  }

  note(kind: NoteKind): void {
    const why = dropping[kind]
    if (kind === 'call_ambiguous') this.#isAmbiguous = true
    else if (why !== undefined) this.tell('dropped', undefined, { why })
  }

  /** What was told since `from` of calls has this reason. */
  explain(from: number, why: Why): void {
    for (const draft of this.#drafts) if (draft.from >= from && draft.kind === 'call') draft.why = why
  }

  /** Of what was told since `from` only the first call counts. */
  keepFirst(from: number): void {
    const first = this.#drafts.find((draft) => draft.from >= from && draft.kind === 'call')
    if (first !== undefined) this.goTo(first.to)
  }

  /** What looked like more than words, and why it is not. What nothing follows was cut off. */
  refuse(why: Why, from = this.end, to = this.#source.position): void {
    const isLast = this.#source.isOver && to === this.text.length && (why === 'unreadable' || why === 'example')
    this.#refusals.push({ kind: 'text', from, to, why: isLast ? 'cut-off' : why })
  }

  /** Code is text; worth telling where it quotes a call. */
  quote(from: number, marks: Marks<unknown>): void {
    for (let at = from; at < this.#source.position; at++)
      if (hasMarkAt(marks, this.text, at, () => true)) return this.refuse('quoted', from)
  }

  /** The whole answer, once it has ended. */
  spans(): readonly Span[] {
    this.goTo(this.text.length, 'one-call')
    const whys: (Why | undefined)[] = []
    // The furthest reading from a place says best why it failed; the first, of those that went as far.
    const order = this.#refusals.reverse().toSorted((a, b) => a.from - b.from || a.to - b.to)
    for (const { from, to, why } of order) for (let at = from; at < to; at++) whys[at] = why
    const spans: Draft[] = []
    const add = (span: Draft): void => {
      const last = spans.at(-1)
      if (last?.kind === span.kind && last.index === span.index && last.why === span.why) last.to = span.to
      else spans.push(span)
    }
    for (const draft of this.#drafts) {
      if (draft.kind !== 'text' && draft.kind !== 'reasoning') add(draft)
      else
        for (let at = draft.from; at < draft.to; at++) {
          const why = whys[at]
          add({ kind: draft.kind, from: at, to: at + 1, ...(why === undefined ? {} : { why }) })
        }
    }
    return spans
  }
}
