import { createRandom } from './random.ts'
import type { Target } from './targets.ts'

export interface Find {
  readonly target: string
  readonly seed: number
  /** As small as it could be made. */
  readonly input: string
  readonly error: string
}

/** One input may take this long; a reader that hangs is a reader that is broken. */
const slowMs = 1000

/** Feeds inputs to a target until one breaks it. Every input has a seed of its own. */
export async function hunt(
  target: Target,
  runs: number,
  firstSeed: number,
  onSeed: (seed: number) => void = () => undefined,
): Promise<Find | undefined> {
  for (let seed = firstSeed; seed < firstSeed + runs; seed += 1) {
    onSeed(seed)
    const input = target.make(createRandom(seed))
    const error = await errorOf(target, input, seed)
    if (error !== undefined) return { target: target.name, seed, ...(await shrink(target, input, seed, error)) }
  }
  return undefined
}

/** A busy machine is slow now and then; what is slow three times is slow. */
const slowTimes = 3

export async function errorOf(
  target: Target,
  input: string,
  seed: number,
  times = slowTimes,
): Promise<string | undefined> {
  const begun = performance.now()
  try {
    const running = target.run(input, seed)
    if (running !== undefined) await running
  } catch (error) {
    return error instanceof Error ? (error.stack ?? error.message) : String(error)
  }
  const ms = performance.now() - begun
  if (ms <= slowMs) return undefined
  return times > 1 ? await errorOf(target, input, seed, times - 1) : `it took ${Math.round(ms)} ms`
}

/** Leaves out as much as it can while it still breaks. */
async function shrink(target: Target, input: string, seed: number, error: string) {
  let [smallest, why] = [input, error]
  for (let size = Math.ceil(input.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < smallest.length; ) {
      const shorter = smallest.slice(0, at) + smallest.slice(at + size)
      const found = await errorOf(target, shorter, seed).catch(() => undefined)
      if (found === undefined) at += size
      else [smallest, why] = [shorter, found]
    }
  }
  return { input: smallest, error: why }
}
