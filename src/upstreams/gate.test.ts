import { expect, test, vi } from 'vitest'
import { createGate, gated } from './gate.ts'
import type { Upstream, UpstreamEvent } from './upstream.ts'

const { signal } = new AbortController()
const request = { model: 'm', messages: [], tools: [], sampling: {}, extra: {} }

/** A service whose answers end when they are told to. */
function createHeld() {
  const ends: (() => void)[] = []
  const upstream: Upstream = {
    name: 'held',
    kind: 'held',
    async *chat() {
      yield [{ type: 'text', text: 'a' }]
      await new Promise<void>((resolve) => ends.push(resolve))
      yield [{ type: 'finish', reason: 'stop' }]
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
  return { upstream, ends }
}

async function readAll(reads: AsyncIterable<readonly UpstreamEvent[]>): Promise<readonly UpstreamEvent[]> {
  const events: UpstreamEvent[] = []
  for await (const read of reads) events.push(...read)
  return events
}

test('they enter in the order they came', async () => {
  const gate = createGate('g', 1, 10, () => 0)
  const order: number[] = []
  const visits = [1, 2, 3].map((visitor) => gate.enter(signal).then(() => order.push(visitor)))
  expect(gate.load).toEqual({ active: 1, waiting: 2 })
  await visits[0]
  gate.leave()
  await visits[1]
  gate.leave()
  await visits[2]
  expect(order).toEqual([1, 2, 3])
  gate.leave()
  expect(gate.load).toEqual({ active: 0, waiting: 0 })
})

test('a full line refuses, and says when to come back', async () => {
  let time = 0
  const gate = createGate('g', 2, 1, () => time)
  await Promise.all([gate.enter(signal), gate.enter(signal)])
  const third = gate.enter(signal)
  await expect(gate.enter(signal)).rejects.toMatchObject({ code: 'queue_full', status: 429, retryAfterSeconds: 1 })
  time = 100_000
  gate.leave()
  await third
  void gate.enter(signal)
  await expect(gate.enter(signal)).rejects.toMatchObject({ retryAfterSeconds: 21 })
})

test('who goes away leaves the line', async () => {
  const gate = createGate('g', 1, 1, () => 0)
  await gate.enter(signal)
  const leaving = new AbortController()
  const waiting = gate.enter(leaving.signal)
  leaving.abort(new Error('gone'))
  await expect(waiting).rejects.toThrow('gone')
  expect(gate.load).toEqual({ active: 1, waiting: 0 })
  await expect(gate.enter(leaving.signal)).rejects.toThrow('gone')
})

test('an answer holds its place until it is over, and one that waited says so', async () => {
  const { upstream, ends } = createHeld()
  const limited = gated(upstream, { concurrency: 1 })
  const first = readAll(limited.chat(request, signal))
  const second = readAll(limited.chat(request, signal))
  await expect.poll(() => limited.load).toEqual({ active: 1, waiting: 1 })
  ends[0]?.()
  expect((await first).map(({ type }) => type)).toEqual(['text', 'finish'])
  await expect.poll(() => ends.length).toBe(2)
  ends[1]?.()
  expect((await second).map(({ type }) => type)).toEqual(['note', 'text', 'finish'])
  expect(limited.load).toEqual({ active: 0, waiting: 0 })
})

test('an answer nobody reads any further gives its place back', async () => {
  const { upstream, ends } = createHeld()
  const limited = gated(upstream, { concurrency: 1 })
  for await (const _ of limited.chat(request, signal)) {
    setImmediate(() => ends[0]?.())
    break
  }
  expect(limited.load).toEqual({ active: 0, waiting: 0 })
})

test('without a limit it is the service itself', () => {
  const { upstream } = createHeld()
  expect(gated(upstream, {})).toBe(upstream)
})

test('whoever has waited too long is told so, and its place in line is free', async () => {
  vi.useFakeTimers()
  try {
    const gate = createGate('g', 1, 1, () => 0, 5000)
    await gate.enter(signal)
    const waited = gate.enter(signal)
    const told = expect(waited).rejects.toMatchObject({ code: 'queue_full', status: 429, retryAfterSeconds: 1 })
    await vi.advanceTimersByTimeAsync(5000)
    await told
    await expect(waited).rejects.toThrow('g is busy (no slot came free within 5000 ms): 1 running')
    expect(gate.load).toEqual({ active: 1, waiting: 0 })
    const next = gate.enter(signal)
    gate.leave()
    expect(await next).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})
