import { z } from 'zod'
import { choice, duration, size, strict, text, toBytes, toMilliseconds, truth, wholeNumber } from './values/fields.ts'

const stores = ['memory', 'sqlite', 'off'] as const
const bodiesWords = 'auto, true or false'
const words = 'memory, sqlite or off, or an object with store and its limits'

/** `traces` in the file: where exchanges are kept, or that with limits. */
export function createTracesSchema() {
  return z
    .union(
      [
        strict({
          store: choice(stores)
            .default('memory')
            .describe('`memory` forgets when the gateway stops, `sqlite` keeps a file, `off` records nothing.'),
          entries: wholeNumber(1, 10_000_000)
            .optional()
            .describe('The most exchanges to keep. Default: 2000 in memory, 100000 in a file.'),
          bytes: size.optional().describe('The most room they may take. Default: 64mb in memory, 1gb in a file.'),
          retention: duration
            .optional()
            .describe('How long to keep them. Default: 7d in a file, in memory until there is no more room.'),
          bodies: z
            .union([truth, z.string()], { error: bodiesWords })
            .refine((value) => typeof value === 'boolean' || value === 'auto', { error: bodiesWords })
            .default('auto')
            .describe(
              'Whether to record what was said, and not only that it was. `auto`: only while the gateway listens on this machine alone.',
            ),
          file: text('the path of a file')
            .optional()
            .describe('For `sqlite`: the file. Default: `traces.db` in your state folder.'),
        }),
        choice(stores, words),
      ],
      { error: words },
    )
    .default('memory')
    .describe(
      'What the inspector shows: the last exchanges, recorded with what was said in them. A new store needs a restart.',
    )
}

export type TracesFile = z.output<ReturnType<typeof createTracesSchema>>

export interface TraceSettings {
  readonly store: (typeof stores)[number]
  readonly entries: number
  readonly bytes: number
  readonly retentionMs?: number | undefined
  readonly bodies: boolean
  readonly file: string
}

interface Reading {
  /** Only people at this machine reach the gateway. */
  readonly isLocal: boolean
  /** Where a file for what is kept is: the one that is named, or the usual one. */
  stateFile(named: string | undefined): string
}

const defaults = {
  memory: { entries: 2000, bytes: '64mb', retention: undefined },
  sqlite: { entries: 100_000, bytes: '1gb', retention: '7d' },
  off: { entries: 0, bytes: 0, retention: undefined },
} as const

export function toTraceSettings(file: TracesFile, { isLocal, stateFile }: Reading): TraceSettings {
  const given = typeof file === 'string' ? { store: file, bodies: 'auto' as const } : file
  const { store, entries, bytes, retention, bodies, file: path } = { ...emptyLimits, ...given }
  const usual = defaults[store]
  const kept = retention ?? usual.retention
  return {
    store,
    entries: entries ?? usual.entries,
    bytes: toBytes(bytes ?? usual.bytes),
    ...(kept !== undefined && { retentionMs: toMilliseconds(kept) }),
    bodies: typeof bodies === 'boolean' ? bodies : isLocal,
    file: store === 'sqlite' ? stateFile(path) : '',
  }
}

const emptyLimits = { entries: undefined, bytes: undefined, retention: undefined, file: undefined }
