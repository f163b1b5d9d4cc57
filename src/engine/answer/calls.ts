import { type Context, formOf, part } from '../context.ts'
import type { Entry, Way } from '../marks/entries.ts'
import type { Step } from '../text/source.ts'

/** Reads the calls that an entry's mark announced. */
export function readCalls(context: Context, entry: Entry, start: number): Step<boolean> {
  context.trust = entry.trust
  return entry.at === 'call' ? readCall(context, entry, start) : part(context.forms[entry.at])(context, entry, start)
}

/** Reads one call after its opener. */
export function readCall(context: Context, way: Way, start: number): Step<boolean> {
  return part(context.forms[formOf(way.dialect.grammar)])(context, way, start)
}
