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
  /** How often each was opened: closing tags by their names, other marks as they are. */
  readonly opened = new Map<string, number>()
  /** False: the answer has opened too much that it never closed. */
  readonly counts: boolean
  readonly #own: string

  /** `own`: the name of tags that say nothing. */
  constructor(counts: boolean, own: string) {
    this.counts = counts
    this.#own = own
  }

  opens(mark: string): void {
    if (this.counts) this.#add(nameOf(mark), 1)
  }

  /** Any tag of this name. */
  opensTag(name: string): void {
    if (this.counts && name !== this.#own) this.#add(name, 1)
  }

  #add(name: string, count: number): void {
    this.opened.set(name, (this.opened.get(name) ?? 0) + count)
  }

  /** Whether this closes what the value itself opened. */
  closes(mark: string): boolean {
    const isOpen = this.isInside([mark])
    if (isOpen) this.#add(nameOf(mark), -1)
    return isOpen
  }

  /** Whether one of these marks was opened and not closed. */
  isInside(marks: Iterable<string>): boolean {
    for (const mark of marks) if ((this.opened.get(nameOf(mark)) ?? 0) > 0) return true
    return false
  }
}

function nameOf(mark: string): string {
  return mark.startsWith('</') && mark.endsWith('>') ? mark.slice(2, -1) : mark
}
