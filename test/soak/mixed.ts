import { request } from 'node:http'
import { clientKey } from '../faults/stage.ts'
import { createRandom, type Random } from '../fuzz/random.ts'
import { type Sample, slopeOf } from './probe.ts'
import { lanes, type Soak, settle } from './stage.ts'

interface MixedPlan {
  readonly ms: number
  readonly clients: number
  readonly seed: number
  /** How many of a hundred requests go to a service that does something wrong. */
  readonly faulty: number
  /** How many of a hundred clients go away in the middle. */
  readonly leaving: number
  /** Ends after so many have gone away. */
  readonly leaves?: number
  readonly everyMs: number
  readonly onSample?: (sample: Sample, atMs: number, requests: number) => void
}

/** Clients of all doors ask and go as they like. Tells what the program held at the beginning, on the way and at the end. */
export async function runMixed({ stage, names, probe }: Soak, plan: MixedPlan) {
  const random = createRandom(plan.seed)
  const [bad, good] = [names.filter((name) => name.startsWith('f')), names.filter((name) => !name.startsWith('f'))]
  const counts = { requests: 0, left: 0 }
  let isOver = false

  function askOnce(): Promise<void> {
    const { door, stream, mode } = random.pick(lanes)
    const list = (random.below(100) < plan.faulty ? bad : good).filter((name) => name.endsWith(mode))
    const leavesAfterMs = random.below(100) < plan.leaving ? momentIn(random) : undefined
    counts.requests += 1
    return new Promise((resolve) => {
      const headers = {
        'content-type': 'application/json',
        authorization: `Bearer ${clientKey}`,
        'x-dragoman-tools': mode,
      }
      const asked = request(`${stage.origin}${door.path}`, { method: 'POST', headers, agent: false }, (response) => {
        response.resume().on('error', () => undefined)
      })
      asked.on('error', () => undefined)
      asked.on('close', () => resolve())
      asked.end(JSON.stringify(door.body(random.pick(list), stream)))
      if (leavesAfterMs === undefined) return
      setTimeout(() => {
        if (!asked.closed) counts.left += 1
        asked.destroy()
      }, leavesAfterMs)
    })
  }

  async function client(): Promise<void> {
    while (!isOver) await askOnce()
  }

  // What is made once and kept is made before anything is measured.
  await Promise.all(Array.from({ length: 50 }, askOnce))
  await settle(stage)
  const before = await probe()
  const begun = performance.now()
  const samples: { atMs: number; bytes: number }[] = []
  const clients = Array.from({ length: plan.clients }, client)
  while (performance.now() - begun < plan.ms && counts.left < (plan.leaves ?? Number.POSITIVE_INFINITY)) {
    await new Promise((resolve) => setTimeout(resolve, plan.everyMs))
    const sample = await probe()
    const atMs = performance.now() - begun
    samples.push({ atMs, bytes: sample.heapBytes })
    plan.onSample?.(sample, atMs, counts.requests)
  }
  isOver = true
  await Promise.all(clients)
  await settle(stage)
  const after = await probe()
  const later = samples.slice(Math.floor(samples.length / 3))
  return { ...counts, ms: performance.now() - begun, before, after, bytesPerHour: slopeOf(later) }
}

/** Early, where most happens, more often than late. */
function momentIn(random: Random): number {
  return random.below(random.pick([2, 20, 100, 600]))
}
