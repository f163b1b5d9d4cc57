import { allForms } from './forms/all.ts'
import { createLeanReader, type Reader, type ReaderOptions } from './lean-reader.ts'

export type { Reader, ReaderOptions }

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader(allForms, options)
}
