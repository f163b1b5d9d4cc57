import type { Frame } from '../dialects/dialect.ts'
import { peek, type Source, type Step, stands } from './source.ts'

const maxHeader = 256

/** What a message's header says it is. */
export type Header = CallHeader | { readonly kind: 'thought' | 'text' }

/** Where it is not sure, it is a call only of a tool that was declared. */
export type CallHeader = { readonly kind: 'call'; readonly name: string | undefined; readonly isSure: boolean }

/** Reads a header up to and with the mark that ends it; undefined when what stands here is none. */
export function* readHeader(source: Source, frame: Frame): Step<Header | undefined> {
  let header = ''
  for (;;) {
    const code = yield* peek(source)
    if (code === -1 || header.length > maxHeader) return undefined
    for (const mark of frame.body) {
      if (!(yield* stands(source, mark))) continue
      source.at += mark.length
      return classify(frame, header + mark)
    }
    header += source.text.charAt(source.at)
    source.at++
  }
}

export function classify(frame: Frame, header: string): Header | undefined {
  const sure = frame.call.exec(header)
  const call = sure ?? frame.knownCall?.exec(header)
  if (call) return { kind: 'call', name: call[1], isSure: sure !== null }
  if (frame.thought.test(header)) return { kind: 'thought' }
  return frame.text.test(header) ? { kind: 'text' } : undefined
}
