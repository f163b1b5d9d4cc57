import { env } from 'node:process'
import fc from 'fast-check'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { legend } from './marks.ts'

/**
 * `npm test` takes few samples of each law, so that it stays short however many dialects there are; CI takes two hundred,
 * `npm test -- laws` a thousand. `DRAGOMAN_LAW_RUNS=100000` is the deep mode; a failure prints its seed, `DRAGOMAN_LAW_SEED` repeats it.
 */
export const runs = Number(env['DRAGOMAN_LAW_RUNS'] ?? 50)
const usual = 1000
const seed = Number(env['DRAGOMAN_LAW_SEED'] ?? (runs > usual ? Date.now() % 2 ** 31 : 20_260_823))
const pools = new Map<fc.Arbitrary<unknown>, readonly unknown[]>()

/** Enough for a slow machine; a law that hangs is a law that is broken. */
export const timeout = 30_000 + runs * 20

/**
 * Checks a law over many samples. Making samples costs more than reading them, so up to the usual number they are made
 * once for all dialects; a sample that fails is then found again, and made as small as possible, by fast-check itself.
 * A law with few kinds of samples needs a `share` of the runs only.
 */
export function check<T>(
  dialect: Dialect | undefined,
  samples: fc.Arbitrary<T>,
  holds: (sample: T) => void,
  share = 1,
): void {
  const settings = { seed, numRuns: Math.ceil(runs * share) }
  const isPooled = runs <= usual
  const broken = isPooled ? poolOf(samples, settings).find((sample) => !passes(holds, sample)) : undefined
  if (isPooled && broken === undefined) return
  const details = fc.check(fc.property(samples, holds), settings)
  if (details.failed) {
    const report = fc.defaultReportMessage(details) ?? ''
    const meaning = dialect === undefined ? '' : legend(report, dialect)
    throw new Error(`${report}\n${meaning}`, { cause: details.errorInstance })
  }
  // Something is remembered from one sample to the next.
  if (isPooled) throw new Error(`broken once, and not again: ${fc.stringify(broken)}`)
}

function poolOf<T>(samples: fc.Arbitrary<T>, settings: { seed: number; numRuns: number }): readonly T[] {
  const pool = (pools.get(samples) ?? fc.sample(samples, settings)) as readonly T[]
  pools.set(samples, pool)
  return pool
}

function passes<T>(holds: (sample: T) => void, sample: T): boolean {
  try {
    holds(sample)
    return true
  } catch {
    return false
  }
}
