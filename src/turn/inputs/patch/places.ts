import type { Hunk } from './patch.ts'

/** The lines a place of a file must have for this hunk. */
export function oldLines({ lines }: Hunk): readonly string[] {
  return lines.flatMap(({ sign, text }) => (sign === '+' ? [] : [text]))
}

/** How lines are compared: to the letter, or without the white space around them, as programs that apply patches do at last. */
export type Likeness = (line: string) => string
export const exactly: Likeness = (line) => line
export const trimmed: Likeness = (line) => line.trim()

/** Below the last of the lines a hunk's `@@` name; undefined where one is not there. */
export function belowAnchors({ anchors }: Hunk, file: readonly string[], from: number): number | undefined {
  let at = from
  for (const { text } of anchors) {
    const place = file.findIndex((line, index) => index >= at && line.trim() === text)
    if (place === -1) return undefined
    at = place + 1
  }
  return at
}

/** Where in a file a hunk fits, from a line on. */
export function placesOf(hunk: Hunk, file: readonly string[], from: number, like: Likeness): readonly number[] {
  const old = oldLines(hunk).map(like)
  const lines = file.map(like)
  const places: number[] = []
  for (let at = from; at + old.length <= lines.length; at++) {
    if (old.every((line, index) => lines[at + index] === line)) places.push(at)
  }
  return places
}
