import cluster from 'node:cluster'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config, LoadOptions } from '../../config/load.ts'
import { reviewReload } from '../../config/sources/reload.ts'
import type { Address } from '../../config/values/address.ts'
import { createToken } from '../../server/inspector/token.ts'
import { doorsOf, entrancesOf, originOf, type Service, type SharedTraces } from '../compose/service.ts'
import { checkStore } from '../compose/store.ts'
import { inspectorAt } from '../compose/traces.ts'
import { environmentWithCompiled } from '../node/compiled.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Briefing, Reason, SupervisorCalls, WorkerCalls } from './calls.ts'
import { type Counted, createFigures } from './figures.ts'
import { connect } from './rpc.ts'
import { createShared } from './shared.ts'
import { createSharedFolder } from './shared-folder.ts'

interface ClusterOptions {
  readonly config: Config
  readonly loading: LoadOptions
  readonly terminal: Terminal
  readonly port: number
}

/** A worker, as its supervisor sees it. `number` is its place: a worker that is replaced leaves it to another. */
interface Member extends Counted {
  readonly number: number
  readonly pid: number | undefined
  /** Resolves when it has ended. */
  readonly ended: Promise<unknown>
  readonly kill: () => void
  /** The model servers, as last reported. */
  seen: Service['seen']
  isBeingReplaced: boolean
}

/**
 * Several workers that are one gateway: `node:cluster` shares the port; what is added is that workers are replaced one by one
 * without cutting an answer, and that limits hold for all together.
 */
