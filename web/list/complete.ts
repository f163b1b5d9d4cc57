import type { Summary } from '../../src/traces/exchange.ts'
import { fieldValues, filterFields } from './filter.ts'

/** Of more than these one rather types on. */
const most = 20

/**
 * What a search may be completed to: fields while a word is typed, and what this field has in the exchanges once its
 * colon stands. Each is the whole search, with its last word complete.
 */
export function completionsOf(query: string, summaries: readonly Summary[]): readonly string[] {
  const isQuoted = query.split('"').length % 2 === 0
  if (isQuoted) return []
  const [, before = '', word = ''] = /^((?:.*\s)?-?)(\S*)$/s.exec(query) ?? []
  const [, field, typed = ''] = /^(\w+):(.*)$/s.exec(word) ?? []
  const found = field === undefined ? fieldsLike(word) : valuesLike(field, typed.toLowerCase(), summaries)
  return found.slice(0, most).map((text) => before + text)
}

function fieldsLike(word: string): readonly string[] {
  return filterFields.filter((field) => field.startsWith(word)).map((field) => `${field}:`)
}

/** The commonest first. */
function valuesLike(field: string, typed: string, summaries: readonly Summary[]): readonly string[] {
  const values = summaries.flatMap((summary) => fieldValues(field, summary))
  return [...Map.groupBy(values, (value) => value)]
    .filter(([value]) => value.toLowerCase().startsWith(typed) && value.toLowerCase() !== typed)
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([value]) => `${field}:${/\s/.test(value) ? `"${value}"` : value}`)
}
