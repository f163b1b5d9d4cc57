import { stands } from '../text/literals.ts'
import { apart, yes } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'

/** How far the readers look ahead of what they take: no mark is longer. */
const sight = 64
const longest = 256
const remembered = 4

interface Refusal {
  readonly text: string
  readonly length: number
}

/**
 * What was no call a moment ago is none now: a model in a loop says the same again, and each time it would be tried in
 * every way there is. Remembers the last few texts, all that was looked at included, by what else the verdict hung on.
 */
export class Refusals {
  /** How far anybody looked ahead since somebody asked. */
  #window = sight
  readonly #byMark = new Map<string, Map<number, Refusal[]>>()

  takeWindow(): number {
    const window = this.#window
    this.#window = sight
    return window
  }

  /** Reads what stands next, unless it was refused before; false, with nothing read, when it is. */
  *attempt(source: Source, mark: string, state: number, read: () => Step<boolean>): Step<boolean> {
    const refusals = this.#byMark.get(mark)?.get(state)
    if (refusals !== undefined && (yield* this.#stands(source, refusals))) return false
    const outer = source.reach
    const start = source.position
    source.reach = start
    const isRead = yield* apart(source, read())
    const length = Math.max(source.reach, source.position) - start
    this.#window = Math.max(this.#window, length + sight)
    if (!isRead) this.#add(source, mark, state, length)
    source.reach = Math.max(outer, source.reach)
    return isRead
  }

  /** What stands next, and was read in vain for so much, is refused. */
  #add(source: Source, mark: string, state: number, length: number): void {
    if (length + sight > longest) return
    const text = source.ahead(length + sight)
    // Where the end was seen, it may have been the reason.
    if (source.isOver && text.length < length + sight) return
    const byState = this.#byMark.get(mark) ?? new Map<number, Refusal[]>()
    const list = byState.get(state) ?? []
    list.unshift({ text, length })
    if (list.length > remembered) list.pop()
    byState.set(state, list)
    this.#byMark.set(mark, byState)
  }

  /** Whether what stands next was refused before. Waits only while it can still turn out to be that. */
  #stands(source: Source, refusals: readonly Refusal[]): Step<boolean> {
    const known = refusals.find(({ text }) => source.text.slice(source.at, source.at + text.length) === text)
    if (known === undefined) return this.#standsOne(source, refusals)
    this.#refuse(source, known)
    return yes
  }

  *#standsOne(source: Source, refusals: readonly Refusal[]): Step<boolean> {
    for (const refusal of refusals) {
      if (!(yield* stands(source, refusal.text))) continue
      this.#refuse(source, refusal)
      return true
    }
    return false
  }

  #refuse(source: Source, { text, length }: Refusal): void {
    this.#window = Math.max(this.#window, text.length)
    source.spend(length)
  }
}
