import { stands } from '../text/literals.ts'
import { apart } from '../text/running.ts'
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
  /** By mark and state. */
  readonly #refusals = new Map<string, Refusal[]>()

  takeWindow(): number {
    const window = this.#window
    this.#window = sight
    return window
  }

  /** Reads what stands next, unless it was refused before; false, with nothing read, when it is. */
  *attempt(source: Source, mark: string, state: number, read: () => Step<boolean>): Step<boolean> {
    const key = `${state} ${mark}`
    for (const { text, length } of this.#refusals.get(key) ?? []) {
      if (!(yield* stands(source, text))) continue
      this.#window = Math.max(this.#window, text.length)
      source.spend(length)
      return false
    }
    const outer = source.reach
    const start = source.position
    source.reach = start
    const isRead = yield* apart(source, read())
    const length = Math.max(source.reach, source.position) - start
    this.#window = Math.max(this.#window, length + sight)
    if (!isRead) this.#add(source, key, length)
    source.reach = Math.max(outer, source.reach)
    return isRead
  }

  /** What stands next, and was read in vain for so much, is refused. */
  #add(source: Source, key: string, length: number): void {
    if (length + sight > longest) return
    const text = source.ahead(length + sight)
    // Where the end was seen, it may have been the reason.
    if (source.isOver && text.length < length + sight) return
    const others = this.#refusals.get(key) ?? []
    this.#refusals.set(key, [{ text, length }, ...others.slice(0, remembered - 1)])
  }
}
