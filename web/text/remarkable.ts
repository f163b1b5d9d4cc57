import type { NoteKind } from '../../src/protocol/note.ts'

/** Notes that tell figures, which stand elsewhere, of every exchange with tools: what is always there is no news. */
const figures: ReadonlySet<NoteKind> = new Set<NoteKind>(['usage_split'])

export function isRemarkable(kind: NoteKind): boolean {
  return !figures.has(kind)
}
