import { startGateway } from '../test/dragoman.ts'
import { startRedis } from '../test/qwen/redis-server.ts'
import { createClients } from './clients.ts'
import { readUsage } from './gateway/foreign.ts'
import { report } from './measure.ts'
import { startModel, tokensEach } from './model.ts'

const keys = 500
const parallel = 2
const answersInBudget = 4
const rounds = 3
const requestsEach = 4
/** The CPU time that keys and budgets may take, times a gateway without. */
const most = 1.5

const names = (kind: string) => Array.from({ length: keys }, (_, nth) => `sk-${kind}-${nth}`)
const tight = names('tight')
const wide = names('wide')

interface Round {
  readonly p50: number
  readonly p95: number
  readonly cpuMicros: number
}

/** Five hundred keys at once: whether their budgets hold, and what counting costs. */
export async function benchKeys(): Promise<boolean> {
  const model = await startModel(1, 0)
  const redis = await startRedis()
  const entries = (all: readonly string[], tokens_per_day: number) =>
    all.map((key) => ({ name: key.slice(3), key, team: 'everybody', tokens_per_day }))
  const accounts = {
    keys: [...entries(tight, answersInBudget * tokensEach), ...entries(wide, 1e9)],
    teams: { everybody: { tokens_per_month: 1e12 } },
  }
  const rest = { upstreams: { local: { kind: 'openai', url: model.url } }, traces: 'off' }
  const configs = {
    'no keys': rest,
    'budgets in a file': { ...rest, ...accounts },
    'budgets in a Redis': { ...rest, ...accounts, sessions: { store: redis.url } },
  }
  const subjects = []
  for (const [name, config] of Object.entries(configs)) {
    const gateway = await startGateway({ config })
    subjects.push({ name, gateway, clients: createClients(gateway.origin), rounds: [] as Round[] })
  }
  try {
    console.log(`${keys} keys at once`)
    // The first round warms up.
    for (let round = 0; round <= rounds; round++)
      for (const { gateway, clients, rounds: found } of subjects) {
        const before = readUsage(gateway.child.pid ?? 0).cpuMicros
        const times = await Promise.all(wide.map((key) => inTurn(clients, key)))
        const sorted = times.flat().toSorted((a, b) => a - b)
        const cpuMicros = (readUsage(gateway.child.pid ?? 0).cpuMicros - before) / sorted.length
        const at = (share: number): number => sorted[Math.floor(share * (sorted.length - 1))] ?? 0
        if (round > 0) found.push({ p50: at(0.5), p95: at(0.95), cpuMicros })
      }
    const [without] = subjects
    let isMet = true
    for (const { name, clients, rounds: found } of subjects) {
      const ratio = (what: keyof Round) => least(found, what) / least(without?.rounds ?? [], what)
      const figures = (['p50', 'p95'] as const).map((what) => `${what} ${least(found, what).toFixed(0)} ms`)
      console.log(`\n  ${name}: ${figures.join(', ')}, ${least(found, 'cpuMicros').toFixed(0)} µs of CPU a request`)
      if (name === 'no keys') continue
      console.log(`  the median is ${ratio('p50').toFixed(2)} times that without keys`)
      isMet = report(`CPU a request, ${name}`, ratio('cpuMicros'), most, '×') && isMet
      const over = await Promise.all(tight.map((key) => answersOver(clients, key)))
      isMet = report(`answers over a budget, the worst key, ${name}`, Math.max(...over), parallel, 'answers') && isMet
      const short = over.filter((one) => one < 0).length
      isMet = report(`keys that got less than their budget, ${name}`, short, 0, 'keys') && isMet
    }
    return isMet
  } finally {
    for (const { gateway, clients } of subjects) {
      clients.close()
      await gateway.stop()
    }
    await redis.die()
    await model.stop()
  }
}

type Clients = ReturnType<typeof createClients>

const least = (rounds: readonly Round[], what: keyof Round): number => Math.min(...rounds.map((round) => round[what]))

async function inTurn(clients: Clients, key: string): Promise<readonly number[]> {
  const times: number[] = []
  for (let nth = 0; nth < requestsEach; nth++) {
    const { status, text, ms } = await clients.ask(key)
    if (status !== 200) throw new Error(`${status}: ${text}`)
    times.push(ms)
  }
  return times
}

/** Asks, so many at a time, until the budget is used up: how many answers came beyond it. */
async function answersOver(clients: Clients, key: string): Promise<number> {
  let answers = 0
  let isUsedUp = false
  const ask = async (): Promise<void> => {
    while (!isUsedUp) {
      const { status, text } = await clients.ask(key)
      if (status === 200) answers += 1
      else if (status === 429 && text.includes('insufficient_quota')) isUsedUp = true
      else throw new Error(`${status}: ${text}`)
    }
  }
  await Promise.all(Array.from({ length: parallel }, ask))
  return answers - answersInBudget
}
