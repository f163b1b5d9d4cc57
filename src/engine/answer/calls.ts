import type { Dialect } from '../../dialects/dialect.ts'
import { type Context, formOf, part } from '../context.ts'
import type { Entry } from '../marks/entries.ts'
import type { Token } from '../marks/template.ts'
import type { Step } from '../text/source.ts'

/**
 * Reads the calls a mark announced; the mark itself is already taken, and `start` is where it stood. False, or refuted,
 * when the first of them turns out to be no call. Ends where the calls end, even if their closers are missing.
 */
export function readCalls(context: Context, entry: Entry, start: number): Step<boolean> {
  context.trust = entry.trust
  if (entry.at === 'call') return readCall(context, entry.dialect, entry.tokens, start, entry.name)
  return part(context.forms[entry.at])(context, entry, start)
}

/** Reads one call after its opener, of which `tokens` are the rest; `named` where the name was read with it. */
export function readCall(
  context: Context,
  dialect: Dialect,
  tokens: readonly Token[],
  start: number,
  named?: string,
): Step<boolean> {
  return part(context.forms[formOf(dialect.grammar)])(context, dialect, tokens, start, named)
}