export async function startCluster({ config, loading, terminal, port }: ClusterOptions): Promise<Service> {
  checkStore(config)
  const address = await findFree(config.settings.listen.host, port)
  // The same program from the sources and from the package.
  const program = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  cluster.setupPrimary({ exec: fileURLToPath(program), args: [], serialization: 'advanced', stdio: [...stdio] })
  cluster.schedulingPolicy = cluster.SCHED_RR

  const shared = createShared(Date.now)
  /** All that run, those that finish what they have included. */
  const members = new Set<Member>()
  const serving = new Map<number, Member>()
  const restarts = new Map<number, NodeJS.Timeout>()
  const backoffs = new Map<number, ReturnType<typeof createBackoff>>()
  const figures = createFigures(members)
  const folder = createSharedFolder()
  const traces: SharedTraces = { token: createToken().text, file: folder && join(folder.path, 'traces.db') }
  let current = config
  let isClosing = false
  const say = (sentence: string): void => terminal.complain(`${sentence}\n`)
  if (folder === undefined && config.settings.inspector && config.settings.traces.store === 'memory') say(noFolder)

  function briefing(number: number): Briefing {
    const { flags = {}, found = [] } = loading
    return { number, port: address.port, flags: { ...flags }, file: current.file, found: [...found], traces }
  }

  /** The new worker serves before the one in its place stops taking connections. */
  async function start(number: number): Promise<void> {
    const { calls, clear } = shared.open()
    const child = cluster.fork(environmentWithCompiled())
    const ended = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(`could not be started: ${error.message}`))
      child.once('exit', (code, signal) => resolve(signal ? `got ${signal}` : `ended with exit code ${code}`))
    })
    const call = connect<WorkerCalls>(child, {
      ...calls,
      printFigures: (own) => figures.print(member, own),
      replaceMe: (reason) => replace(member, reason),
      report: (own, seen) => void Object.assign(member, { figures: own, seen }),
    } satisfies SupervisorCalls)
    const member: Member = {
      ...{ number, pid: child.process.pid, call, ended, kill: () => child.process.kill('SIGKILL') },
      ...{ figures: [], seen: [], isBeingReplaced: false },
    }
    members.add(member)
    void ended.then((how) => {
      clear()
      members.delete(member)
      figures.keep(member)
      if (isClosing || serving.get(number) !== member) return
      serving.delete(number)
      figures.restarted('died')
      restart(number, `Worker ${number} (process ${member.pid}) ${how}. Starting another`)
    })
    try {
      const failed = ended.then((how) => Promise.reject(new Error(`it ${how}`)))
      await Promise.race([call('start', briefing(number)), failed])
    } catch (error) {
      member.kill()
      throw error
    }
    const before = number > current.settings.workers ? member : serving.get(number)
    if (before !== member) serving.set(number, member)
    clearTimeout(restarts.get(number))
    before?.call('retire').catch(() => undefined)
    if (isClosing) call('close').catch(() => undefined)
  }

  function restart(number: number, why: string): void {
    const backoff = backoffs.get(number) ?? createBackoff(Date.now)
    backoffs.set(number, backoff)
    const waitMs = backoff.next()
    say(`${why}${waitMs === 0 ? '' : ` in ${waitMs / 1000} s`}.`)
    const run = async (): Promise<void> => {
      if (isClosing || number > current.settings.workers) return
      await start(number).catch((error: Error) => {
        if (!isClosing) restart(number, `Worker ${number} couldn't start: ${error.message}. Trying again`)
      })
    }
    restarts.set(number, setTimeout(run, waitMs))
  }

  async function replace(member: Member, reason: Reason): Promise<void> {
    const { number, pid } = member
    if (isClosing || serving.get(number) !== member || member.isBeingReplaced) return
    member.isBeingReplaced = true
    say(`Worker ${number} (process ${pid}) ${reasons[reason]}. Replacing it; its requests may finish.`)
    figures.restarted(reason)
    await start(number).catch((error: Error) => {
      member.isBeingReplaced = false
      say(`Worker ${number} couldn't be replaced: ${error.message}.`)
    })
  }

  let rolling = Promise.resolve()
  let latest: Config | undefined

  /** Replaces all workers, one by one, unless the configuration changes again meanwhile. */
  async function replaceAll(wanted: Config): Promise<void> {
    const { workers } = wanted.settings
    for (const [number, member] of serving) {
      if (number <= workers) continue
      serving.delete(number)
      member.call('retire').catch(() => undefined)
    }
    for (let number = 1; number <= workers; number++) {
      if (latest !== wanted || isClosing) return
      try {
        await start(number)
        figures.restarted('reload')
      } catch (error) {
        const { message } = error as Error
        return say(`Worker ${number} couldn't be replaced: ${message}. The old ones stay.`)
      }
    }
    say(`Replaced ${workers === 1 ? 'the worker' : `all ${workers} workers`}.`)
  }

  function endAll(): void {
    for (const { kill } of members) kill()
    folder?.remove()
  }

  try {
    await Promise.all(Array.from({ length: config.settings.workers }, (_, index) => start(index + 1)))
  } catch (error) {
    isClosing = true
    endAll()
    throw error
  }
  process.once('exit', endAll)

  const first = (): Member | undefined => serving.values().next().value
  return {
    origin: originOf(address),
    get inspector() {
      return inspectorAt(address, current, traces.token)
    },
    get entrances() {
      return entrancesOf(doorsOf(current), originOf(address))
    },
    async underWay() {
      const counts = await Promise.all([...members].map(({ call }) => call('underWay').catch(() => 0)))
      return counts.reduce((sum, count) => sum + count, 0)
    },
    full: new Promise(() => undefined),
    get seen() {
      return first()?.seen ?? []
    },
    services: async () => (await first()?.call('services', servicesWithinMs)) ?? [],
    replace(next, anew = false) {
      checkStore(next)
      const changes = reviewReload({ initial: config, current, next }, address)
      const isSame = next.file?.text === current.file?.text
      current = next
      if (anew || !isSame) {
        latest = next
        rolling = rolling.then(() => replaceAll(next))
      } else for (const { number, call } of serving.values()) call('takeUp', briefing(number)).catch(() => undefined)
      return changes
    },
    async close() {
      isClosing = true
      for (const timer of restarts.values()) clearTimeout(timer)
      for (const { call } of members) call('close').catch(() => undefined)
      await Promise.all([...members].map(({ ended }) => ended))
    },
  }
}

/** Workers listen on a port that is known: 0 would be another one after all of them had ended. */
function findFree(host: string, port: number): Promise<Address> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(port, host.replace(/^\[(.*)\]$/, '$1'), () => {
      const bound = server.address()
      server.close(() => resolve({ host, port: typeof bound === 'object' && bound !== null ? bound.port : port }))
    })
  })
}

const servicesWithinMs = 2000

const noFolder =
  'The inspector shows nothing: several workers keep exchanges in a temporary folder, and none can be written here.'

const reasons: Readonly<Record<Reason, string>> = {
  memory: 'is short of memory',
  signal: 'was asked to stop',
  crash: 'hit an internal error',
}

/** After this long a worker has proved that it can live. */
const provenMs = 60_000
const firstWaitMs = 1000
const longestWaitMs = 30_000

/** How long to wait before a worker that died is started again: not at all at first, longer each time it dies young. */
export function createBackoff(now: () => number) {
  let died = 0
  let diedAt = Number.NEGATIVE_INFINITY
  return {
    next(): number {
      died = now() - diedAt < provenMs ? died + 1 : 0
      diedAt = now()
      return died === 0 ? 0 : Math.min(firstWaitMs * 2 ** (died - 1), longestWaitMs)
    },
  }
}
