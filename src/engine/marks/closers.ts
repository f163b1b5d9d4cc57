import type { Dialect, Grammar } from '../../dialects/dialect.ts'
import { literalsOf, printTemplate } from './template.ts'

/** The marks that end a call's arguments whatever their own state. */
export function closersOf({ grammar }: Dialect, name: string): readonly string[] {
  const { call } = grammar
  const key = call.close.some((close) => close.includes('{')) ? name : ''
  const byName = closers.get(grammar) ?? new Map<string, readonly string[]>()
  closers.set(grammar, byName)
  const known = byName.get(key)
  if (known !== undefined) return known
  const own = call.close.flatMap((close) => literalsOf(printTemplate(close, { name })))
  const literals = [...new Set([...own, ...outerClosersOf(grammar)])]
  if (byName.size >= maxNames) byName.clear()
  byName.set(key, literals)
  return literals
}

/** What closes all that stands around a call. */
export function outerClosersOf({ section, frame }: Grammar): readonly string[] {
  return [...(section?.close ?? []), ...(frame?.close ?? [])].flatMap(literalsOf)
}

/** Those that were asked for, by the tool's name where that is part of them. */
const closers = new WeakMap<Grammar, Map<string, readonly string[]>>()
const maxNames = 512
