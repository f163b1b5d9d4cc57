import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { done, head, type Mode, parts, wanted, wholeAnswer } from './answer.ts'
import { type Step, startService } from './service.ts'
import { clientKey, inTurns, type Stage, startStage } from './stage.ts'
import { type Fault, serviceKey, upstreamFaults } from './upstream-faults.ts'

/** Every fault of a service again, for clients that ask over a WebSocket, with functions and with custom tools. */

const modes = ['native', 'prompt'] as const
const kinds = ['function', 'custom'] as const
type Kind = (typeof kinds)[number]

interface Cell extends Fault {
  readonly model: string
  readonly mode: Mode
  readonly kind: Kind
}

interface Told {
  readonly type: string
  readonly item?: { readonly type: string; readonly name: string; readonly arguments?: string; readonly input?: string }
  readonly response?: { readonly output: readonly { readonly type: string }[] }
}

interface Got {
  readonly told: readonly Told[]
  /** The connection is still there for another turn. */
  readonly goesOn: boolean
  readonly ms: number
}

const { path, text } = wanted.arguments

/** The same bytes with the call of a custom tool in them; undefined where they are packed. */
function asCustom(steps: readonly Step[]): readonly Step[] | undefined {
  const put = (words: string): string => words.replaceAll(`\\"path\\":\\"${path}\\",\\"text\\":`, '\\"input\\":')
  const changed = steps.map((step): Step | undefined => {
    if (typeof step === 'string') return put(step)
    if (Buffer.isBuffer(step)) return undefined
    if ('again' in step) return typeof step.again === 'string' ? { ...step, again: put(step.again) } : undefined
    return 'drip' in step ? { ...step, drip: put(step.drip) } : step
  })
  return changed.includes(undefined) ? undefined : (changed as readonly Step[])
}

const scripts = new Map<string, readonly Step[]>()
const cells = upstreamFaults.flatMap((fault, nth) =>
  (fault.modes ?? modes).flatMap((mode) =>
    kinds.flatMap((kind): readonly Cell[] => {
      const model = `f${nth}-${mode}-${kind}`
      const steps = kind === 'custom' ? asCustom(fault.steps(mode)) : fault.steps(mode)
      // A length that was told is not that of other bytes.
      if (steps === undefined || (kind === 'custom' && /content-length|transfer-encoding/.test(String(steps[0]))))
        return []
      scripts.set(model, steps)
      return [{ ...fault, model, mode, kind }]
    }),
  ),
)
const leaving = modes.flatMap((mode) =>
  ['silent', 'stuck'].flatMap((how) =>
    Array.from({ length: 10 }, (_, nth) => ({ mode, model: `${how}-${mode}-${nth}` })),
  ),
)
for (const { mode, model } of leaving) {
  const { intro, begin, half } = parts[mode]
  scripts.set(model, model.startsWith('silent') ? ['HANG'] : [head, intro, begin, half, 'HANG'])
}
scripts.set('good', [head, wholeAnswer('prompt'), done, 'END'])

let stage: Stage
let service: Awaited<ReturnType<typeof startService>>
const results = new Map<string, Got>()

const toolOf = (kind: Kind) =>
  kind === 'custom'
    ? { type: 'custom', name: wanted.name }
    : {
        type: 'function',
        name: wanted.name,
        strict: false,
        parameters: {
          type: 'object',
          properties: { path: { type: 'string' }, text: { type: 'string' } },
          required: ['path', 'text'],
        },
      }

async function open(mode: Mode): Promise<WebSocket> {
  const headers = { authorization: `Bearer ${clientKey}`, 'x-dragoman-tools': mode }
  const socket = new WebSocket(`${stage.origin.replace('http', 'ws')}/v1/responses`, { headers })
  await once(socket, 'open')
  return socket
}

const isLast = ({ type }: Told): boolean => /^(?:error|response\.(?:completed|incomplete|failed))$/.test(type)

function ask(socket: WebSocket, fields: object): Promise<readonly Told[]> {
  const told: Told[] = []
  return new Promise((resolve, reject) => {
    socket.once('close', () => reject(new Error('the connection closed')))
    socket.on('message', function listen(data) {
      const one = JSON.parse(String(data)) as Told
      told.push(one)
      if (!isLast(one)) return
      socket.off('message', listen)
      resolve(told)
    })
    socket.send(JSON.stringify({ type: 'response.create', store: false, input: 'Write it.', ...fields }))
  })
}

