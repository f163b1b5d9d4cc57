import { Loop } from './answer/loops.ts'
import type { ReaderOptions } from './context.ts'
import { endOfItems, ends } from './forms/json/glances.ts'
import { createLeanReader, type Reader } from './lean-reader.ts'
import * as parts from './parts.ts'

export type { Reader, ReaderOptions }

/** What a reader can do without, because it would find it out: makes it fast with loops and damaged texts. */
const haste = { glances: { endOfItems, ends }, loops: Loop }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader({ ...parts, ...haste }, options)
}
