import type { NoteKind } from '../../protocol/note.ts'
import { coerceJson, type LiteralReader } from '../../schema/coerce.ts'
import { Kind, type Node } from '../../schema/node.ts'
import { Pieces } from './pieces.ts'
import type { Source } from './source.ts'

/** Where a reader writes the strict JSON it made of what it read, and what it says about the making. */
export interface Pen {
  write(json: string): void
  note(kind: NoteKind, detail?: string): void
  /** What makes JSON of other literals in strings. */
  readonly literal?: LiteralReader | undefined
  /** Where another call begins in a text; -1 where none does. */
  readonly callIn?: ((text: string) => number) | undefined
  /** Where a value ends that can leave as it is; -1 for any other. It only saves reading: `bench/sweep.ts` shows how much. */
  readonly endOfPlain?: ((text: string, from: number, node: Node, isOver: boolean) => number) | undefined
}

/** How much is read before it is looked at again. */
const step = 64

/**
 * Watches over a string with quotes in it that should have been escaped: it may have taken in the call that the model began
 * instead. What is read since the string began must be kept.
 */
export class Watch {
  readonly #source: Source
  readonly #pen: Pen
  readonly #from: number
  #seen: number
  #call: number | undefined

  constructor(source: Source, pen: Pen) {
    this.#source = source
    this.#pen = pen
    this.#from = source.position
    this.#seen = source.position
  }

  /** Whether a call begins in what was read so far. With `isLast`, all of that is looked at. */
  finds(isLast = false): boolean {
    const { position } = this.#source
    if (this.#call === undefined && (isLast || position - this.#seen >= step)) {
      // A mark may lie across what was looked at before.
      const start = Math.max(this.#from, this.#seen - step)
      const at = this.#pen.callIn?.(this.#source.since(start)) ?? -1
      this.#seen = position
      if (at >= 0) this.#call = start + at
    }
    return this.#call !== undefined
  }

  /** There the reading goes on. */
  goBack(): void {
    this.#source.goTo(this.#call ?? this.#from)
  }
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
