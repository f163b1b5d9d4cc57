import { whySentences } from '../../../src/protocol/trace/sentences.ts'
import type { Span, Why } from '../../../src/protocol/trace/span.ts'
import type { Attempt, Segment } from '../../../src/traces/exchange.ts'
import type { Mark } from '../../text/runs.ts'

/** Which call it is, over all answers of an exchange. */
export function callKey(choice: number, index: number): number {
  return choice * 10_000 + index
}

/** Why something that looks like a call is none, in two words. */
const refusals: Readonly<Partial<Record<Why, string>>> = {
  'cut-off': '≠ cut off',
  echo: '≠ repeated',
  example: '≠ example',
  'no-arguments': '≠ no arguments',
  'no-call': '≠ only a mark',
  'no-tool': '≠ no such tool',
  quoted: '≠ quoted',
  thought: '≠ only thought',
  'too-many': '≠ too many',
  unreadable: '≠ unreadable',
}

const spanLooks: Readonly<Record<Span['kind'], { readonly kind: Mark['kind']; readonly label: string } | undefined>> = {
  text: undefined,
  reasoning: { kind: 'thought', label: 'thought' },
  call: { kind: 'call', label: 'call' },
  'broken-call': { kind: 'broken', label: '✕ broken call' },
  dropped: { kind: 'dropped', label: '✂ left out' },
}

/** What became of each part of an answer. Mere white space is not worth a mark. */
export function marksOfSpans(text: string, spans: readonly Span[], choice = 0): readonly Mark[] {
  return spans.flatMap(({ kind, from, to, index, why }) => {
    const words = why === undefined ? undefined : whySentences[why]
    if (text.slice(from, to).trim() === '') return []
    if (kind === 'text') {
      if (why === undefined) return []
      return [{ from, to, kind: 'refused' as const, label: refusals[why] ?? '≠ not a call', why: words }]
    }
    const look = spanLooks[kind]
    if (look === undefined) return []
    const isCall = look.kind === 'call' && index !== undefined
    return [
      {
        from,
        to,
        kind: look.kind,
        label: isCall ? `call ${index + 1}` : look.label,
        // Marks that only frame something explain themselves.
        why: why === 'edge' ? undefined : words,
        ...(isCall && { call: callKey(choice, index) }),
      },
    ]
  })
}

const segmentLooks: Readonly<Record<Segment['kind'], { readonly label: string; readonly words: string }>> = {
  taught: { label: '▒ tools taught', words: 'Dragoman wrote this: the tools, and how to call them.' },
  history: { label: '▒ history', words: 'An earlier call or result, told in the words of the dialect.' },
  neutralised: {
    label: '▒ neutralised',
    words: 'This looks like a mark of a dialect, so an invisible joiner keeps anybody from reading it as one.',
  },
  added: { label: '▒ added', words: 'Dragoman added this to what the client wrote.' },
}

export function marksOfSegments(segments: readonly Segment[]): readonly Mark[] {
  return segments.map(({ kind, from, to }) => ({
    from,
    to,
    kind: 'changed' as const,
    label: segmentLooks[kind].label,
    why: kind === 'neutralised' ? segmentLooks[kind].words : undefined,
  }))
}

export function segmentWords(kind: Segment['kind']): string {
  return segmentLooks[kind].words
}

/** Where the pieces of the text end. Only where all that came was text can that be told. */
export function cutsOf({ said }: Attempt): readonly number[] | undefined {
  if (said.thoughts !== '' || said.calls.length > 0) return undefined
  let at = 0
  return said.pieces.map(([, length]) => (at += length))
}
