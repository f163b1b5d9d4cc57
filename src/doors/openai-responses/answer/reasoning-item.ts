import type { JsonObject } from '../../../protocol/json.ts'
import { type Sealed, seal } from '../kept/seal.ts'
import type { OpenItem, Slot } from './slot.ts'
import { type DeltaFrame, frameOf } from './wire.ts'

/** What a model thinks, as an item in the making. */
export interface ReasoningItem extends OpenItem {
  think(text: string): void
}

/** How thoughts are shown: as a summary, which is what clients show, and sealed, for those that bring them back. */
export interface ThoughtManner {
  readonly isShown: boolean
  readonly isSealed: boolean
}

export function openReasoning({ id, index, wire }: Slot, manner: ThoughtManner): ReasoningItem {
  const place = { item_id: id, output_index: index, summary_index: 0 }
  let frame: DeltaFrame | undefined
  let thoughts = ''
  wire.event('response.output_item.added', { output_index: index, item: { id, type: 'reasoning', summary: [] } })

  return {
    think(text) {
      thoughts += text
      if (!manner.isShown) return
      if (frame === undefined) {
        wire.event('response.reasoning_summary_part.added', { ...place, part: printPart('') })
        frame = frameOf('response.reasoning_summary_text.delta', place)
      }
      wire.delta(frame, text)
    },
    close() {
      if (frame !== undefined) {
        wire.event('response.reasoning_summary_text.done', { ...place, text: thoughts })
        wire.event('response.reasoning_summary_part.done', { ...place, part: printPart(thoughts) })
      }
      const item = {
        id,
        type: 'reasoning',
        summary: frame === undefined ? [] : [printPart(thoughts)],
        ...(manner.isSealed && { encrypted_content: seal({ thoughts }) }),
      }
      wire.event('response.output_item.done', { output_index: index, item })
      return item
    },
  }
}

/** What a service wants back with its answer, in the one item that clients bring back as it is. */
export function printMetadataItem({ id, index, wire }: Slot, kept: Omit<Sealed, 'thoughts'>): JsonObject {
  const item = { id, type: 'reasoning', summary: [] }
  wire.event('response.output_item.added', { output_index: index, item })
  const carried = { ...item, encrypted_content: seal({ thoughts: '', ...kept }) }
  wire.event('response.output_item.done', { output_index: index, item: carried })
  return carried
}

function printPart(text: string): JsonObject {
  return { type: 'summary_text', text }
}
