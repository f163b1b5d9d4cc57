import type { NoteKind } from '../../protocol/note.ts'
import { coerceJson, type LiteralReader } from '../../schema/coerce.ts'
import { Kind, type Node } from '../../schema/node.ts'
import { Pieces } from './pieces.ts'
import type { Source, Step } from './source.ts'

/** Where a reader writes the strict JSON it made of what it read, and what it says about the making. */
export interface Pen {
  write(json: string): void
  note(kind: NoteKind, detail?: string): void
  /** What makes JSON of other literals in strings. */
  readonly literal?: LiteralReader | undefined
  readonly glances?: Glances | undefined
}

/** What tells at a glance where strings end. It only saves looking: `bench/sweep.ts` shows how much. */
export interface Glances {
  /** Whether the quote that stands next ends a string; asks `look` where one has to. */
  ends(source: Source, quoted: Quoted, write: (json: string) => void, look: () => Step<boolean>): Step<boolean>
  /** Where the last of a row of items ends that are strings; 0 where more text will tell, -1 where there is none. */
  endOfItems(source: Source, list: Place & { count: number }): number
}

/** A string being read. */
export interface Quoted {
  /** What it stands in. */
  readonly place: Place | undefined
  /** What ends all of that. */
  readonly closers: readonly string[]
  /** How many quotes in it should have been escaped. */
  inner: number
}

export interface Place {
  readonly array: boolean
  readonly node: Node
  /** A string in it has quotes the model forgot to escape. */
  readonly isDamaged: boolean
}

/** For what is read only to get past it. */
export const nowhere: Pen = { write: ignore, note: ignore }

export function ignore(): void {
  // What comes here is not wanted.
}

/** Writes a string: as it comes where one is wanted, else, once it is whole, in the type its place wants. */
export function writeString(
  node: Node,
  pen: Pen,
): { readonly write: (json: string) => void; readonly end: () => void } {
  if (!node.declared || (node.types & Kind.string) !== 0) {
    pen.write('"')
    return { write: pen.write, end: () => pen.write('"') }
  }
  const held = new Pieces()
  return { write: (json) => held.push(json), end: () => writeCoerced(node, `"${held}"`, pen) }
}

/** Writes a complete value in the type its place wants. */
export function writeCoerced(node: Node, json: string, pen: Pen): void {
  const coerced = coerceJson(node, json, pen.literal)
  if (coerced.changed !== undefined) pen.note('coerced', coerced.changed)
  pen.write(coerced.json)
}
