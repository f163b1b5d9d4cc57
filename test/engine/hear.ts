import { deepEqual } from 'node:assert/strict'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { createReader, type Reader, type ReaderOptions } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import { tools } from '../goldens/read.ts'

interface Heard {
  readonly text: string
  readonly reasoning: string
  /** Name and arguments, to the letter. */
  readonly calls: readonly string[]
  /** Kind and detail. */
  readonly notes: readonly string[]
  /** Why calls were given up. */
  readonly failures: readonly string[]
  readonly finish: string | undefined
}

interface Hearing extends Partial<ReaderOptions> {
  readonly ends?: Parameters<Reader['end']>[0]
}

/** What a reader with the goldens' tools makes of an answer, whole and one character at a time, which must be the same. */
export function hear(dialect: string, text: string, hearing: Hearing = {}): Heard {
  const whole = hearPieces(dialect, [text], hearing)
  deepEqual(hearPieces(dialect, [...text], hearing), whole)
  return whole
}

function hearPieces(name: string, pieces: readonly string[], { ends = 'stop', ...options }: Hearing): Heard {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  const reader = createReader({ dialect, others: dialects, tools, newId: () => 'id', ...options })
  const events = [...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end(ends)]
  const { content, reasoning, calls, notes, finish } = fold(events)
  return {
    text: content,
    reasoning,
    calls: calls.map((call) => `${call.name} ${call.arguments}`),
    notes: notes.map(({ kind, detail }) => (detail === undefined ? kind : `${kind} ${detail}`)),
    failures: events.flatMap((event) => (event.type === 'call-error' ? [event.reason] : [])),
    finish,
  }
}
