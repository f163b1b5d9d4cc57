import type { Event, FinishReason, Usage } from '../../../protocol/event.ts'
import { isJsonObject, type Json, parseJson } from '../../../protocol/json.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { ToolNames } from '../names.ts'

/** What one line says. A call is JSON, whole. */
export type Piece =
  | { readonly kind: 'content' | 'thinking' | 'call'; readonly text: string }
  | { readonly kind: 'logprobs'; readonly items: readonly Json[] }

/** Follows an answer. Its calls are told when they are complete: here a call that is told is run. */
export interface Speech {
  hear(events: readonly Event[]): readonly Piece[]
  readonly finish: FinishReason | undefined
  readonly usage: Usage | undefined
}

interface OpenCall {
  readonly id: string
  readonly name: string
  json: string
}

export function createSpeech({ fromPlain }: Pick<ToolNames, 'fromPlain'>): Speech {
  let open: OpenCall | undefined
  let calls = 0

  function endCall({ id, name, json }: OpenCall): Piece {
    const written = json.trim() === '' ? '{}' : json
    // There is no call without an object here, and what cannot be one is at least not lost.
    if (!isJsonObject(parseJson(written))) return { kind: 'content', text: written }
    // As it was written, so that large numbers stay what they are; line ends in JSON are but white space.
    const called = `"name":${JSON.stringify(fromPlain(name))},"arguments":${written.replace(/[\r\n]+/g, ' ')}`
    return { kind: 'call', text: `{"id":${JSON.stringify(id)},"function":{"index":${calls++},${called}}}` }
  }

  function toPiece(event: Event): Piece | undefined {
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return { kind: 'content', text: event.text }
      case 'reasoning-delta':
        return { kind: 'thinking', text: event.text }
      case 'call-start':
        open = { id: event.id, name: event.name, json: '' }
        return undefined
      case 'call-delta':
        if (open !== undefined) open.json += event.json
        return undefined
      case 'call-end': {
        const ended = open
        open = undefined
        return ended && endCall(ended)
      }
      case 'call-error':
        open = undefined
        return { kind: 'content', text: event.raw }
      case 'logprobs':
        return { kind: 'logprobs', items: event.content }
      case 'usage':
        speech.usage = event
        return undefined
      case 'finish':
        speech.finish ??= event.reason
        return undefined
      default:
        return undefined
    }
  }

  const speech: Writable<Speech> = {
    finish: undefined,
    usage: undefined,
    hear(events) {
      const pieces: Piece[] = []
      for (const event of events) {
        const piece = toPiece(event)
        if (piece !== undefined) join(pieces, piece)
      }
      return pieces
    },
  }
  return speech
}

/** Words that arrived together leave together. */
function join(pieces: Piece[], piece: Piece): void {
  const last = pieces.at(-1)
  if (piece.kind === 'logprobs') {
    if (piece.items.length > 0) pieces.push(piece)
  } else if (piece.text === '') return
  else if (piece.kind !== 'call' && last?.kind === piece.kind) {
    pieces[pieces.length - 1] = { kind: piece.kind, text: last.text + piece.text }
  } else pieces.push(piece)
}
