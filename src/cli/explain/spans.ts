import type { Reader } from '../../engine/reader.ts'
import type { Trace } from '../../protocol/trace/trace.ts'

type Event = ReturnType<Reader['push']>[number]

/** One push: what went in, what came out, and what had gone in by then without anything having come of it. */
export interface Step {
  readonly given: string
  readonly events: readonly Event[]
  readonly held: string
}

/** Feeds a reader piece by piece; the last step is the end of the answer. Without a trace `held` is empty. */
export function toSteps(
  reader: Reader,
  pieces: Iterable<string>,
  ending: Parameters<Reader['end']>[0],
  trace?: Trace,
): readonly Step[] {
  const steps: Step[] = []
  let said = ''
  let isOpen = false
  for (const given of pieces) {
    const events = reader.push(given)
    said += given
    const last = events.findLast(({ type }) => type.startsWith('call-'))
    if (last !== undefined) isOpen = last.type === 'call-start' || last.type === 'call-delta'
    const held = isOpen || reader.done || trace === undefined ? '' : said.slice(trace.settled)
    steps.push({ given, events, held })
  }
  return [...steps, { given: '', events: reader.end(ending), held: '' }]
}
