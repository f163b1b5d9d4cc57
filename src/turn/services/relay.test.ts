import { expect, test } from 'vitest'
import { GatewayError } from '../../errors.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { createRelay } from './relay.ts'

const { signal } = new AbortController()

function upstream(name: string): Upstream {
  return {
    name,
    kind: 'none',
    chat: () => {
      throw new Error('not asked')
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'unknown' }),
    close: async () => undefined,
  }
}

const [a, b, c] = ['a', 'b', 'c'].map(upstream) as [Upstream, Upstream, Upstream]
const failure = (code: ConstructorParameters<typeof GatewayError>[0], retryAfterSeconds?: number) =>
  new GatewayError(code, code, { retryAfterSeconds })

function start(random = () => 0) {
  let time = 0
  const relay = createRelay(() => time, random)
  const asked: string[] = []
  const run = async (
    upstreams: readonly Upstream[],
    fails: Record<string, GatewayError>,
    weights?: Record<string, number>,
  ) => {
    asked.length = 0
    const attempt = async ({ name }: Upstream) => {
      asked.push(name)
      if (fails[name] !== undefined) throw fails[name]
      return name
    }
    const answered = await relay.run(upstreams, attempt, { signal, weights })
    relay.report(answered === 'a' ? a : answered === 'b' ? b : c)
    return answered
  }
  return { relay, run, asked, pass: (ms: number) => (time += ms) }
}

test.each([
  'upstream_unreachable',
  'rate_limit_exceeded',
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_error',
  'queue_full',
] as const)('after %s the next is asked', async (code) => {
  const { run } = start()
  expect(await run([a, b], { a: failure(code) })).toBe('b')
})

test.each(['upstream_rejected', 'context_length_exceeded', 'invalid_value'] as const)(
  '%s is the fault of the request, and nobody else is asked',
  async (code) => {
    const { run, asked } = start()
    const thrown = failure(code)
    await expect(run([a, b], { a: thrown })).rejects.toBe(thrown)
    expect(asked).toEqual(['a'])
  },
)

test('where all fail, the last failure is told', async () => {
  const { run, asked } = start()
  const last = failure('upstream_overloaded')
  await expect(run([a, b], { a: failure('upstream_unreachable'), b: last })).rejects.toBe(last)
  expect(asked).toEqual(['a', 'b'])
})

test('one in trouble is asked last, but it is asked', async () => {
  const { run, asked, pass } = start()
  const down = { a: failure('upstream_unreachable') }
  for (let i = 0; i < 5; i++) await run([a, b], down)
  expect(await run([a, b], {})).toBe('b')
  expect(asked).toEqual(['b'])
  expect(await run([a, b], { b: failure('upstream_unreachable') })).toBe('a')
  for (let i = 0; i < 5; i++) await run([a, b], down)
  pass(10_000)
  expect(await run([a, b], {})).toBe('a')
})

test('refusals do not count as trouble', async () => {
  const { run } = start()
  for (let i = 0; i < 9; i++) await run([a, b], { a: failure('upstream_rejected') }).catch(() => undefined)
  expect(await run([a, b], {})).toBe('a')
})

test('who wants to be asked later is asked later', async () => {
  const { run, pass } = start()
  await run([a, b], { a: failure('rate_limit_exceeded', 5) })
  expect(await run([a, b], {})).toBe('b')
  pass(5_000)
  expect(await run([a, b], {})).toBe('a')
})

test('an answer that broke off counts as a failure of its service', async () => {
  const { relay, run } = start()
  for (let i = 0; i < 5; i++) relay.report(a, failure('upstream_truncated'))
  expect(await run([a, b], {})).toBe('b')
})

test('weights say how often each comes first', async () => {
  let state = 1
  const random = () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return state / 0x80000000
  }
  const { run } = start(random)
  const firsts: Record<string, number> = { a: 0, b: 0, c: 0 }
  for (let i = 0; i < 4_000; i++) {
    const first = await run([a, b, c], {}, { a: 5, b: 2 })
    firsts[first] = (firsts[first] ?? 0) + 1
  }
  expect(Object.values(firsts).map((count) => Math.round((count / 4_000) * 8))).toEqual([5, 2, 1])
})

test('a service whose answers always break off is in trouble, however well they begin', async () => {
  const { relay, asked } = start()
  const attempt = async ({ name }: Upstream) => void asked.push(name)
  for (let i = 0; i < 6; i++) {
    await relay.run([a, b], attempt, { signal })
    relay.report(a, failure('upstream_truncated'))
  }
  expect(asked).toEqual(['a', 'a', 'a', 'a', 'a', 'b'])
})

test.each(['rate_limit_exceeded', 'insufficient_quota'] as const)(
  '%s of one client does not keep others from a service that each asks with its own key',
  async (code) => {
    const own = { ...a, isPersonal: true }
    const { run, asked } = start()
    expect(await run([own, b], { a: failure(code, 60) })).toBe('b')
    expect(await run([own, b], {})).toBe('a')
    const shared = start()
    await shared.run([a, b], { a: failure(code, 60) })
    await shared.run([a, b], {})
    expect([asked, shared.asked]).toEqual([['a'], ['b']])
  },
)
