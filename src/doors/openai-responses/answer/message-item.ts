import type { Json, JsonObject } from '../../../protocol/json.ts'
import type { OpenItem, Slot } from './slot.ts'
import { type DeltaFrame, frameOf } from './wire.ts'

/** What a model says, as an item in the making. */
export interface MessageItem extends OpenItem {
  say(text: string): void
  refuse(text: string): void
  addLogprobs(logprobs: readonly Json[]): void
}

interface OpenPart {
  readonly kind: 'output_text' | 'refusal'
  readonly frame: DeltaFrame
  text: string
}

export function openMessage({ id, index, wire }: Slot): MessageItem {
  const content: JsonObject[] = []
  let part: OpenPart | undefined
  let logprobs: readonly Json[] = []
  const item = (status: string): JsonObject => ({
    id,
    type: 'message',
    status,
    role: 'assistant',
    content: [...content],
  })
  const place = (): JsonObject => ({ item_id: id, output_index: index, content_index: content.length })
  wire.event('response.output_item.added', { output_index: index, item: item('in_progress') })

  function openPart(kind: OpenPart['kind']): OpenPart {
    wire.event('response.content_part.added', { ...place(), part: printPart(kind, '', []) })
    const frame =
      kind === 'refusal'
        ? frameOf('response.refusal.delta', place())
        : frameOf('response.output_text.delta', place(), ',"logprobs":[]')
    return { kind, frame, text: '' }
  }

  function closePart(): void {
    if (part === undefined) return
    const { kind, text } = part
    const printed = printPart(kind, text, logprobs)
    if (kind === 'refusal') wire.event('response.refusal.done', { ...place(), refusal: text })
    else wire.event('response.output_text.done', { ...place(), text, logprobs })
    wire.event('response.content_part.done', { ...place(), part: printed })
    content.push(printed)
    part = undefined
    logprobs = []
  }

  function put(kind: OpenPart['kind'], text: string): void {
    if (part?.kind !== kind) closePart()
    part ??= openPart(kind)
    part.text += text
    wire.delta(part.frame, text)
  }

  return {
    say: (text) => put('output_text', text),
    refuse: (text) => put('refusal', text),
    addLogprobs(more) {
      logprobs = [...logprobs, ...more]
    },
    close(status) {
      closePart()
      const closed = item(status)
      wire.event('response.output_item.done', { output_index: index, item: closed })
      return closed
    },
  }
}

function printPart(kind: OpenPart['kind'], text: string, logprobs: readonly Json[]): JsonObject {
  return kind === 'refusal' ? { type: kind, refusal: text } : { type: kind, annotations: [], logprobs, text }
}
