import { Loop } from './answer/loops.ts'
import type { ReaderOptions } from './context.ts'
import { endOfPlain } from './forms/json/plain.ts'
import { createLeanReader, type Reader } from './lean-reader.ts'
import * as parts from './parts.ts'

export type { Reader, ReaderOptions }

/** What a reader can do without, because it would find it out: makes it fast with large pieces and loops. */
const haste = { endOfPlain, loops: Loop }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader({ ...parts, ...haste }, options)
}
