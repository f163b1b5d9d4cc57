import { Loop } from './answer/loops.ts'
import type { Forms } from './context.ts'
import { endOfPlain } from './forms/json/plain.ts'
import { createLeanReader, type Reader } from './lean-reader.ts'
import type { ReaderOptions } from './options.ts'
import * as parts from './parts.ts'
import { Repetition } from './text/repeated.ts'

export type { Reader, ReaderOptions }

/** What a reader can do without, because it would find it out: makes it fast with large pieces and loops. */
const haste: Forms = {
  endOfPlain,
  loops: Loop,
  repetition: (source, circumstances) => new Repetition(source, circumstances),
}

/** A reader of any dialect. */
export function createReader(options: ReaderOptions): Reader {
  return createLeanReader({ ...parts, ...haste }, options)
}
