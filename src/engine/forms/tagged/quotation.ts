import type { Dialect } from '../../../dialects/dialect.ts'
import { literalsOf, printTemplate } from '../../marks/template.ts'

/** The marks of a dialect that come in pairs: what closes, and what opens it. */
export type Pairs = ReadonlyMap<string, readonly string[]>

/** The pairs around a call of this tool: as it is printed, and in the other spellings where these come in pairs, too. */
export function pairsOf({ grammar }: Dialect, slots: Readonly<Record<string, string>>): Pairs {
  const pairs = new Map<string, string[]>()
  for (const { open, close } of [grammar.call, ...(grammar.section === undefined ? [] : [grammar.section])]) {
    const spellings = open.length === close.length ? open.length : 1
    for (let i = 0; i < spellings; i++) {
      const closers = literalsOf(printTemplate(close[i] ?? '', slots))
      const openers = openersOf(open[i] ?? '', slots)
        .slice(0, closers.length)
        .toReversed()
      for (const [depth, closer] of closers.entries()) {
        const opener = openers[depth] ?? ''
        if (opener.length > 2) pairs.set(closer, [...(pairs.get(closer) ?? []), opener])
      }
    }
  }
  return pairs
}

/** The literals of an opener; with the name in it only where nothing else tells it from any tag. */
function openersOf(template: string, slots: Readonly<Record<string, string>>): readonly string[] {
  const [first = '', ...rest] = literalsOf(template)
  if (first.length <= 2) return literalsOf(printTemplate(template, slots))
  return [first, ...rest.filter((literal) => /^[<\]]/.test(literal))]
}

/**
 * What a value quotes, counted: a call of its own dialect that it shows has the same marks as the one it is in. A mark that
 * closes something the value opened is part of the value.
 */
export class Quotation {
  readonly #open = new Map<string, number>()
  readonly #counts: boolean

  constructor(counts: boolean) {
    this.#counts = counts
  }

  opens(mark: string): void {
    if (this.#counts) this.#open.set(mark, (this.#open.get(mark) ?? 0) + 1)
  }

  /** Whether this closes what the value itself opened. */
  closes(mark: string): boolean {
    const count = this.#open.get(mark) ?? 0
    if (count > 0) this.#open.set(mark, count - 1)
    return count > 0
  }

  /** Whether one of these marks was opened and not closed. */
  isInside(marks: Iterable<string>): boolean {
    for (const mark of marks) if ((this.#open.get(mark) ?? 0) > 0) return true
    return false
  }
}
