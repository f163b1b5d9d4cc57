import type { UpstreamEvent } from '../../upstream.ts'

/** What a string in the frame of an event is: words, a thought, or more of a call's arguments. */
export type Hole =
  | { readonly type: 'text' }
  | { readonly type: 'reasoning' }
  | { readonly type: 'call'; readonly index: number | undefined }

/** The string of an event that is nothing but a piece of something longer; empty for any other. */
export function textOfPiece(event: UpstreamEvent): string {
  if (event.type === 'text' || event.type === 'reasoning') return event.text
  return event.type === 'call' ? (event.json ?? '') : ''
}

/** What kind of piece an event is that holds this string and nothing else. */
export function toHole(event: UpstreamEvent, value: string): Hole | undefined {
  if (textOfPiece(event) !== value) return undefined
  if (event.type === 'text' || event.type === 'reasoning') return { type: event.type }
  if (event.type !== 'call' || event.id !== undefined || event.name !== undefined || event.metadata !== undefined)
    return undefined
  return { type: 'call', index: event.index }
}

export function toPiece(hole: Hole, text: string): UpstreamEvent {
  if (hole.type !== 'call') return { type: hole.type, text }
  return hole.index === undefined ? { type: 'call', json: text } : { type: 'call', index: hole.index, json: text }
}
