import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doors } from '../../src/doors/registry.ts'
import type { FailureCode } from '../../src/errors.ts'
import { adapters, type DoorAdapter } from './adapters.ts'
import { done, head, type Mode, wanted, wholeAnswer } from './answer.ts'
import { type Contact, type Step, startService } from './service.ts'
import { ask, clientKey, type Got, inTurns, type Stage, startStage } from './stage.ts'
import { serviceKey, upstreamFaults } from './upstream-faults.ts'

/** Every fault, at every door, streamed and whole, native and in the prompt. */

interface Cell {
  readonly id: string
  readonly fault: string
  readonly model: string
  readonly door: DoorAdapter
  readonly doorName: string
  readonly stream: boolean
  readonly mode: Mode
  readonly expected: 'answer' | readonly FailureCode[]
}

/** Faults of the way to a service: no script can play them. */
const unreachable: readonly {
  readonly name: string
  readonly url: string
  readonly expected: readonly FailureCode[]
}[] = [
  { name: 'refuses connections', url: 'http://127.0.0.1:1/v1', expected: ['upstream_unreachable'] },
  { name: 'has no address', url: 'http://nowhere.invalid/v1', expected: ['upstream_unreachable'] },
  { name: 'cannot be reached', url: 'http://192.0.2.1:81/v1', expected: ['upstream_unreachable', 'upstream_timeout'] },
  {
    name: 'speaks no TLS',
    url: 'https://127.0.0.1:PORT/v1',
    expected: ['upstream_unreachable', 'upstream_malformed', 'upstream_timeout'],
  },
]

const modes = ['native', 'prompt'] as const
const withinMs = 12_000
const atOnce = 40

function cells(): readonly Cell[] {
  const faults = [
    ...upstreamFaults.map((fault, nth) => ({ ...fault, model: (mode: Mode) => `f${nth}-${mode}` })),
    ...unreachable.map((fault, nth) => ({ ...fault, modes: undefined, model: () => `u${nth}` })),
  ]
  return doors.flatMap(({ name: doorName }) => {
    const door = adapters[doorName]
    if (door === undefined) return []
    return faults.flatMap(({ name: fault, modes: some = modes, model, expected }) =>
      some.flatMap((mode) =>
        [true, false].map((stream): Cell => {
          const id = `${doorName}.${stream ? 'stream' : 'whole'}.${model(mode)}.${mode}`
          return { id, fault, model: model(mode), door, doorName, stream, mode, expected }
        }),
      ),
    )
  })
}

const all = cells()
const scripts = new Map<string, readonly Step[]>(
  upstreamFaults.flatMap(({ steps }, nth) => modes.map((mode) => [`f${nth}-${mode}`, steps(mode)] as const)),
)
scripts.set('good', [head, wholeAnswer('prompt'), done, 'END'])

let stage: Stage
let service: Awaited<ReturnType<typeof startService>>
/** What a client got that asked for good answers all the while. */
const bystander: Got[] = []
let isOver = false
const results = new Map<string, Got>()

beforeAll(async () => {
  service = await startService(scripts)
  const upstreams = Object.fromEntries([
    ['service', { kind: 'openai', url: service.url, key: serviceKey, concurrency: 1000 }],
    ...unreachable.map(({ url }, nth) => [
      `away${nth}`,
      { kind: 'openai', url: url.replace('PORT', String(service.port)), key: serviceKey },
    ]),
  ])
  const settings = { dialect: 'hermes' }
  const models = Object.fromEntries([
    ...[...scripts.keys()].map((name) => [name, { upstream: 'service', ...settings }]),
    ...unreachable.map((_, nth) => [`u${nth}`, { upstream: `away${nth}`, ...settings }]),
  ])
  stage = await startStage({
    keys: [{ name: 'tester', key: clientKey }],
    upstreams,
    models,
    limits: { answer: '4mb', event: '2mb' },
    timeouts: { connect: '3s', first_event: '2s', idle: '2s', total: '8s' },
  })
  const standing = standBy()
  const answers = await inTurns(all, atOnce, async (cell) => ask({ ...cell, origin: stage.origin }))
  isOver = true
  await standing
  for (const [nth, cell] of all.entries()) results.set(cell.id, answers[nth] as Got)
  await settled()
}, 400_000)

afterAll(async () => {
  await stage?.stop()
  await service?.close()
})

async function standBy(): Promise<void> {
  const door = adapters['chat'] as DoorAdapter
  while (!isOver) {
    const id = `bystander.${bystander.length}`
    bystander.push(await ask({ origin: stage.origin, door, model: 'good', stream: true, mode: 'prompt', id }))
  }
}

