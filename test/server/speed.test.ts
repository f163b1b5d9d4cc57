import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Job } from '../../bench/gateway/load.ts'
import { type Part, send, startOwn } from '../../bench/gateway/processes.ts'
import { startDragoman, startPassed } from '../../bench/gateway/subjects.ts'
import { builtProgram } from '../built.ts'

/**
 * What `npm run bench -- gateway` measures, with few requests and wide bounds: CPU time of whole processes, in turns, against
 * a bare pass-through or against the gateway itself. What is quadratic misses them by far. A busy machine gets a second try.
 */
let service: Part
let load: Part
let passed: Part
let dragoman: Part

beforeAll(async () => {
  service = await startOwn('any', 'service.ts')
  load = await startOwn('any', 'load.ts')
  const url = `http://127.0.0.1:${service.port}`
  passed = await startPassed(url)
  dragoman = await startDragoman(url, 'off', builtProgram()[1])
}, 60_000)

afterAll(() => Promise.all([service, load, passed, dragoman].map((part) => part?.stop())))

let salts = 0

interface Work {
  readonly at: Part
  readonly job: Omit<Job, 'port'>
  /** What comes before it and is not measured. */
  readonly before?: Omit<Job, 'port'>
}

async function microsOf({ at, job, before }: Work): Promise<number> {
  const place = { port: at.port, salt: `guard-${salts++}` }
  if (before !== undefined) await send(load, { ...before, ...place })
  const start = await at.read()
  await send(load, { ...job, ...place })
  return ((await at.read()).cpuMicros - start.cpuMicros) / job.requests
}

/** The least of several rounds, in turns. */
async function ratioOf(own: Work, other: Work, rounds: number): Promise<number> {
  let [least, base] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let round = 0; round < rounds; round++) {
    least = Math.min(least, await microsOf(own))
    base = Math.min(base, await microsOf(other))
  }
  return least / base
}

const stream = { stream: true } as const

test('one argument of 64 kB in pieces of four characters costs no more than a few times passing it on', {
  retry: 1,
  timeout: 60_000,
}, async () => {
  const job = { model: 'long-argument', ...stream, connections: 4, requests: 8, expects: '"name":"tool_1"' }
  const { expects: _, ...plain } = job
  expect(await ratioOf({ at: dragoman, job }, { at: passed, job: plain }, 5)).toBeLessThan(5)
})

test('turns 31 to 40 of a conversation cost no more than a few short answers', {
  retry: 1,
  timeout: 60_000,
}, async () => {
  const conversation = { model: 'short', ...stream, connections: 8 }
  const own = {
    at: dragoman,
    before: { ...conversation, requests: 8, fromTurn: 29 },
    job: { ...conversation, requests: 80, fromTurn: 30 },
  }
  const short = { at: dragoman, job: { ...conversation, requests: 160 } }
  await ratioOf(own, short, 3)
  expect(await ratioOf(own, short, 4)).toBeLessThan(8)
})
