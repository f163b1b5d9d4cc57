import type { UpstreamEvent } from '../../../upstreams/upstream.ts'

/**
 * What one read says, with neighbouring pieces of one text, one thought or one call's arguments as one: how a text is cut
 * means nothing, and what is done with an event is done once (`bench/gateway`: streams at full speed).
 */
export function joinPieces(said: readonly UpstreamEvent[]): readonly UpstreamEvent[] {
  if (said.length < 2) return said
  const joined: UpstreamEvent[] = []
  for (let at = 0; at < said.length; ) {
    const event = said[at] as UpstreamEvent
    const end = endOfRun(said, at)
    joined.push(end === at + 1 ? event : join(event, said, at, end))
    at = end
  }
  return joined
}

function endOfRun(said: readonly UpstreamEvent[], start: number): number {
  const first = said[start]
  let end = start + 1
  if (first === undefined || !isPiece(first)) return end
  for (; end < said.length; end++) {
    const next = said[end]
    if (next === undefined || next.type !== first.type || !isPiece(next)) break
    if (next.type === 'call' && (first.type !== 'call' || next.index !== first.index)) break
  }
  return end
}

function isPiece(event: UpstreamEvent): boolean {
  if (event.type === 'text' || event.type === 'reasoning') return true
  // Without its place a piece may be a call of its own, and one that begins an object may say all again.
  if (event.type !== 'call' || event.index === undefined || event.json?.startsWith('{') === true) return false
  return event.id === undefined && event.name === undefined && event.metadata === undefined
}

function join(first: UpstreamEvent, said: readonly UpstreamEvent[], start: number, end: number): UpstreamEvent {
  let text = ''
  for (let at = start; at < end; at++) {
    const event = said[at]
    if (event?.type === 'text' || event?.type === 'reasoning') text += event.text
    else if (event?.type === 'call') text += event.json ?? ''
  }
  if (first.type === 'text' || first.type === 'reasoning') return { type: first.type, text }
  if (first.type === 'call') return { ...first, json: text }
  return first
}

/** Whether the model says it, and not the service about it. */
export function isSpoken({ type }: UpstreamEvent): boolean {
  return type === 'text' || type === 'refusal' || type === 'reasoning' || type === 'call'
}

export function isBlank(event: UpstreamEvent): boolean {
  return 'text' in event && !/\S/.test(event.text)
}
