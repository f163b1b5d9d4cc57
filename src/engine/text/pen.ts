import type { NoteKind } from '../../protocol/note.ts'
import { coerceJson, type LiteralReader } from '../../schema/coerce.ts'
import { Kind, type Node } from '../../schema/node.ts'
import { Pieces } from './pieces.ts'

/** Where a reader writes the strict JSON it made of what it read, and what it says about the making. */
export interface Pen {
  write(json: string): void
  note(kind: NoteKind, detail?: string): void
  /** What makes JSON of other literals in strings. */
  readonly literal?: LiteralReader | undefined
}

/** For what is read only to get past it. */
export const nowhere: Pen = { write: ignore, note: ignore }

export function ignore(): void {
  // What comes here is not wanted.
}

/**
 * Writes a string: as it comes where one is wanted, else, once it is whole, in the type its place wants. `end` gives the quote
 * that is still to be written.
 */
export function writeString(
  node: Node,
  pen: Pen,
): { readonly write: (json: string) => void; readonly end: () => string } {
  if (!node.declared || (node.types & Kind.string) !== 0) {
    pen.write('"')
    return { write: pen.write, end: () => '"' }
  }
  const held = new Pieces()
  const end = (): string => {
    writeCoerced(node, `"${held}"`, pen)
    return ''
  }
  return { write: (json) => held.push(json), end }
}

/** Writes a complete value in the type its place wants. */
export function writeCoerced(node: Node, json: string, pen: Pen): void {
  const coerced = coerceJson(node, json, pen.literal)
  if (coerced.changed !== undefined) pen.note('coerced', coerced.changed)
  pen.write(coerced.json)
}
