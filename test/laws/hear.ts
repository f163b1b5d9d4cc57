import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { createReader, type Reader, type ReaderOptions } from '../../src/engine/reader.ts'
import type { Event } from '../../src/protocol/event.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'

export type Ending = Parameters<Reader['end']>[0]
type More = Pick<ReaderOptions, 'quoted' | 'parallel' | 'startsIn' | 'trace'> & { readonly how?: Ending }

/** A reader as the gateway makes it: one dialect taught, or none, all others understood. */
export function createListener(dialect: Dialect | undefined, tools: readonly Tool[], more: More = {}): Reader {
  let ids = 0
  return createReader({ dialect, others: dialects, tools, ...more, newId: () => `id-${++ids}` })
}

/** The events of an answer, one list per push and one for its end. */
export function listen(
  dialect: Dialect | undefined,
  tools: readonly Tool[],
  pieces: readonly string[],
  more: More = {},
): readonly (readonly Event[])[] {
  const reader = createListener(dialect, tools, more)
  return [...pieces.map((piece) => [...reader.push(piece)]), reader.end(more.how ?? 'stop')]
}

export function hear(
  dialect: Dialect | undefined,
  tools: readonly Tool[],
  pieces: readonly string[],
  more: More = {},
): Answer {
  return fold(listen(dialect, tools, pieces, more).flat())
}

/** The text in pieces of these sizes, over and over. */
export function cut(text: string, sizes: readonly number[]): readonly string[] {
  const pieces: string[] = []
  for (let at = 0, turn = 0; at < text.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}

interface RawJson {
  readonly rawJSON: string
}
const exact = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): RawJson
}

/** JSON text without its layout: spacing and escapes evened out, order and digits kept. */
function canonical(json: string): string {
  return JSON.stringify(
    exact.parse(json, (_, value, { source }) => (typeof value === 'number' ? exact.rawJSON(source ?? '') : value)),
  )
}

/** Calls by name and arguments, to be compared. */
export function toPlain(calls: readonly { readonly name: string; readonly arguments: string }[]): readonly string[] {
  return calls.map(({ name, arguments: json }) => `${name} ${canonical(json)}`)
}
