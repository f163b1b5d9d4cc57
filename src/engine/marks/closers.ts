import type { Dialect, Grammar } from '../../dialects/dialect.ts'
import { literalsOf, openerOf, printTemplate } from './template.ts'

/** The marks that end a call's arguments whatever their own state. */
export function closersOf({ grammar }: Dialect, name: string): readonly string[] {
  const { call } = grammar
  const key = call.close.some((close) => close.includes('{')) ? name : ''
  const known = lastClosers.get(grammar)
  if (known?.key === key) return known.literals
  const own = call.close.flatMap((close) => literalsOf(printTemplate(close, { name })))
  const literals = [...new Set([...own, ...outerClosersOf(grammar)])]
  lastClosers.set(grammar, { key, literals })
  return literals
}

/** What opens a call, or what stands around one. A single character says nothing. */
export function callOpenersOf({ grammar: { section, call, frame } }: Dialect): readonly string[] {
  const openers = [...(section?.open ?? []), ...call.open].map(openerOf)
  return [...openers, ...(frame?.open ?? [])].filter((opener) => opener.length > 1)
}

/** What closes all that stands around a call. */
export function outerClosersOf({ section, frame }: Grammar): readonly string[] {
  return [...(section?.close ?? []), ...(frame?.close ?? [])].flatMap(literalsOf)
}

/** Those that were asked for last: most answers call one tool, or the marks are the same for all. */
const lastClosers = new WeakMap<Grammar, { readonly key: string; readonly literals: readonly string[] }>()

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
