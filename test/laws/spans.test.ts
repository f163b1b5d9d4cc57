import { deepEqual, equal, ok } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import type { Event } from '../../src/protocol/event.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Span } from '../../src/protocol/trace/span.ts'
import { Trace } from '../../src/protocol/trace/trace.ts'
import { babble, someTools } from './arbitraries.ts'
import { check, timeout } from './check.ts'
import { cut, type Ending, listen } from './hear.ts'
import { localise } from './marks.ts'

/** Laws about the trace, for every dialect: it says of every character what became of it, and says it truly. */
describe.each(dialects)('$name', { timeout }, (dialect) => {
  test('spans lie side by side, hold what the events say, and do not depend on the cutting', () => {
    check(dialect, babble, ({ text, sizes }) => {
      const said = localise(text, dialect)
      const how = sizes.length > 3 ? 'length' : 'stop'
      const { spans, events } = trace(dialect, [said], how)
      deepEqual(trace(dialect, cut(said, sizes), how).spans, spans)
      deepEqual(fold(events), fold(listen(dialect, someTools, [said], { how }).flat()))
      equal(
        spans.reduce((at, span) => {
          equal(span.from, at)
          ok(span.to > span.from)
          return span.to
        }, 0),
        said.length,
      )
      const words = (...kinds: readonly Span['kind'][]): string =>
        squeeze(spans.flatMap(({ kind, from, to }) => (kinds.includes(kind) ? [said.slice(from, to)] : [])).join(''))
      const { content, reasoning } = fold(events)
      deepEqual([words('text', 'broken-call'), words('reasoning')], [squeeze(content), squeeze(reasoning)])
      deepEqual(
        [...new Set(spans.flatMap(({ kind, index }) => (kind === 'call' ? [index] : [])))],
        events.flatMap((event) => (event.type === 'call-end' ? [event.index] : [])),
      )
    })
  })
})

function trace(
  dialect: Dialect,
  pieces: readonly string[],
  how: Ending,
): { readonly spans: readonly Span[]; readonly events: readonly Event[] } {
  const told = new Trace()
  const events = listen(dialect, someTools, pieces, { how, trace: told }).flat()
  return { spans: told.spans(), events }
}

/** White space next to calls and thoughts may be in any span. */
function squeeze(text: string): string {
  return text.replace(/\s/g, '')
}
