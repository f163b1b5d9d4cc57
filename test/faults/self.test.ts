import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { doors } from '../../src/doors/registry.ts'
import { need } from '../needs.ts'
import { startRedis } from '../qwen/redis-server.ts'
import { until } from '../until.ts'
import { adapters, type DoorAdapter } from './adapters.ts'
import { done, head, type Mode, parts, wanted, wholeAnswer } from './answer.ts'
import { type Scene, selfFaults } from './self-faults.ts'
import { type Step, startService } from './service.ts'
import { ask, clientKey, type Got, startStage } from './stage.ts'

/** What happens to the gateway itself while answers are under way at every door, streamed and whole, native and in the prompt. */

const lanes = doors.flatMap(({ name }) => {
  const door = adapters[name]
  if (door === undefined) return []
  return [true, false].flatMap((stream) =>
    (['native', 'prompt'] as const).map((mode) => ({ name, door, stream, mode })),
  )
})

let redis: Awaited<ReturnType<typeof startRedis>>
beforeAll(async () => {
  need('redis-server')
  redis = await startRedis()
}, 150_000)
afterAll(() => redis.die())

/** Everything around one fault: half of a call at every door, then the fault, then the rest. */
async function play(fault: (typeof selfFaults)[number]) {
  let goOn: () => void = () => undefined
  const rest = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const half = (mode: Mode): readonly Step[] => [
    head + parts[mode].intro + parts[mode].begin + parts[mode].half,
    { until: () => rest },
    parts[mode].rest + parts[mode].finish + done,
    'END',
  ]
  const service = await startService(
    new Map<string, readonly Step[]>([
      ['native', half('native')],
      ['prompt', half('prompt')],
      ['good', [head, wholeAnswer('prompt'), done, 'END']],
    ]),
  )
  const settings = { upstream: 'service', dialect: 'hermes' }
  const config = {
    // A limit, so that there is something to count.
    keys: [{ name: 'tester', key: clientKey, requests_per_minute: 5000 }],
    upstreams: { service: { kind: 'openai', url: service.url, concurrency: 1000 } },
    models: { native: settings, prompt: settings, good: settings },
    ...fault.config?.({ redis }),
  }
  const stage = await startStage(config, fault.start)
  let nth = 0
  const good = async (): Promise<number> => {
    nth += 1
    const door = adapters['chat'] as DoorAdapter
    return (await ask({ origin: stage.origin, door, model: 'good', stream: false, mode: 'prompt', id: `good.${nth}` }))
      .status
  }
  const scene: Scene = { stage, config, redis, ask: good, until }
  try {
    const asked = lanes.map(({ door, stream, mode, name }) =>
      ask({ origin: stage.origin, door, model: mode, stream, mode, id: `${name}.${stream}.${mode}` }),
    )
    await until(() => service.contacts.length === lanes.length)
    await fault.act(scene)
    if (fault.expected === 'whole') goOn()
    const got = await Promise.all(asked)
    goOn()
    await fault.after?.(scene)
    return { got, log: stage.log() }
  } finally {
    goOn()
    await stage.stop()
    await service.close()
  }
}

describe.each(selfFaults)('a gateway that $name', (fault) => {
  let got: readonly Got[] = []
  let log = ''
  beforeAll(async () => {
    const played = await play(fault)
    got = played.got
    log = played.log
  }, 60_000)

  test.each(lanes)('$name, stream $stream, $mode', ({ name, stream, mode, door }) => {
    const answer = got[lanes.findIndex((lane) => lane.name === name && lane.stream === stream && lane.mode === mode)]
    if (answer === undefined) throw new Error('it was not asked')
    const heard = answer.broke ? undefined : door.read({ ...answer, stream })
    if (fault.expected === 'whole') expect(heard).toEqual({ end: 'answer', calls: [wanted] })
    // Whatever is lost, half a call is never told as a whole one.
    else expect(heard?.calls ?? []).toEqual([])
    expect(answer.text).not.toContain('NEVER')
  })

  test('its log tells no secret', () => {
    expect(log).not.toMatch(/NEVER|unhandled/i)
  })
})

test('a gateway that was killed starts again on the same port, with nothing to repair', async () => {
  const first = await startStage({})
  const { port } = new URL(first.origin)
  first.child.kill('SIGKILL')
  await first.outcome
  const second = await startStage({ listen: `127.0.0.1:${port}` }, { args: ['--port', port, '--strict-port'] })
  expect((await fetch(`${second.origin}/readyz`)).status).toBe(200)
  await second.stop()
  await first.stop()
}, 30_000)

test('an idle gateway ends at once on SIGTERM', async () => {
  const stage = await startStage({})
  const begun = performance.now()
  stage.child.kill('SIGTERM')
  expect((await stage.outcome).code).toBe(0)
  expect(performance.now() - begun).toBeLessThan(3000)
  await stage.stop()
}, 30_000)

test('how many cells there were', () => {
  console.info(`${selfFaults.length * lanes.length} cells of the gateway itself`)
  expect(lanes).toHaveLength(16)
})
