import { doors } from '../../src/doors/registry.ts'
import { adapters } from '../faults/adapters.ts'
import { done, head, type Mode, parts, wholeAnswer } from '../faults/answer.ts'
import { type Step, startService } from '../faults/service.ts'
import { clientKey, type Stage, startStage } from '../faults/stage.ts'
import { upstreamFaults } from '../faults/upstream-faults.ts'
import { until } from '../until.ts'
import { createProbe, probed } from './probe.ts'

const modes = ['native', 'prompt'] as const

export const lanes = doors.flatMap(({ name }) => {
  const door = adapters[name]
  if (door === undefined) return []
  return [true, false].flatMap((stream) => modes.map((mode) => ({ name, door, stream, mode })))
})

/** An answer that takes its time, to be left at any moment of it. */
function slowly(mode: Mode): readonly Step[] {
  const text = wholeAnswer(mode) + done
  return [head, { drip: text.slice(0, 60), everyMs: 4 }, parts[mode].intro, { drip: text, everyMs: 1 }, 'END']
}

/** A gateway in front of a service that does everything right and everything wrong, by the model's name. */
export async function startSoak() {
  const faults = upstreamFaults.flatMap(({ steps }, nth) =>
    modes.map((mode): [string, readonly Step[]] => [`f${nth}-${mode}`, steps(mode)]),
  )
  const sound = modes.flatMap((mode): [string, readonly Step[]][] => [
    [`good-${mode}`, [head, wholeAnswer(mode), done, 'END']],
    [`slow-${mode}`, slowly(mode)],
  ])
  const service = await startService(new Map([...faults, ...sound]))
  const names = [...faults, ...sound].map(([name]) => name)
  const stage = await startStage(
    {
      keys: [{ name: 'tester', key: clientKey, requests_per_minute: 1_000_000, parallel: 100_000 }],
      upstreams: { service: { kind: 'openai', url: service.url, concurrency: 64, queue: 100_000 } },
      models: Object.fromEntries(names.map((name) => [name, { upstream: 'service', dialect: 'hermes' }])),
      // What is remembered for a while is forgotten within the time that is measured.
      sessions: { ttl: '20s' },
      // Recordings fill the memory they may have, and hide what else grows.
      inspector: false,
      limits: { answer: '2mb', event: '1mb' },
      timeouts: { connect: '2s', first_event: '1s', idle: '1s', total: '4s' },
    },
    probed,
  )
  return {
    stage,
    service,
    names,
    probe: createProbe(stage),
    async stop() {
      await stage.stop()
      await service.close()
    },
  }
}

export type Soak = Awaited<ReturnType<typeof startSoak>>

/** What is held when no request is left. */
export async function restOf(stage: Stage): Promise<readonly (number | undefined)[]> {
  const figures = await stage.figures()
  return [
    'dragoman_requests_in_flight',
    'dragoman_upstream_active{upstream="service"}',
    'dragoman_queue_depth{upstream="service"}',
  ].map((name) => figures.get(name))
}

/** Waits until all requests are over: this question itself is the one in flight. */
export async function settle(stage: Stage): Promise<void> {
  await until(async () => (await restOf(stage)).join() === '1,0,0', 30_000)
}
