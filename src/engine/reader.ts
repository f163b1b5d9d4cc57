import { createLeanReader, type Reader, type ReaderOptions } from './lean-reader.ts'
import * as parts from './parts.ts'

export type { Reader, ReaderOptions }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader(parts, options)
}
