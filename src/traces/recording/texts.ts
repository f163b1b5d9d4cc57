import type { Beat } from '../exchange.ts'

/** A text of which the beginning is kept; `length` is that of all of it. */
export interface KeptText {
  text: string
  length: number
}

export const isTruncated = ({ text, length }: KeptText): boolean => length > text.length

export function append(kept: KeptText, piece: string, most: number): void {
  const room = most - kept.text.length
  kept.length += piece.length
  if (room > 0) kept.text += piece.slice(0, room)
}

/** A whole body. Of bytes that are cut the length is told in bytes, which are about as many. */
export function toKept(body: string | Uint8Array, most: number): KeptText {
  if (typeof body === 'string') return { text: body.slice(0, most), length: body.length }
  // A character that the limit cuts in two is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = decoder.decode(body.subarray(0, most), { stream: true })
  return { text, length: body.length > most ? body.length : text.length }
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export function addBeat(beats: Beat[], ms: number, length: number): void {
  if (length === 0) return
  const last = beats.at(-1)
  if (last !== undefined && last[0] >= ms) beats[beats.length - 1] = [last[0], last[1] + length]
  else beats.push([ms, length])
  if (beats.length < mostBeats) return
  const halved = beats.flatMap(([at, own], nth) =>
    nth % 2 === 0 ? [[at, own + (beats[nth + 1]?.[1] ?? 0)] as const] : [],
  )
  beats.splice(0, beats.length, ...halved)
}
