import { setTimeout as after } from 'node:timers/promises'
import { startGateway } from '../test/dragoman.ts'
import { startRedis } from '../test/qwen/redis-server.ts'
import { startNginx } from '../test/several/nginx.ts'
import { until } from '../test/until.ts'
import { createClients } from './clients.ts'
import { report } from './measure.ts'
import { startModel } from './model.ts'

const clientsAtOnce = 20
const outageMs = 3_000
const key = 'sk-rolling-0123456789'

/** What became of the requests that ended in one phase. */
interface Phase {
  readonly name: string
  answered: number
  /** Failed with an error of the gateway that says why, as a status or in the stream. */
  explained: number
  /** Anything else: a connection that broke, a page of the proxy's, half an answer. */
  lost: number
}

/** Two gateways behind nginx that share a Redis, with clients that never stop asking. */
export async function benchRolling(): Promise<boolean> {
  const model = await startModel(6, 30)
  const redis = await startRedis()
  const config = {
    keys: [{ name: 'all', key, tokens_per_day: 1e9 }],
    upstreams: { local: { kind: 'openai', url: model.url } },
    sessions: { store: redis.url },
    timeouts: { drain_delay: '1s' },
    metrics: 'open',
  }
  const gateways = [await startGateway({ config }), await startGateway({ config })]
  const nginx = await startNginx(gateways.map(({ origin }) => origin))
  const clients = createClients(nginx.origin)
  const phases: Phase[] = []
  let isOver = false

  async function goOnAsking(): Promise<void> {
    while (!isOver) {
      const { status, text } = await clients.ask(key)
      const phase = phases.at(-1)
      if (phase === undefined) return
      if (status === 200 && text.endsWith('data: [DONE]\n\n') && !text.includes('"error"')) phase.answered += 1
      else if (status > 0 && text.includes('"error":{"message"')) phase.explained += 1
      else phase.lost += 1
    }
  }

  async function during(name: string, what: () => Promise<unknown>): Promise<void> {
    phases.push({ name, answered: 0, explained: 0, lost: 0 })
    await what()
  }

  async function restart(nth: number): Promise<void> {
    const old = gateways[nth]
    if (old === undefined) return
    old.child.kill('SIGTERM')
    await until(() => old.child.exitCode !== null)
    gateways[nth] = await startGateway({ config, args: ['--listen', new URL(old.origin).host] })
    await until(() =>
      fetch(`${old.origin}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    )
  }

  try {
    phases.push({ name: 'nothing happens', answered: 0, explained: 0, lost: 0 })
    const asking = Promise.all(Array.from({ length: clientsAtOnce }, goOnAsking))
    await after(outageMs)
    await during('one gateway after the other is restarted', async () => {
      await restart(0)
      await restart(1)
    })
    await during('the Redis is away', async () => {
      await redis.die()
      await after(outageMs)
      await redis.comeBack()
    })
    await during('the Redis is back', () => after(outageMs))
    await during('the model server is away', async () => {
      await model.stop()
      await after(outageMs)
      await model.comeBack()
    })
    await during('the model server is back', () => after(outageMs))
    isOver = true
    await asking
  } finally {
    clients.close()
    await nginx.stop()
    for (const gateway of gateways) await gateway.stop()
    await redis.die()
    await model.stop()
  }
  console.log(`${clientsAtOnce} clients, two gateways, nginx and a Redis\n`)
  console.log('| while | answered | told why not | lost |\n|---|--:|--:|--:|')
  for (const { name, answered, explained, lost } of phases)
    console.log(`| ${name} | ${answered} | ${explained} | ${lost} |`)
  console.log('')
  const lost = phases.reduce((sum, phase) => sum + phase.lost, 0)
  const refused = phases.filter(({ name }) => !name.startsWith('the model server'))
  const unanswered = refused.reduce((sum, { explained }) => sum + explained, 0)
  const isKept = report('requests lost', lost, 0, 'requests')
  return report('requests not answered while the model server is there', unanswered, 0, 'requests') && isKept
}
