import type { NoteKind } from '../note.ts'
import type { Span, Why } from './span.ts'

interface Draft extends Span {
  to: number
  why?: Why
  /** A mark that is words only if words follow it. */
  readonly isAside?: boolean
}

/** How far the reader is. */
interface Place {
  readonly position: number
  readonly isOver: boolean
}

const dropping: Readonly<Partial<Record<NoteKind, Why>>> = {
  decoy_dropped: 'decoy',
  echo: 'echo',
  fence_removed: 'edge',
  mark_dropped: 'mark',
}

/**
 * Follows a reader, to say what became of each stretch of an answer. Whatever is told ends where the reader
 * stands; what was told of text that is then read anew is forgotten.
 */
export class Trace {
  #text = ''
  #place: Place = { position: 0, isOver: false }
  readonly #drafts: Draft[] = []
  /** Where what may be taken back begins, the innermost last. */
  readonly #holds: number[] = []
  /** Marks that turned out to mean nothing, and how far all was known when they did. */
  readonly #drops: { readonly from: number; readonly to: number; readonly when: number }[] = []
  readonly #refusals: { readonly from: number; readonly to: number; readonly why: Why }[] = []
  #isAmbiguous = false
  /** Only the first call counts. */
  #isCut = false

  follow(place: Place): void {
    this.#place = place
  }

  push(text: string): void {
    this.#text += text
  }

  /** Up to here something is known. */
  get end(): number {
    return this.#drafts.at(-1)?.to ?? 0
  }

  /** Up to here it will not change. White space, and marks that are words only before words, wait for what follows. */
  get settled(): number {
    const [held = Infinity] = this.#holds
    for (let i = this.#drafts.length - 1; i >= 0; i--) {
      const { from, to, isAside } = this.#drafts[i] as Draft
      const words = from < held && isAside !== true ? this.#text.slice(from, Math.min(to, held)).trimEnd() : ''
      if (words !== '') return from + words.length
    }
    return 0
  }

  /** From here on nothing is known. What was passed over only frames something, unless it is mere white space. */
  goTo(position: number, passed: Why = 'edge'): void {
    let last = this.#drafts.at(-1)
    for (; last !== undefined && last.from >= position; last = this.#drafts.at(-1)) this.#drafts.pop()
    if (last !== undefined && last.to > position) last.to = position
    while ((this.#drops.at(-1)?.when ?? 0) > position) this.#drops.pop()
    const from = this.end
    if (from >= position) return
    if (last !== undefined && this.#text.slice(from, position).trim() === '') last.to = position
    else this.#drafts.push({ kind: 'dropped', from, to: position, why: passed })
  }

  /** What was read last is of this kind: so many characters, or all that nothing is known of. */
  tell(kind: Span['kind'], length?: number, more: Omit<Draft, 'kind' | 'from' | 'to'> = {}): void {
    const to = this.#place.position
    const from = length === undefined ? Math.min(this.end, to) : to - length
    this.goTo(from)
    if (from < to) this.#drafts.push({ kind, from, to, ...more })
  }

  /** What was read last only frames something. */
  pass(): void {
    this.tell('dropped', undefined, { why: 'edge' })
  }

  /** A mark that was read last is words if words follow. */
  aside(length: number): number {
    this.tell('text', length, { isAside: true })
    this.refuse('no-call', this.end - length)
    return this.end
  }

  dropAside(to: number, length: number): void {
    this.#drops.push({ from: to - length, to, when: this.end })
  }

  /** What follows calls up to here belongs to them. */
  close(): void {
    const last = this.#drafts.at(-1)
    if (last?.kind === 'call') last.to = Math.max(last.to, this.#place.position)
  }

  /** A call was begun and cannot be completed. */
  fail(length: number, index: number, reason: string): void {
    const why = reason === 'cut-off' ? reason : this.#isAmbiguous ? 'ambiguous' : 'unreadable'
    this.tell('broken-call', length, { index, why })
    this.#isAmbiguous = false
  }

  note(kind: NoteKind): void {
    const why = dropping[kind]
    if (why !== undefined) this.tell('dropped', undefined, { why })
    if (kind === 'call_ambiguous') this.#isAmbiguous = true
  }

  hold(): void {
    this.#holds.push(this.end)
  }

  drop(): void {
    this.goTo(this.#holds.pop() ?? this.end)
  }

  /** What was held counts; with `isCut`, only up to its first call. */
  release(isCut: boolean): void {
    const from = this.#holds.pop() ?? 0
    const first = this.#drafts.find((draft) => draft.from >= from && draft.kind === 'call')
    if (!isCut || first === undefined) return
    this.goTo(first.to)
    this.#isCut = true
  }

  /** The calls from here on were held back to the end of the answer. */
  waited(from: number): void {
    for (const draft of this.#drafts) if (draft.from >= from && draft.kind === 'call') draft.why = 'last'
  }

  /** What looked like more than words, and why it is not. What nothing follows was cut off. */
  refuse(why: Why, from = this.end, to = this.#place.position): void {
    const isLast = this.#place.isOver && to === this.#text.length && (why === 'unreadable' || why === 'example')
    this.#refusals.push({ from, to, why: isLast ? 'cut-off' : why })
  }

  /** Code is words; worth telling where it quotes a call. */
  quote(from: number, isCall: (text: string, at: number) => boolean): void {
    for (let at = from; at < this.#place.position; at++) if (isCall(this.#text, at)) return this.refuse('quoted', from)
  }

  /** The whole answer, once it has ended. */
  spans(): readonly Span[] {
    if (!this.#isCut) this.goTo(Math.max(this.end, this.#place.position))
    this.goTo(this.#text.length, 'one-call')
    const whys = this.#whys()
    const spans: Span[] = []
    for (const { kind, from, to, index, why } of this.#drafts) {
      const isWords = kind === 'text' || kind === 'reasoning'
      for (let at = from, next = to; at < to; at = next) {
        if (isWords) next = at + 1
        const reason = isWords ? whys[at] : why
        const span = { kind: isWords && reason === 'mark' ? 'dropped' : kind, from: at, to: next } as const
        const last = spans.at(-1)
        if (last?.kind === span.kind && last.index === index && last.why === reason)
          spans[spans.length - 1] = { ...last, to: next }
        else
          spans.push({
            ...span,
            ...(index === undefined ? {} : { index }),
            ...(reason === undefined ? {} : { why: reason }),
          })
      }
    }
    return spans
  }

  /** For every character why it is words, or that it is not. */
  #whys(): readonly (Why | undefined)[] {
    const whys = Array.from<Why | undefined>({ length: this.#text.length })
    // The furthest reading from a place says best why it failed; the first, of those that went as far.
    const order = this.#refusals.toReversed().sort((a, b) => a.from - b.from || a.to - b.to)
    for (const { from, to, why } of order) whys.fill(why, from, to)
    for (const { from, to } of this.#drops) whys.fill('mark', from, to)
    return whys
  }
}
