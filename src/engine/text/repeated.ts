import type { Source } from './source.ts'

/** What else than the text decides whether it ends. */
export interface Circumstances {
  readonly state?: () => string
  /** Of what was met: more of the same makes no difference. */
  readonly counts?: Map<string, number>
}

/** So many places where the text did not end make one wonder. */
const patience = 4
/** How far readers look back, and how far ahead of what they take. */
const sight = 512
const longestUnit = 512
const headLength = 8
/** Where more is counted, nothing is passed: to compare it would cost more. */
const mostCounts = 64

/**
 * A text that says the same over and over: where it did not end, from one place to where the same stands again and whatever
 * else decides is as it was, it does not end the next time, and is passed without being read.
 */
export class Repetition {
  readonly #source: Source
  readonly #state: () => string
  readonly #counts: Map<string, number>
  /** Where the text may begin to repeat itself, and what stands there. */
  #place = 0
  #head = ''
  /** The circumstances there. */
  #stateThere = ''
  #countsThere: ReadonlyMap<string, number> = new Map()
  #met = 0
  #next = patience
  /** How far anybody looked ahead since the place. */
  #window = sight
  /** How far was looked before. */
  #reach = 0

  constructor(source: Source, { state = () => '', counts = new Map() }: Circumstances = {}) {
    this.#source = source
    this.#state = state
    this.#counts = counts
  }

  /** The text may end here. How much of it repeats what came before. */
  length(text: string, at: number): number {
    const base = this.#source.position - this.#source.at
    if (this.#head !== '' && text.startsWith(this.#head, at)) {
      const unit = this.#unit(text, this.#place - base, at)
      // As far from the end as anybody looked ahead, it may be something else.
      const room = unit === '' ? 0 : lengthOfLoop(text, at, unit, 0) - this.#window
      if (room >= unit.length && room > 0) {
        const times = Math.floor(room / unit.length)
        const length = times * unit.length
        for (const [name, count] of this.#counts)
          this.#counts.set(name, count + times * (count - this.#countThere(name)))
        this.#start(text, at + length, base)
        return length
      }
    }
    if (++this.#met >= this.#next) {
      this.#next = 2 * this.#met
      this.#start(text, at, base)
    }
    return 0
  }

  /** Somebody is asked whether it ends. */
  ask(): void {
    this.#reach = this.#source.reach
    this.#source.reach = 0
  }

  /** That was told of what stood at `position`. */
  told(position: number): void {
    const source = this.#source
    this.#window = Math.max(this.#window, Math.max(source.reach, source.position) - position + sight)
    source.reach = Math.max(source.reach, this.#reach)
  }

  #start(text: string, at: number, base: number): void {
    this.#place = base + at
    this.#head = text.slice(at, at + headLength)
    this.#window = sight
    this.#stateThere = this.#state()
    this.#countsThere = new Map(this.#counts.size > mostCounts ? [] : this.#counts)
  }

  #countThere(name: string): number {
    return this.#countsThere.get(name) ?? 0
  }

  /** Whether the same was met by then, if in smaller number. */
  #isAsThere(): boolean {
    if (this.#counts.size > mostCounts || this.#state() !== this.#stateThere) return false
    return [...this.#counts].every(([name, count]) => {
      const there = this.#countThere(name)
      return count === there || (count > there && there > 0)
    })
  }

  /** What was said since the place, if the same came before that. */
  #unit(text: string, place: number, at: number): string {
    const length = at - place
    if (length === 0 || length > longestUnit || place < sight || !this.#isAsThere()) return ''
    return text.slice(place - sight, place) === text.slice(at - sight, at) ? text.slice(place, at) : ''
  }
}

/** How much of a text from `from` on is a unit over and over, of which so much was read before. */
export function lengthOfLoop(text: string, from: number, unit: string, read: number): number {
  let at = from
  while (at < text.length && text.charCodeAt(at) === unit.charCodeAt((at - from + read) % unit.length)) at++
  return at - from
}
