import { createLeanReader, type Reader } from './lean-reader.ts'
import type { ReaderOptions } from './options.ts'
import * as parts from './parts.ts'

export type { Reader, ReaderOptions }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader(parts, options)
}
