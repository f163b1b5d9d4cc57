import type { Frame } from '../../dialects/dialect.ts'
import { peek, standsAny, takeAny, takeRun } from '../text/literals.ts'
import type { Source, Step } from '../text/source.ts'

const maxHeader = 256
const maxOpeners = 3

/** What a message's header says it is. */
export type Header = CallHeader | { readonly kind: 'thought' | 'text' }

/** Where it is not sure, it is a call only of a tool that was declared. */
export type CallHeader = { readonly kind: 'call'; readonly name: string | undefined; readonly isSure: boolean }

/** Reads a header up to and with the mark that ends it; undefined when what stands here is none. */
export function* readHeader(source: Source, frame: Frame): Step<Header | undefined> {
  const firsts = [...frame.body, ...frame.open].map((mark) => mark.charCodeAt(0))
  let openers = 0
  for (let header = ''; header.length <= maxHeader; ) {
    const run = yield* takeRun(source, maxHeader, (code) => firsts.includes(code))
    if (run === undefined || (yield* peek(source)) === -1) return undefined
    header += run
    const mark = yield* takeAny(source, frame.body)
    if (mark !== undefined) return classify(frame, header + mark)
    // A header may have been begun anew, but not over and over.
    if ((yield* standsAny(source, frame.open)) && ++openers > maxOpeners) return undefined
    header += source.text.charAt(source.at)
    source.at++
  }
  return undefined
}

export function classify(frame: Frame, header: string): Header | undefined {
  const sure = frame.call.exec(header)
  const call = sure ?? frame.knownCall?.exec(header)
  if (call) return { kind: 'call', name: call[1], isSure: sure !== null }
  if (frame.thought.test(header)) return { kind: 'thought' }
  return frame.text.test(header) ? { kind: 'text' } : undefined
}
