import type { Dialect } from '../dialects/dialect.ts'
import { createMemory, type Memory, toKey } from '../protocol/memory/memory.ts'
import type { Tool } from '../protocol/tool.ts'
import type { Reading } from './answer/quoted/texts.ts'
import type { KnownCount } from './answer/usage/tokens.ts'
import type { GuardedMarks } from './prompt/guard/guarded-marks.ts'
import type { Catalog } from './prompt/offer/catalog.ts'
import type { ListingStyle } from './prompt/teach/shorten.ts'

/**
 * What is made of the same tools and the same messages turn after turn, found again by what they say, for as long as the
 * settings last. `npm run bench -- prepare` shows what it saves.
 */
export interface TurnCache {
  /** The words that teach tools. */
  readonly taught: Memory<string>
  /** The marks that are broken where these tools are taught, and those of each dialect. */
  readonly guarded: Memory<GuardedMarks>
  /** Tools in fewer words. */
  readonly shortened: Memory<readonly Tool[]>
  /** Lists of tools to choose from. */
  readonly catalogs: Memory<Catalog>
  /** The texts of messages in which calls may be quoted. */
  readonly readings: Memory<readonly Reading[]>
  /** The tokens of texts. */
  readonly counts: Memory<KnownCount>
}

export function createTurnCache(): TurnCache {
  return {
    taught: createMemory({
      entries: 256,
      characters: 16_000_000,
      sizeOf: (words, tools) => words.length + tools.length,
    }),
    guarded: createMemory({ entries: 256, characters: 16_000_000 }),
    shortened: createMemory({ entries: 64, characters: 16_000_000 }),
    catalogs: createMemory({ entries: 64, characters: 16_000_000 }),
    readings: createMemory({
      entries: 4096,
      characters: 4_000_000,
      sizeOf: (readings, said) => readings.reduce((sum, { text }) => sum + text.length, said.length),
    }),
    counts: createMemory({ entries: 4096, characters: 4_000_000 }),
  }
}

/** Tools as a dialect teaches them. */
export function toolsKey(dialect: Dialect, tools: readonly Tool[], style: ListingStyle = 'full'): string {
  return toKey(dialect.name, style, JSON.stringify(tools))
}
