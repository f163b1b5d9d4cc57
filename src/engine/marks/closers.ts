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
