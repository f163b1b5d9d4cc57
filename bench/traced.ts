import { systemClock } from '../src/clock.ts'
import { createRandomId } from '../src/random-id.ts'
import { createGateway } from '../src/server/gateway.ts'
import { createRecorder } from '../src/traces/recorder.ts'
import { defaultSettings } from '../src/turn/settings.ts'
import { createTurns } from '../src/turn/turns.ts'
import { createOpenAiUpstream } from '../src/upstreams/openai/pooled.ts'

/** A gateway in a process of its own, that says what it has cost whenever it is asked: so its garbage is its own, too. */

export interface PromptMessage {
  /** CPU time of all its threads so far. */
  readonly cpuMs: number
  /** How many exchanges it recorded. */
  readonly recorded: number
}

const [, , upstreamPort = '', isTraced = ''] = process.argv

const timeouts = { connectMs: 5000, firstEventMs: 60_000, idleMs: 60_000, totalMs: 600_000 }
const upstream = createOpenAiUpstream({ name: 'bench', url: `http://127.0.0.1:${upstreamPort}/v1`, timeouts })
const turns = createTurns({
  upstreams: new Map([[upstream.name, upstream]]),
  models: [{ ...defaultSettings('m', [upstream.name]), tools: 'prompt', dialect: 'hermes' }],
  newId: () => createRandomId('call_'),
})
const settings = { store: 'memory', file: '', entries: 2000, bytes: 64 << 20, bodies: true } as const
const recorder = createRecorder({ settings, clock: systemClock, createId: createRandomId })
const traces = isTraced === 'traced' ? { traces: { recorder } } : {}
const gateway = createGateway({ turns, host: '127.0.0.1', port: 0, ...traces })

process.on('message', () => {
  const { user, system } = process.cpuUsage()
  const told: PromptMessage = { cpuMs: (user + system) / 1000, recorded: recorder.list({ limit: 1 }).total }
  process.send?.(told)
})
process.on('disconnect', () => process.exit())
process.send?.((await gateway.listen()).port)
