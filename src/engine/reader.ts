import type { ReaderOptions } from './context.ts'
import * as haste from './haste.ts'
import { createLeanReader, type Reader } from './lean-reader.ts'
import * as parts from './parts.ts'

export type { Reader, ReaderOptions }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader({ ...parts, ...haste }, options)
}
