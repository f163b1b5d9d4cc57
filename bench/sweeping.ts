import { createInterface } from 'node:readline'
import { createVictim, measureReading } from '../test/laws/effort.ts'
import { type HostileText, textOf } from '../test/laws/hostile.ts'

/** One text to be read in pieces of one size, at one length after the other. */
export interface Task extends Pick<HostileText, 'dialect' | 'recipe'> {
  /** Characters a piece. */
  readonly size: number
  readonly lengths: readonly number[]
  readonly rounds: number
  /** For a first look: prose is timed once for all, and a cheap text gets no second round. */
  readonly quick?: true
  /** Milliseconds one reading may take. */
  readonly limitMs: number
  /** Asks for the memory it takes instead of the time; needs `--expose-gc`. */
  readonly heap?: true
}

/** What it took at one length. */
export interface Sample {
  readonly length: number
  readonly cpuMs: number
  /** Plain prose of the same length, in the same pieces, read in turns with it. */
  readonly proseMs: number
  readonly work: number
  readonly longestMs: number
  /** Bytes that were alive at most, for each byte of the text. */
  readonly heap?: number
}

/** What came of a task. Fewer samples than lengths: the next would have taken, or took, more than the limit. */
export interface Finding {
  readonly samples: readonly Sample[]
  /** Why there are no more. */
  readonly failure?: string
}

const prose =
  'The lamp in the den is on now, at level three; say so if it should be brighter (or off).\nAnything else?\n\n'
/** The power of the length with which time is expected to grow: as it did, within reason. */
const powers = { least: 1.2, most: 2.2 }
const proseRounds = 5
/** A reading that takes longer is timed once. */
const longMs = 500
/** What costs less than so many times the prose is cheap. */
const cheap = 6
/** At this length, what costs so many times the prose need not be read any further. */
const told = 4096
const hopeless = 1000
/** Between two looks at the heap. */
const betweenLooks = { bytes: 64 * 1024, ms: 20 }
const proseTimes = new Map<string, number>()

/** node bench/sweeping.ts: takes a task a line, gives its finding a line. */
if (import.meta.main) {
  warmUp()
  for await (const line of createInterface({ input: process.stdin }))
    console.log(JSON.stringify(perform(JSON.parse(line) as Task)))
}

function perform(task: Task): Finding {
  const samples: Sample[] = []
  try {
    for (const length of task.lengths) {
      const text = textOf(task, length)
      const isHopeless = foresee(samples, length) > task.limitMs
      const sample = isHopeless ? undefined : task.heap === true ? weigh(task, text) : time(task, text)
      if (sample === undefined) return { samples, failure: `${length} characters take too long` }
      samples.push(sample)
      if (length >= told && sample.cpuMs > hopeless * sample.proseMs)
        return { samples, failure: `costs more than ${hopeless} times the prose` }
    }
  } catch (thrown) {
    return { samples, failure: String(thrown) }
  }
  return { samples }
}

/** How long the next length will take, by those before it. */
function foresee(samples: readonly Sample[], length: number): number {
  const [before, last] = [samples.at(-2), samples.at(-1)]
  if (last === undefined) return 0
  const seen =
    before === undefined ? powers.most : Math.log(last.cpuMs / before.cpuMs) / Math.log(last.length / before.length)
  return last.cpuMs * (length / last.length) ** Math.min(Math.max(seen, powers.least), powers.most)
}

/** The least time over several rounds, in turns with prose. */
function time({ dialect, size, rounds, limitMs, quick }: Task, text: string): Sample | undefined {
  const plain = filled(text.length)
  let cpuMs = Number.POSITIVE_INFINITY
  let proseMs = quick === true ? proseTime(dialect, plain, size) : Number.POSITIVE_INFINITY
  let work = 0
  let pushes: readonly number[] = []
  for (let round = 0; round < rounds; round++) {
    const effort = measureReading(dialect, text, size, limitMs)
    if (effort === undefined) return undefined
    cpuMs = Math.min(cpuMs, effort.cpuMs)
    work = effort.work
    pushes = effort.pushesMs.map((ms, index) => Math.min(ms, pushes[index] ?? ms))
    if (quick !== true) proseMs = Math.min(proseMs, readProse(dialect, plain, size))
    if (cpuMs > longMs || (quick === true && cpuMs < cheap * proseMs)) break
  }
  return { length: text.length, cpuMs, proseMs, work, longestMs: Math.max(0, ...pushes) }
}

function proseTime(dialect: string, plain: string, size: number): number {
  const key = `${dialect} ${plain.length} ${size}`
  let least = proseTimes.get(key)
  if (least === undefined) {
    least = Math.min(...Array.from({ length: proseRounds }, () => readProse(dialect, plain, size)))
    proseTimes.set(key, least)
  }
  return least
}

function readProse(dialect: string, plain: string, size: number): number {
  return measureReading(dialect, plain, size, Number.POSITIVE_INFINITY)?.cpuMs ?? 0
}

/**
 * What is alive while a text is read: looked at every 64 kB, and, since much may happen at the end, now and then when a call
 * begins. The pieces are made of bytes as those of a socket are: slices of the text would cost nothing here, and keep whole
 * reads alive there.
 */
function weigh({ dialect, size, limitMs }: Task, text: string): Sample | undefined {
  const encoding = /^[\0-\xff]*$/.test(text) ? 'latin1' : 'utf16le'
  const bytes = Buffer.from(text, encoding)
  const step = size * (encoding === 'latin1' ? 1 : 2)
  let most = 0
  let cpuMs = 0
  let start = performance.now()
  const look = (): void => {
    cpuMs += performance.now() - start
    most = Math.max(most, alive() - idle)
    start = performance.now()
  }
  const reader = createVictim(dialect, () => {
    if (performance.now() - start > betweenLooks.ms) look()
  })
  const idle = alive()
  start = performance.now()
  for (let block = 0; block < bytes.length && cpuMs < limitMs; block += betweenLooks.bytes) {
    const end = Math.min(bytes.length, block + betweenLooks.bytes)
    for (let at = block; at < end; at += step) reader.push(bytes.toString(encoding, at, Math.min(end, at + step)))
    look()
  }
  if (cpuMs >= limitMs) return undefined
  reader.end('stop')
  look()
  return { length: text.length, cpuMs, proseMs: cpuMs, work: reader.work, longestMs: 0, heap: most / bytes.length }
}

function alive(): number {
  globalThis.gc?.()
  const { heapUsed, external } = process.memoryUsage()
  return heapUsed + external
}

function filled(length: number): string {
  return prose.repeat(Math.ceil(length / prose.length)).slice(0, length)
}

/** A gateway runs for days: the first readings, before the code is compiled, say nothing. */
function warmUp(): void {
  for (let round = 0; round < 60; round++)
    for (const size of [1, 4, 1024]) for (const dialect of ['none', 'hermes']) readProse(dialect, filled(4096), size)
}
