import { type HostileText, hostileTexts, listeners } from '../test/laws/hostile.ts'
import { lost, performAll } from './crew.ts'
import { report } from './measure.ts'
import type { Finding, Task } from './sweeping.ts'

const kilobyte = 1024
const read = 64 * kilobyte
const whole = 1024 * kilobyte
/** What a text may cost: against prose, when it doubles, in one push of 64 kB, alive in memory for each of its bytes. */
const bar = { ratio: 12, growth: 2.2, pushMs: 50, heap: 8 }

/** Megabytes a process may take before it dies: no text of one megabyte has any business there. */
const mostHeap = 1024

type Stage = Omit<Task, 'dialect' | 'recipe' | 'size'> & {
  readonly sizes: readonly number[]
  readonly budgetMs: number
  /** Processes at once: more than one only where figures are compared with each other, not with the bar. */
  readonly workers: number
}

/**
 * There are too many texts to read all of them at length: all are glanced at, some of each kind looked at, the worst of those
 * timed. What copies all that lies ahead shows only in long pieces, so these are looked at on their own. Memory goes the same
 * way: lifted, then weighed.
 */
const glance = stage([1, whole], [1, 4], { rounds: 3, quick: true, limitMs: 60, budgetMs: 100_000, workers: 2 })
const look = stage([1, 4], [1, 4, 16, 32], { rounds: 2, quick: true, limitMs: 100, budgetMs: 30_000, workers: 2 })
const lookFar = stage([whole], [1, 4, 16, 64, 256], {
  rounds: 2,
  quick: true,
  limitMs: 300,
  budgetMs: 35_000,
  workers: 2,
})
const timing = stage([1, 4, read, whole], [1, 4, 16, 64, 128, 256, 512, 1024], {
  rounds: 3,
  limitMs: 2000,
  budgetMs: 75_000,
  workers: 1,
})
const lift = stage([1, read], [4, 64], { rounds: 1, limitMs: 500, budgetMs: 22_000, workers: 2, heap: true })
const weighing = stage([1, 4, read], [4, 64, 256, 1024], {
  rounds: 1,
  limitMs: 2000,
  budgetMs: 22_000,
  workers: 1,
  heap: true,
})

function stage(sizes: readonly number[], kilobytes: readonly number[], rest: Omit<Stage, 'sizes' | 'lengths'>): Stage {
  return { sizes, lengths: kilobytes.map((length) => length * kilobyte), ...rest }
}

/** A text in pieces of one size, as far as it was read. */
interface Row extends Finding {
  readonly text: HostileText
  readonly size: number
}

/** Every hostile text for every dialect, against the bar; `keep` is told all that was measured. */
export async function benchSweep(names: readonly string[], keep: (findings: object) => void): Promise<boolean> {
  const texts = listeners
    .filter((name) => names.length === 0 || names.includes(name))
    .flatMap((name) => [...hostileTexts(name)])
  console.log(`\nsweeping ${texts.length} hostile texts; the worst of them, CPU ms by length`)
  const glanced = await pass(glance, shuffle(texts))
  const doubtful = worstOf(glanced, forecast, 800, 3)
  const looked = [...(await pass(look, doubtful)), ...(await pass(lookFar, doubtful))]
  const timed = await pass(timing, worstOf(looked, forecast, 40, 3))
  // What takes too long to be weighed has failed already.
  const bearable = glanced.filter((row) => forecast(row) < 100 * bar.ratio)
  const lifted = await pass(lift, worstOf(bearable, forecast, 500, 3))
  const weighed = await pass(weighing, worstOf(lifted, heapOf, 10, 2))
  printTimes(worstPieces(timed, forecast))
  printHeap(worstPieces(weighed, heapOf))
  keep({ bar, glanced, looked, timed, lifted, weighed })
  return judge(timed, weighed)
}

async function pass(stage: Stage, texts: readonly HostileText[]): Promise<readonly Row[]> {
  const { sizes, budgetMs, workers, ...how } = stage
  const readings = texts.flatMap((text) => sizes.map((size) => ({ text, size })))
  const tasks = readings.map(({ text: { dialect, recipe }, size }): Task => ({ dialect, recipe, size, ...how }))
  const findings = await performAll(tasks, budgetMs, workers, [`--max-old-space-size=${mostHeap}`, '--expose-gc'])
  const rows = readings.flatMap((reading, n) => (findings[n] === undefined ? [] : [{ ...reading, ...findings[n] }]))
  if (rows.length < tasks.length) console.log(`(time is up: ${rows.length} of ${tasks.length} were read)`)
  return rows
}

/** In an order in which the first half is as good as any: time may be up before the last. */
function shuffle<T>(list: readonly T[]): readonly T[] {
  const places = list.map((item, n) => ({ item, place: (n * 7919) % list.length }))
  return places.toSorted((a, b) => a.place - b.place).map(({ item }) => item)
}

/** The texts with the worst rows, and of each kind only the first few. */
function worstOf(
  rows: readonly Row[],
  badness: (row: Row) => number,
  count: number,
  perKind: number,
): readonly HostileText[] {
  const taken = new Map<string, number>()
  const worst = new Set<HostileText>()
  for (const { text } of rows.toSorted((a, b) => badness(b) - badness(a))) {
    const kin = taken.get(text.kind) ?? 0
    if (worst.has(text) || kin >= perKind) continue
    taken.set(text.kind, kin + 1)
    worst.add(text)
    if (worst.size === count) break
  }
  return [...worst]
}

