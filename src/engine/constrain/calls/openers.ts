import { type Dialect, hasFaintMarks, hasNameMarks } from '../../../dialects/dialect.ts'
import { allEntriesOf } from '../../marks/name-entries.ts'
import { frameOf, isBareJson, shellOf } from './calls.ts'

/** How much of another dialect's opener must not be said: all of them whole would be a large grammar. */
const foreignLength = 6

const namesAtOnce = 100

/** What must not stand in words, or it would be read as the beginning of a call. */
export function* openersIn(
  dialect: Dialect,
  names: readonly string[],
  others: readonly Dialect[],
): Generator<void, readonly string[]> {
  const forms = [dialect, ...(dialect.variants ?? []).map((grammar) => ({ ...dialect, grammar }))]
  const own = new Set<string>()
  for (const form of forms) {
    // Names that are marks have many spellings each.
    for (let at = 0; at === 0 || (hasNameMarks(form.grammar) && at < names.length); at += namesAtOnce) {
      for (const mark of firmMarks(form, names.slice(at, at + namesAtOnce))) own.add(telling(form, mark.trim()))
      yield
    }
  }
  const foreign = others
    .filter((other) => other !== dialect && !hasNameMarks(other.grammar))
    .flatMap((other) => foreignMarks(other, names))
  const written = isBareJson(dialect)
    ? names.flatMap((name) => namings(dialect, name))
    : names.map((name) => beginningOf(dialect, name))
  yield
  return cut([...own, ...written, ...foreign].filter(({ length }) => length > 1))
}

/** Marks of another dialect that are nothing else wherever they stand, as far as need be. */
function foreignMarks(other: Dialect, names: readonly string[]): readonly string[] {
  const isFaint = hasFaintMarks(other.grammar)
  return allEntriesOf(other, names, false).flatMap(([mark, { trust }]) => {
    if (trust !== 'firm') return []
    if (!/^[\w\s]/.test(mark)) return [[...mark].slice(0, isFaint ? undefined : foreignLength).join('')]
    // A word is a word, whatever another dialect makes of it, unless signs follow it that no sentence has.
    const whole = telling(other, mark)
    return /[^\w\s:]/.test(whole) ? [whole] : []
  })
}

/** A mark that is a word, with the signs that are printed after it. */
function telling(dialect: Dialect, mark: string): string {
  const { open } = frameOf(dialect)
  return /^\w+$/.test(mark) && open.startsWith(mark) ? open : mark
}

/** How bare JSON names a tool, in the two ways it is mostly spaced. */
function namings({ grammar }: Dialect, name: string): readonly string[] {
  const spec = grammar.arguments
  if (spec.as !== 'envelope') return []
  const written = JSON.stringify(name)
  if (spec.keyed === true) return [`{${written}:`]
  const key = JSON.stringify(spec.nameKey)
  return [`${key}: ${written}`, `${key}:${written}`]
}

/** More characters than this, told apart one by one, make a grammar large. */
const mostCharacters = 800
const shortestCut = 5

/** Where there are many, what they begin with is enough: a few more words cannot be said. */
function cut(openers: readonly string[]): readonly string[] {
  const known = new Set<string>()
  const longest = Math.max(...openers.map((text) => text.length), 0)
  for (let length = 1; length <= longest; length++) {
    for (const text of openers) if (text.length >= length) known.add(text.slice(0, length))
    if (known.size > mostCharacters) {
      const kept = Math.max(length - 1, shortestCut)
      return openers.map((text) => [...text].slice(0, kept).join(''))
    }
  }
  return openers
}

/** Marks that open calls wherever they stand. */
function firmMarks(dialect: Dialect, names: readonly string[]): readonly string[] {
  return allEntriesOf(dialect, names, false).flatMap(([literal, { trust, at }]) =>
    (trust === 'firm' || trust === 'line' || hasNameMarks(dialect.grammar)) && at !== 'name' ? [literal] : [],
  )
}

/** What a printed call begins with, up to and with what tells it from anything else. */
function beginningOf(dialect: Dialect, name: string): string {
  const { before } = shellOf(dialect, name)
  const first = before.kind === 'sequence' ? before.parts[0] : before
  const text = frameOf(dialect).open + (first?.kind === 'literal' ? first.text : '')
  const line = hasNameMarks(dialect.grammar) && text.startsWith(name) ? `\n${text}` : text
  return line.trimEnd()
}

/** Whether calls are seen only where a line begins. */
export function needsLine({ grammar }: Dialect): boolean {
  return hasFaintMarks(grammar)
}
