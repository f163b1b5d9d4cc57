import type { Dialect } from '../src/dialects/dialect.ts'
import { dialects, findDialect } from '../src/dialects/registry.ts'
import { printCalls } from '../src/engine/print.ts'
import { createReader, type Reader } from '../src/engine/reader.ts'
import type { Event } from '../src/protocol/event.ts'
import type { Tool } from '../src/protocol/tool.ts'
import { cut, leastOfEach } from './measure.ts'

/** What one process of the reader's bench found out. */
export interface Read {
  readonly name: string
  /** Nanoseconds a piece, by length. */
  readonly times: readonly number[]
  /** Time of the longest text against that of 64 kB. */
  readonly growth: number
  /** Characters looked at, and time: the longest text against the one half as long. */
  readonly work: number
  readonly doubled: number
}

const kilobyte = 1024
const lengths = [kilobyte, 64 * kilobyte, 512 * kilobyte, 1024 * kilobyte] as const
const rounds = 9
/** Rounds before the first that counts: a gateway runs for days. */
const warmUps = 4
/** Characters read in a round, at least. */
const roundLength = 1024 * kilobyte
const pieceLength = 4
const code =
  'const total = items.reduce((sum, item) => sum + item.price * 2, 0)\n  return { total, "count": items.length }\n'
const prose =
  'The lamp in the den is on now, at level three; say so if it should be brighter (or off).\nAnything else?\n\n'
const write: Tool = {
  kind: 'function',
  name: 'write',
  parameters: { type: 'object', properties: { content: { type: 'string' } } },
}
const first = dialects[0] as Dialect
let said = 0

/** node bench/reading.ts scan | dialect NAME | prose: prints what was found as JSON. */
const [what, name = ''] = process.argv.slice(2)
console.log(JSON.stringify(run()))
if (said === 0) throw new Error('Nothing was read.')

function run(): Read {
  if (what === 'dialect') return readDialect(findDialect(name) as Dialect)
  if (what === 'prose') return readProse()
  const texts = lengths.map((length) => textOf(first, length))
  return toRead('(hold-back scan alone)', texts, perPiece(texts, scan), 2)
}

function readDialect(dialect: Dialect): Read {
  const texts = lengths.map((length) => textOf(dialect, length))
  const times = perPiece(texts, (pieces) => read(dialect, pieces, emit))
  const [half = 1, whole = 1] = texts.slice(2).map((text) => read(dialect, cut(text, pieceLength), count).work)
  return toRead(dialect.name, texts, times, whole / half)
}

function readProse(): Read {
  const text = filled(prose, 1024 * kilobyte)
  return toRead(
    'prose',
    [text],
    perPiece([text], (pieces) => read(first, pieces, count)),
    2,
  )
}

function toRead(title: string, texts: readonly string[], times: readonly number[], work: number): Read {
  const [, small = 1, half = 1, whole = 1] = times.map((time, index) => time * (texts[index]?.length ?? 0))
  return { name: title, times, growth: whole / small, work, doubled: whole / half }
}

function textOf(dialect: Dialect, length: number): string {
  const json = JSON.stringify({ content: filled(code, length) })
  return printCalls(dialect, [{ id: 'call_1', name: 'write', arguments: json }], [write])
}

function filled(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length)).slice(0, length)
}

/** Nanoseconds a piece for each of the texts. */
function perPiece(texts: readonly string[], run: (pieces: readonly string[]) => void): readonly number[] {
  const jobs = texts.map((text) => {
    const pieces = cut(text, pieceLength)
    return { pieces, repeats: Math.ceil(roundLength / text.length) }
  })
  const runs = jobs.map(({ pieces, repeats }) => () => {
    for (let i = 0; i < repeats; i++) run(pieces)
  })
  for (let i = 0; i < warmUps; i++) runs[0]?.()
  return leastOfEach(rounds, runs).map((time, index) => {
    const { pieces, repeats } = jobs[index] as (typeof jobs)[number]
    return time / repeats / pieces.length
  })
}

function read(dialect: Dialect, pieces: readonly string[], sink: (event: Event) => void): Reader {
  const reader = createReader({ dialect, others: dialects, tools: [write], newId: () => 'call_1' })
  for (const piece of pieces) for (const event of reader.push(piece)) sink(event)
  for (const event of reader.end('stop')) sink(event)
  return reader
}

function count(event: Event): void {
  said += event.type.length
}

/** What a door does with an event, at its cheapest: a fixed frame around the one literal that changes. */
function emit(event: Event): void {
  if (event.type === 'call-delta') said += emitDelta(event.json).length
}

function emitDelta(json: string): string {
  return `data: {"id":"chatcmpl-1","object":"chat.completion.chunk","created":1,"model":"m","choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":${JSON.stringify(json)}}}]},"finish_reason":null}]}\n\n`
}

/** The least a reader can do: look for the closer, hold back what could become it, pass the rest on. */
function scan(pieces: readonly string[]): void {
  const closer = '</tool_call>'
  let held = ''
  for (const piece of pieces) {
    const text = held + piece
    let keep = Math.min(text.length, closer.length - 1)
    while (keep > 0 && !closer.startsWith(text.slice(text.length - keep))) keep--
    held = text.slice(text.length - keep)
    if (keep < text.length) said += emitDelta(text.slice(0, text.length - keep)).length
  }
}