/** Every text in the pieces that are worst for it, the worst first. */
function worstPieces(rows: readonly Row[], badness: (row: Row) => number): readonly Row[] {
  const sorted = rows.toSorted((a, b) => badness(b) - badness(a))
  return sorted.filter((row, n) => sorted.findIndex(({ text }) => text === row.text) === n)
}

/** How often a megabyte would cost what prose costs, if time goes on to grow as it did. */
function forecast({ samples, size }: Row): number {
  const last = samples.at(-1)
  if (last === undefined) return Number.POSITIVE_INFINITY
  const before = samples.at(-2) ?? { length: 0, cpuMs: 0 }
  const perChar = last.cpuMs / last.length
  const perCharBefore = before.length === 0 ? 0 : before.cpuMs / before.length
  const bend = Math.max(0, perChar - perCharBefore) / (last.length - before.length)
  // Prose of a few kilobytes is read in less than can be measured.
  const prose = Math.max(last.proseMs / last.length, leastProse(size))
  return (perChar + bend * (whole - last.length)) / prose
}

/** Milliseconds a character of prose takes at least. */
function leastProse(size: number): number {
  return size === 1 ? 20e-6 : size === 4 ? 6e-6 : 1.5e-6
}

function ratioOf({ samples }: Row): number {
  const last = samples.at(-1)
  return last === undefined ? Number.POSITIVE_INFINITY : last.cpuMs / last.proseMs
}

/** For each doubling, over the last two. */
function growthOf({ samples }: Row): number {
  const [before, last] = [samples.at(-3) ?? samples.at(-2), samples.at(-1)]
  if (before === undefined || last === undefined) return Number.POSITIVE_INFINITY
  return (last.cpuMs / before.cpuMs) ** (1 / Math.log2(last.length / before.length))
}

function longestOf({ size, samples }: Row): number {
  return size === read ? (samples.at(-1)?.longestMs ?? 0) : 0
}

/** Of a short text one sees only what the process itself came to hold meanwhile. */
function heapOf({ samples, failure }: Row): number {
  if (failure === lost) return Number.POSITIVE_INFINITY
  return Math.max(0, ...samples.map(({ length, heap = 0 }) => (length < read ? 0 : heap)))
}

function printTimes(rows: readonly Row[]): void {
  const heads = timing.lengths.map((length) => `${length / kilobyte} kB`.padStart(8)).join('')
  console.log(`\n × prose  growth  push ms${heads}   pieces of`)
  for (const row of rows) {
    const cells = timing.lengths.map((_, n) => figure(row.samples[n]?.cpuMs, 8, 1)).join('')
    const longest = row.size === read ? longestOf(row) : undefined
    const figures = `${figure(ratioOf(row), 8, 1)}${figure(growthOf(row), 8, 2)}${figure(longest, 9, 1)}`
    console.log(`${figures}${cells}   ${labelOf(row)}`)
  }
}

function printHeap(rows: readonly Row[]): void {
  console.log('\n   heap   of kB   pieces of')
  for (const row of rows)
    console.log(
      `${figure(heapOf(row), 7, 1)}${figure((row.samples.at(-1)?.length ?? 0) / kilobyte, 8, 0)}   ${labelOf(row)}`,
    )
}

function figure(value: number | undefined, width: number, digits: number): string {
  return (value === undefined ? '–' : Number.isFinite(value) ? value.toFixed(digits) : 'lost').padStart(width)
}

function labelOf({ size, text }: Row): string {
  const pieces = size === whole ? 'all' : size === read ? '64 kB' : String(size)
  const { name } = text
  return `${pieces.padEnd(7)}${text.dialect.padEnd(20)}${name.length > 90 ? `${name.slice(0, 50)} … ${name.slice(-36)}` : name}`
}

function judge(timed: readonly Row[], weighed: readonly Row[]): boolean {
  const worst = (rows: readonly Row[], measure: (row: Row) => number, what: string, target: number, unit: string) => {
    const row = rows.reduce<Row | undefined>((a, b) => (a !== undefined && measure(a) >= measure(b) ? a : b), undefined)
    return report(`${what} (${row?.text.dialect})`, row === undefined ? 0 : measure(row), target, unit)
  }
  const finished = timed.filter(({ failure }) => failure === undefined)
  console.log()
  return [
    report(`of ${timed.length} readings of 1 MB not over in 2 s`, timed.length - finished.length, 0, ''),
    ...timing.sizes.map((size) =>
      worst(
        timed.filter((row) => row.size === size),
        ratioOf,
        `1 MB against prose, pieces of ${size}`,
        bar.ratio,
        '×',
      ),
    ),
    worst(timed, growthOf, 'twice the text', bar.growth, '×'),
    worst(timed, longestOf, 'longest push of 64 kB', bar.pushMs, 'ms'),
    worst(weighed, heapOf, 'alive in memory for each byte', bar.heap, 'bytes'),
  ].every(Boolean)
}
