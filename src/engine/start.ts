import type { Dialect } from '../dialects/dialect.ts'
import { openerOf } from './template.ts'
import { think } from './vocabulary.ts'

/**
 * Where a whole answer begins. Some templates end the prompt inside a thought, so that the answer has its closer but not
 * its opener. A stream cannot wait for that; who has the whole text can look.
 */
export function startOf(text: string, dialect: Dialect | undefined): 'text' | 'reasoning' {
  const wrappers = [think, ...(dialect?.reasoning ?? [])]
  const first = (literals: readonly string[]): number =>
    Math.min(...literals.map((literal) => text.indexOf(literal)).map((at) => (at < 0 ? Infinity : at)))
  const close = first(wrappers.flatMap((wrapper) => wrapper.close))
  const isClosed = close < first(wrappers.flatMap((wrapper) => wrapper.open)) && text.charAt(close - 1) !== '`'
  return isClosed && !beginsWithCall(text.trimStart(), dialect) ? 'reasoning' : 'text'
}

function beginsWithCall(text: string, dialect: Dialect | undefined): boolean {
  if (dialect === undefined) return false
  const { section, call } = dialect.grammar
  const openers = [...(section?.open ?? []), ...call.open].map(openerOf)
  return openers.some((opener) => opener.length > 1 && text.startsWith(opener))
}
