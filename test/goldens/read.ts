import { readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { createReader, type ReaderOptions } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { type Expected, type Golden, readGoldens } from './golden.ts'

/** What every golden's model was offered. */
export const tools: readonly Tool[] = [
  {
    kind: 'function',
    name: 'set_lamp',
    parameters: {
      type: 'object',
      properties: {
        room: { type: 'string' },
        level: { type: 'integer' },
        on: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        scene: { type: 'object', properties: { name: { type: 'string' }, fade: { type: 'number' } } },
      },
      required: ['room'],
    },
  },
  { kind: 'function', name: 'ping', parameters: { type: 'object', properties: {} } },
  {
    kind: 'function',
    name: 'write_note',
    parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  },
]

/** The files by name: `hermes` holds what is to be said about that dialect. */
export const goldens: ReadonlyMap<string, readonly Golden[]> = new Map(
  readdirSync(import.meta.dirname)
    .filter((file) => file.endsWith('.golden'))
    .map((file) => [basename(file, '.golden'), readGoldens(join(import.meta.dirname, file))]),
)

/** Whole, and in pieces of so many characters. */
export const cuttings: readonly number[] = [Number.POSITIVE_INFINITY, 1, 2, 3, 5, 11, 23]

/** What the reader makes of a golden's text in pieces of this size. */
export function read({ dialect, given, said }: Golden, size: number): Expected {
  const reader = createReader({
    dialect: dialect === 'none' ? undefined : known(dialect),
    others: dialects,
    tools,
    unknownTools: given.unknownTools,
    parallel: given.parallel,
    startsIn: given.startsIn,
    quoted: given.request === undefined ? undefined : callsIn(given.request),
    newId: () => 'id',
  })
  const events = pieces(said, size).flatMap((piece) => [...reader.push(piece)])
  const { content, reasoning, calls, finish, notes } = fold([...events, ...reader.end(given.ends)])
  return {
    text: content,
    reasoning,
    calls: calls.map((call) => ({ name: call.name, arguments: JSON.parse(call.arguments) as unknown })),
    finish,
    notes: [...new Set(notes.map(({ kind }) => kind))],
  }
}

/** The calls that stand in a message of the request. */
function callsIn(request: string): ReaderOptions['quoted'] {
  const reader = createReader({ others: dialects, tools, newId: () => 'id' })
  const { calls } = fold([...reader.push(request), ...reader.end('stop')])
  return {
    mayHave: (name) => calls.some((call) => call.name === name),
    has: (name, json) =>
      calls.some((call) => call.name === name && isDeepStrictEqual(JSON.parse(call.arguments), JSON.parse(json))),
  }
}

function known(name: string) {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return dialect
}

function pieces(text: string, size: number): readonly string[] {
  const list: string[] = []
  for (let at = 0; at < text.length; at += size) list.push(text.slice(at, at + size))
  return list
}
