import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { report } from './measure.ts'
import type { PromptMessage } from './traced.ts'
import type { Order } from './tracing.ts'

const rounds = 41
/** Until all code is compiled and there is no room left for more recordings, as in a gateway that has run for a while. */
const warmRounds = 70
const exchangesARound = 32
const clients = 4
/** What recording may cost, and what is put up with on a machine that is busy with other things. */
const most = 1.25
const bound = 1.5

const text = 'The quick brown fox jumps over the lazy dog; const total = items.map((item) => item.price < 3)\n'
const tools = Array.from({ length: 20 }, (_, n) => ({
  type: 'function',
  function: {
    name: `tool_${n}`,
    description: text.repeat(3),
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, content: { type: 'string' } },
      required: ['path'],
    },
  },
}))
const history = Array.from({ length: 12 }, (_, n) => [
  { role: 'user', content: text.repeat(3) },
  {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: `call_${n}`, type: 'function', function: { name: 'tool_1', arguments: '{"path": "/src/app.ts"}' } },
    ],
  },
  { role: 'tool', tool_call_id: `call_${n}`, content: text.repeat(20) },
]).flat()

const requests: Readonly<Record<string, object>> = {
  'a short question': { model: 'm', stream: true, messages: [{ role: 'user', content: text }] },
  'an agent with 20 tools and a long history': { model: 'm', stream: true, tools, messages: history },
}

interface Gateway {
  readonly port: number
  cost(): Promise<PromptMessage>
  close(): void
}

async function startGateway(upstreamPort: number, isTraced: boolean): Promise<Gateway> {
  const child = fork(join(import.meta.dirname, 'traced.ts'), [String(upstreamPort), isTraced ? 'traced' : 'plain'])
  const [port] = (await once(child, 'message')) as [number]
  return {
    port,
    async cost() {
      child.send('cost')
      return ((await once(child, 'message')) as [PromptMessage])[0]
    },
    close: () => child.disconnect(),
  }
}

/** What an exchange costs with recording, in the CPU time of a gateway without it: the two take turns. */
export async function benchTraces(): Promise<boolean> {
  const world: ChildProcess = fork(join(import.meta.dirname, 'tracing.ts'))
  const [upstreamPort] = (await once(world, 'message')) as [number]
  const gateways = [await startGateway(upstreamPort, false), await startGateway(upstreamPort, true)]

  async function measure({ port, cost }: Gateway, body: string): Promise<number> {
    const before = await cost()
    const order: Order = { port, body, count: exchangesARound, clients }
    world.send(order)
    await once(world, 'message')
    const after = await cost()
    return (after.cpuMs - before.cpuMs) / exchangesARound
  }

  let isMet = true
  for (const [what, request] of Object.entries(requests)) {
    const body = JSON.stringify(request)
    const times: number[][] = [[], []]
    for (let round = -warmRounds; round < rounds; round++) {
      // The second finds a warmer machine, so they take turns.
      for (const which of round % 2 === 0 ? [0, 1] : [1, 0]) {
        const ms = await measure(gateways[which] as Gateway, body)
        if (round >= 0) times[which]?.push(ms)
      }
    }
    const [off = [], on = []] = times
    // Round by round, so that a slow minute hits both alike.
    const ratio = medianOf(on.map((ms, round) => ms / (off[round] ?? ms)))
    console.log(`recording ${what}: ${medianOf(off).toFixed(2)} ms of CPU without, ${medianOf(on).toFixed(2)} ms with`)
    isMet = report(`what recording costs, ${what}`, ratio, most, '× without', bound) && isMet
  }
  const [without, recorded] = await Promise.all(gateways.map(async ({ cost }) => (await cost()).recorded))
  if (without !== 0 || recorded === 0) throw new Error('the bench records what it should not, or nothing')
  for (const { close } of gateways) close()
  world.kill()
  return isMet
}

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}
