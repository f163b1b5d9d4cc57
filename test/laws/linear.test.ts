import { deepEqual, equal } from 'node:assert/strict'
import { describe, test } from 'vitest'
import { runs } from './check.ts'
import { type Effort, measureReading } from './effort.ts'
import { type HostileText, hostileTexts, listeners, textOf } from './hostile.ts'

const whole = Number.POSITIVE_INFINITY
const sizes = [1, 4, whole]
/**
 * Characters touched or copied for each character of a text, and how many more for twice the text. A header of two hundred
 * characters that arrives one by one is looked at from its start each time: that alone is two hundred.
 */
const mostWork = 256
const mostGrowth = 2.2
/** Time says less than work on a machine that does other things: for 16 times the text three times too much is too much. */
const mostTime = 48
const [shortLength, longLength] = [2048, 32_768]
const attempts = 4
/** What takes less than this cannot be timed. */
const leastMs = 1
/** A reading that takes longer is stopped, and has failed. */
const limitMs = 6000
const isDeep = runs > 1000
/** Of so many texts the tests read one, unless the laws are run by themselves. */
const stride = runs < 1000 ? 4 : 1
const few = (count: number): number => Math.ceil(count / stride)
const timeout = isDeep ? 900_000 : 60_000

/** A text in pieces of one size, and what it took when it was short. */
interface Reading {
  readonly text: HostileText
  readonly size: number
  /** For each character. */
  readonly work: number
  /** For each doubling. */
  readonly growth: number
  readonly cpuMs: number
}

/**
 * Every hostile text at lengths that take no time, each in pieces of one size, in the deep mode of all. Those that look
 * worst are read at greater length, where slow growth shows.
 */
describe.each(listeners)('to a reader who was taught %s', { timeout }, (dialect) => {
  const readings = once(() => readingsOf(dialect))

  test('no text is more work than its length allows', () => {
    const hard = readings().filter(({ work }) => work > mostWork)
    deepEqual(
      hard.map((reading) => `${nameOf(reading)}: ${reading.work.toFixed(1)} a character`),
      [],
    )
  })

  test('twice the text is at most twice the work', () => {
    const steep = readings().filter(({ growth }) => growth > mostGrowth)
    const suspects = [...worst(steep, ({ growth }) => growth, few(8)), ...worst(readings(), ({ work }) => work, few(4))]
    equal(firstFailing(suspects, steepness), undefined)
  })

  test('the slowest texts take time as their length does', () => {
    const slow = worst(readings(), ({ cpuMs }) => cpuMs, few(8))
    const suspects = worst(slow, (reading) => read(reading, 4096, reading.cpuMs * 40)?.cpuMs ?? whole, few(3))
    equal(firstFailing(suspects, slowness), undefined)
  })
})

function readingsOf(dialect: string): readonly Reading[] {
  const texts = [...hostileTexts(dialect)].filter((_, index) => index % stride === 0)
  return texts.flatMap((text, index) =>
    sizes
      .filter((_, place) => isDeep || place === index % sizes.length)
      .map((size) => {
        const [less, more] = [textOf(text, 256), textOf(text, 768)]
        const before = measureReading(dialect, less, size, limitMs)
        const after = measureReading(dialect, more, size, limitMs)
        const work = after?.work ?? whole
        // What is short may be read again once and still be cheap.
        const growth = work / Math.max(before?.work ?? 0, 2 * less.length)
        return {
          text,
          size,
          work: work / more.length,
          growth: growth ** (1 / Math.log2(more.length / less.length)),
          cpuMs: after?.cpuMs ?? whole,
        }
      }),
  )
}

/** Reads a text at another length, unless it can be foreseen that this takes too long. */
function read({ text, size }: Reading, length: number, foreseenMs = 0): Effort | undefined {
  return foreseenMs > limitMs ? undefined : measureReading(text.dialect, textOf(text, length), size, limitMs)
}

/** What is wrong with how a text's work grows. */
function steepness(reading: Reading): string | undefined {
  const before = read(reading, 8192)
  const after = before && read(reading, 16_384, before.cpuMs * 4)
  if (before === undefined || after === undefined) return '16384 characters take too long'
  // Up to four times the text may be read in vain, in one half and not in the other, and in small pieces what stands next is
  // asked anew with every piece of a mark; what takes more work than that, once: the longer one may end in the middle of a
  // mark, where the shorter does not.
  const cheap = 7 * 8192
  const onceMore = before.work > cheap ? 16_384 : 0
  const isSteep = after.work - onceMore > mostGrowth * Math.max(before.work, cheap)
  return isSteep ? `the work of 8192 characters is ${before.work}, of 16384 ${after.work}` : undefined
}

/** What is wrong with the time a text takes: by the least of several attempts, unless the first is good. */
function slowness(reading: Reading): string | undefined {
  let [beforeMs, afterMs] = [whole, whole]
  for (let attempt = 0; attempt < attempts; attempt++) {
    const before = read(reading, shortLength)
    const after = before && read(reading, longLength)
    if (before === undefined || after === undefined) return `${longLength} characters take too long`
    beforeMs = Math.min(beforeMs, before.cpuMs)
    afterMs = Math.min(afterMs, after.cpuMs)
    if (afterMs <= mostTime * Math.max(beforeMs, leastMs)) return undefined
  }
  return `${shortLength} characters take ${beforeMs} ms, ${longLength} take ${afterMs} ms`
}

function firstFailing(
  readings: readonly Reading[],
  judge: (reading: Reading) => string | undefined,
): string | undefined {
  for (const reading of readings) {
    const fault = judge(reading)
    if (fault !== undefined) return `${nameOf(reading)}: ${fault}`
  }
  return undefined
}

function worst(readings: readonly Reading[], badness: (reading: Reading) => number, count: number): readonly Reading[] {
  const scored = readings.map((reading) => ({ reading, score: badness(reading) }))
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, count)
    .map(({ reading }) => reading)
}

function nameOf({ text, size }: Reading): string {
  return `${text.name} in ${size === whole ? 'one piece' : `pieces of ${size}`}`
}

function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