beforeAll(async () => {
  service = await startService(scripts)
  stage = await startStage({
    keys: [{ name: 'tester', key: clientKey }],
    upstreams: { service: { kind: 'openai', url: service.url, key: serviceKey, concurrency: 1000 } },
    models: Object.fromEntries([...scripts.keys()].map((name) => [name, { upstream: 'service', dialect: 'hermes' }])),
    limits: { answer: '4mb', event: '2mb' },
    timeouts: { connect: '3s', first_event: '2s', idle: '2s', total: '8s' },
  })
  await inTurns(cells, 40, async ({ model, mode, kind }) => {
    const socket = await open(mode)
    const begun = performance.now()
    const told = await ask(socket, { model, tools: [toolOf(kind)] })
    const ms = performance.now() - begun
    const [last] = (await ask(socket, { model: 'good', generate: false })).slice(-1)
    results.set(model, { told, ms, goesOn: last?.type === 'response.completed' })
    socket.close()
  })
}, 400_000)

afterAll(async () => {
  await stage?.stop()
  await service?.close()
})

describe.each([...new Set(cells.map(({ name }) => name))])('a service that %s', (name) => {
  test.each(cells.filter((cell) => cell.name === name))('$kind, $mode', ({ model, kind, expected }) => {
    const { told = [], goesOn, ms } = results.get(model) ?? {}
    const end = told.at(-1)?.type
    expect(end).toMatch(expected === 'answer' ? /^response\.(?:completed|incomplete)$/ : /^(?:error|response\.failed)$/)
    expect([goesOn, (ms ?? Number.POSITIVE_INFINITY) < 12_000]).toEqual([true, true])
    // A client carries out what is closed.
    const closed = told.flatMap(({ type, item }) =>
      type === 'response.output_item.done' && item !== undefined ? [item] : [],
    )
    const calls = closed.filter(({ type }) => type.endsWith('_call'))
    for (const call of calls) {
      expect([call.type, call.name]).toEqual([kind === 'custom' ? 'custom_tool_call' : 'function_call', wanted.name])
      expect(call.input ?? JSON.parse(call.arguments ?? '')).toEqual(kind === 'custom' ? text : wanted.arguments)
    }
    if (expected === 'answer') expect(calls).toHaveLength(1)
    expect(JSON.stringify(told)).not.toContain('NEVER')
  })
})

test('a client that goes takes each request to the service with it, at once', async () => {
  const lateMs = await Promise.all(
    leaving.map(async ({ mode, model }) => {
      const socket = await open(mode)
      socket.send(JSON.stringify({ type: 'response.create', model, input: 'Write it.', tools: [toolOf('function')] }))
      const contactOf = () => service.contacts.find((contact) => contact.model === model)
      await expect.poll(contactOf, { timeout: 8000, interval: 5 }).toBeTruthy()
      const leftAt = performance.now()
      socket.terminate()
      await expect.poll(() => contactOf()?.closedAt, { timeout: 8000, interval: 5 }).toBeTruthy()
      return (contactOf()?.closedAt ?? Number.POSITIVE_INFINITY) - leftAt
    }),
  )
  const sorted = lateMs.toSorted((one, other) => one - other)
  const at = (share: number): string => `${Math.round(sorted[Math.floor(sorted.length * share)] ?? 0)} ms`
  console.info(`${cells.length} cells over WebSockets; services let go p50 ${at(0.5)}, last ${at(0.99)}`)
  expect(sorted.at(-1)).toBeLessThan(1000)
})

test('nothing is left over, and no secret was told', async () => {
  await expect
    .poll(
      async () => {
        const figures = await stage.figures()
        return [
          figures.get('dragoman_requests_in_flight'),
          figures.get('dragoman_upstream_active{upstream="service"}'),
          service.contacts.filter(({ closedAt }) => closedAt === undefined).length,
        ]
      },
      { timeout: 8000 },
    )
    .toEqual([1, 0, 0])
  expect(stage.child.exitCode).toBeNull()
  expect(stage.log()).not.toMatch(/NEVER|unhandled|internal_error| {4}at /i)
})
