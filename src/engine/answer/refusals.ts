import { stands } from '../text/literals.ts'
import { no } from '../text/running.ts'
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
  readonly #byState = new Map<string, Refusal[]>()

  /** What stands next, and was read in vain as far as `reach`, is refused. */
  add(source: Source, state: string, reach: number): void {
    const length = reach - source.position
    if (length + sight > longest) return
    const text = source.ahead(length + sight)
    // Where the end was seen, it may have been the reason.
    if (source.isOver && text.length < length + sight) return
    const list = this.#byState.get(state) ?? []
    list.unshift({ text, length })
    if (list.length > remembered) list.pop()
    this.#byState.set(state, list)
  }

  /** Whether what stands next was refused before. Waits only while it can still turn out to be that. */
  stand(source: Source, state: string): Step<boolean> {
    const refusals = this.#byState.get(state)
    return refusals === undefined ? no : standsOne(source, refusals)
  }
}

function* standsOne(source: Source, refusals: readonly Refusal[]): Step<boolean> {
  for (const { text, length } of refusals) {
    if (!(yield* stands(source, text))) continue
    source.spend(length)
    return true
  }
  return false
}
