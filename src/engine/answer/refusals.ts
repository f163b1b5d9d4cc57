import { stands } from '../text/literals.ts'
import { no, yes } from '../text/running.ts'
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
  readonly #byMark = new Map<string, Map<number, Refusal[]>>()

  /** What stands next, and was read in vain as far as `reach`, is refused. */
  add(source: Source, mark: string, state: number, reach: number): void {
    const length = reach - source.position
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
  stand(source: Source, mark: string, state: number): Step<boolean> {
    const refusals = this.#byMark.get(mark)?.get(state)
    if (refusals === undefined) return no
    const known = refusals.find(({ text }) => source.text.slice(source.at, source.at + text.length) === text)
    if (known === undefined) return standsOne(source, refusals)
    source.spend(known.length)
    return yes
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
