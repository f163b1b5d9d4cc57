import type { Dialect } from '../src/dialects/dialect.ts'
import { dialects } from '../src/dialects/registry.ts'
import { printCalls } from '../src/engine/print.ts'
import { createReader, type Reader } from '../src/engine/reader.ts'
import type { Event } from '../src/protocol/event.ts'
import type { Tool } from '../src/protocol/tool.ts'
import { cut, leastOfEach, report } from './measure.ts'

const kilobyte = 1024
const lengths = [kilobyte, 64 * kilobyte, 512 * kilobyte, 1024 * kilobyte] as const
const rounds = 5
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

/** One string argument in 4-character pieces, in every dialect, at every length; then prose with all dialects armed. */
export function benchReader(names: readonly string[]): boolean {
  const chosen = names.length === 0 ? dialects : dialects.filter(({ name }) => names.includes(name))
  const bound = perPiece(
    lengths.map((length) => textOf(chosen[0] as Dialect, length)),
    scan,
  )
  console.log(`\nreading one string argument in ${pieceLength}-character pieces, a delta made of each; ns a piece`)
  console.log(
    `${'dialect'.padEnd(24)}    1 kB   64 kB  512 kB    1 MB   1 MB/64 kB   work 1 MB/512 kB   time 1 MB/512 kB`,
  )
  console.log(line('(hold-back scan alone)', bound, 1024 * kilobyte, 512 * kilobyte))
  const results = chosen.map((dialect) => benchDialect(dialect))

  const text = filled(prose, 1024 * kilobyte)
  const [plain = 0] = perPiece([text], (pieces) => read(chosen[0] as Dialect, pieces, count))
  const worst = <T>(pick: (result: Result) => T, compare: (value: T) => number) =>
    results.reduce((a, b) => (compare(pick(a)) >= compare(pick(b)) ? a : b))
  const slowest = worst(({ times }) => Math.max(...times), Number)
  const steepest = worst(({ growth }) => growth, Number)
  const busiest = worst(({ work }) => work, Number)
  const doubling = worst(({ doubled }) => doubled, Number)
  if (said === 0) throw new Error('Nothing was read.')
  console.log()
  return [
    report(`slowest dialect at its slowest length (${slowest.name})`, Math.max(...slowest.times), 400, 'ns/piece'),
    report(`time of 1 MB against 64 kB (${steepest.name})`, steepest.growth, 18, '×'),
    report(`work of 1 MB against 512 kB (${busiest.name})`, busiest.work, 2.2, '×'),
    report(`time of 1 MB against 512 kB (${doubling.name})`, doubling.doubled, 2.2, '×'),
    report(`plain text, all ${dialects.length} dialects armed`, plain, 60, 'ns/piece'),
  ].every(Boolean)
}

interface Result {
  readonly name: string
  readonly times: readonly number[]
  readonly growth: number
  readonly work: number
  readonly doubled: number
}

function benchDialect(dialect: Dialect): Result {
  const texts = lengths.map((length) => textOf(dialect, length))
  const times = perPiece(texts, (pieces) => read(dialect, pieces, emit))
  const [halfWork = 1, wholeWork = 1] = texts.slice(2).map((text) => read(dialect, cut(text, pieceLength), count).work)
  const total = times.map((time, index) => time * (texts[index]?.length ?? 0))
  const [, small = 1, half = 1, whole = 1] = total
  console.log(line(dialect.name, times, wholeWork, halfWork))
  return { name: dialect.name, times, growth: whole / small, work: wholeWork / halfWork, doubled: whole / half }
}

function line(title: string, times: readonly number[], wholeWork: number, halfWork: number): string {
  const [, small = 1, half = 1, whole = 1] = times
  const cells = times.map((time) => time.toFixed(0).padStart(8)).join('')
  const ratios = [(whole / small) * 16, wholeWork / halfWork, (whole / half) * 2].map((ratio) => ratio.toFixed(2))
  return `${title.padEnd(24)}${cells}${(ratios[0] ?? '').padStart(13)}${(ratios[1] ?? '').padStart(19)}${(ratios[2] ?? '').padStart(19)}`
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

let said = 0

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
