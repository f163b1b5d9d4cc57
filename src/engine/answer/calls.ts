import { type Context, formOf, part } from '../context.ts'
import type { Way } from '../marks/entries.ts'
import type { Step } from '../text/source.ts'

/** Reads one call after its opener. */
export function readCall(context: Context, way: Way, start: number): Step<boolean> {
  return part(context.forms[formOf(way.dialect.grammar)])(context, way, start)
}