/** The log is written after the last byte, and connections close a moment later. */
async function settled(): Promise<void> {
  const isSettled = () => all.every(({ id }) => stage.lineOf(id) !== undefined)
  for (let nth = 0; nth < 200 && !isSettled(); nth += 1) await new Promise((resolve) => setTimeout(resolve, 25))
}

const contactOf = (id: string): Contact | undefined => service.contacts.find((contact) => contact.id === id)

test('every door has a client here', () => {
  expect(doors.map(({ name }) => name).filter((name) => adapters[name] === undefined)).toEqual([])
})

describe.each([...new Set(all.map(({ fault }) => fault))])('a service that %s', (fault) => {
  test.each(all.filter((cell) => cell.fault === fault))('$doorName, stream $stream, $mode', (cell) => {
    const got = results.get(cell.id)
    if (got === undefined) throw new Error('it was not tried')
    const line = stage.lineOf(cell.id)
    const heard = cell.door.read({ ...got, stream: cell.stream })
    // The end is one the protocol knows, and in time.
    if (heard.end === 'error' && cell.expected === 'answer') throw new Error(got.text)
    expect([heard.end, heard.why]).toEqual([cell.expected === 'answer' ? 'answer' : 'error', undefined])
    expect([got.broke, got.ms < withinMs]).toEqual([false, true])
    // A call that is told as whole is whole.
    for (const call of heard.calls) expect(call).toEqual(wanted)
    if (cell.expected === 'answer') expect(heard.calls).toHaveLength(1)
    // The service is let go.
    const contact = contactOf(cell.id)
    if (contact !== undefined) expect((contact.closedAt ?? Number.POSITIVE_INFINITY) - got.endedAt).toBeLessThan(1000)
    // The log tells the cause, and the status the client saw.
    expect(line?.status).toBe(got.status)
    if (cell.expected === 'answer') expect(line?.code).toBeUndefined()
    else expect(cell.expected).toContain(line?.code)
    expect(line?.cause).toBeUndefined()
    // No secret is told.
    expect(got.text).not.toContain('NEVER')
  })
})

test('the request id went on to the service', () => {
  const reached = all.filter(({ model }) => model.startsWith('f'))
  expect(reached.filter(({ id }) => contactOf(id) === undefined).map(({ id }) => id)).toEqual([])
})

test('somebody else was served all the while, and got every answer whole', () => {
  const door = adapters['chat'] as DoorAdapter
  expect(bystander.length).toBeGreaterThan(10)
  for (const got of bystander) expect(door.read({ ...got, stream: true })).toEqual({ end: 'answer', calls: [wanted] })
})

test('nothing is left over: no request, no place in line, no connection', async () => {
  await expect
    .poll(
      async () => {
        const figures = await stage.figures()
        return [
          figures.get('dragoman_requests_in_flight'),
          figures.get('dragoman_upstream_active{upstream="service"}'),
          figures.get('dragoman_queue_depth{upstream="service"}'),
          service.contacts.filter(({ closedAt }) => closedAt === undefined).length,
        ]
      },
      { timeout: 5000 },
    )
    .toEqual([1, 0, 0, 0])
})

test('the figures tell every failure the log tells', async () => {
  const figures = await stage.figures()
  const counted = [...figures].filter(
    ([name]) => name.startsWith('dragoman_requests_total{') && !name.includes('code=""'),
  )
  const failures = all.filter(({ expected }) => expected !== 'answer')
  expect(counted.reduce((sum, [, count]) => sum + count, 0)).toBeGreaterThanOrEqual(failures.length)
})

test('the program is alive, and its log holds no secret and no failure of its own', () => {
  expect(stage.child.exitCode).toBeNull()
  expect(stage.log()).not.toMatch(/NEVER|unhandled|internal_error| {4}at /i)
})

test('how long services were held after the end, and how many cells there were', () => {
  const held = all
    .flatMap(({ id }) => {
      const closedAt = contactOf(id)?.closedAt
      return closedAt === undefined ? [] : [closedAt - (results.get(id)?.endedAt ?? 0)]
    })
    .sort((a, b) => a - b)
  const at = (share: number): string => `${Math.round(held[Math.floor(held.length * share)] ?? 0)} ms`
  console.info(`${all.length} cells; services let go p50 ${at(0.5)}, p99 ${at(0.99)}, last ${at(0.9999)}`)
  expect(all.length).toBeGreaterThan(200)
})
