import { writeFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { builtProgram } from '../built.ts'
import type { startRedis } from '../qwen/redis-server.ts'
import type { Stage } from './stage.ts'

/** What the fault may use and change while answers are under way. */
export interface Scene {
  readonly stage: Stage
  readonly config: object
  readonly redis: Awaited<ReturnType<typeof startRedis>>
  /** Status of a further request, which the model server answers at once; 0 without an answer. */
  readonly ask: () => Promise<number>
  readonly until: (isSo: () => unknown) => Promise<void>
}

export interface SelfFault {
  readonly name: string
  readonly config?: (scene: Pick<Scene, 'redis'>) => object
  readonly start?: Parameters<typeof import('./stage.ts').startStage>[1]
  /** Happens while every lane has got half of a call. */
  readonly act: (scene: Scene) => Promise<void> | void
  /** What becomes of the answers under way. */
  readonly expected: 'whole' | 'cut'
  /** What must hold when they have ended. */
  readonly after?: (scene: Scene) => Promise<void>
}

/** Runs in the program before it starts: a signal is how the test reaches it. */
const onSignal = (source: string) => ({
  environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` },
})

const clockJump = (ms: number) =>
  onSignal(
    `const now=Date.now;let by=0;Date.now=()=>now()+by;process.on('SIGUSR2',()=>{by=${ms};process.stderr.write('jumped\\n')})`,
  )

const hour = 3_600_000

const shell = (line: string) => ({ command: ['sh', '-c', line, ...builtProgram()] as const })

function rewrite({ stage, config }: Scene, text: (config: object) => string): void {
  writeFileSync(join(stage.folder, 'dragoman.yaml'), text(config))
}

const signal =
  (name: NodeJS.Signals) =>
  ({ stage }: Scene): void =>
    void stage.child.kill(name)

const ended =
  (code: number | null) =>
  async ({ stage, until }: Scene): Promise<void> => {
    await until(() => stage.child.exitCode !== null || stage.child.signalCode !== null)
    if (stage.child.exitCode !== code) throw new Error(`it ended with ${stage.child.exitCode}`)
  }

const serves = async ({ ask, until }: Scene): Promise<void> => until(async () => (await ask()) === 200)

async function waitFor({ stage, until }: Scene, words: RegExp): Promise<void> {
  await until(() => words.test(stage.log()))
}

/** More connections than the program may have open. */
async function exhaust(origin: string, count: number): Promise<readonly Socket[]> {
  const { port, hostname } = new URL(origin)
  return await Promise.all(
    Array.from({ length: count }, () => {
      const socket = connect(Number(port), hostname)
      return new Promise<Socket>((done) => {
        socket.on('error', () => done(socket))
        socket.on('connect', () => done(socket))
      })
    }),
  )
}

export const selfFaults: readonly SelfFault[] = [
  { name: 'gets SIGTERM', act: signal('SIGTERM'), expected: 'whole', after: ended(0) },
  {
    name: 'gets SIGTERM twice',
    async act(scene) {
      signal('SIGTERM')(scene)
      await waitFor(scene, /Shutting down/)
      signal('SIGTERM')(scene)
    },
    expected: 'cut',
    after: ended(130),
  },
  { name: 'is killed', act: signal('SIGKILL'), expected: 'cut', after: ended(null) },
  {
    name: 'cannot write its log: the disk is full',
    start: shell('exec "$0" "$@" 2>/dev/full'),
    act: async ({ ask }) => void (await ask()),
    expected: 'whole',
    after: serves,
  },
  {
    name: 'cannot write its log: nobody reads it',
    act: ({ stage }) => void stage.child.stderr.destroy(),
    expected: 'whole',
    after: serves,
  },
  {
    name: 'gets a wrong configuration',
    async act(scene) {
      rewrite(scene, () => 'upstreams: 7\n')
      await waitFor(scene, /the old one stays/)
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'gets an empty configuration',
    async act(scene) {
      rewrite(scene, () => '')
      await waitFor(scene, /the old one stays/)
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'gets another configuration',
    async act(scene) {
      rewrite(scene, (config) => JSON.stringify({ ...config, log: 'debug' }))
      await waitFor(scene, /New configuration loaded/)
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'runs short of memory',
    async act(scene) {
      rewrite(scene, (config) => JSON.stringify({ ...config, limits: { heap_refuse: 1, heap_drain: 100 } }))
      await waitFor(scene, /New configuration loaded/)
      await scene.until(async () => (await scene.ask()) === 503)
    },
    start: { environment: { NODE_OPTIONS: '--max-old-space-size=256' } },
    expected: 'whole',
  },
  {
    name: 'sees the clock jump forward',
    start: clockJump(hour * 30),
    async act(scene) {
      signal('SIGUSR2')(scene)
      await waitFor(scene, /jumped/)
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'sees the clock jump back',
    start: clockJump(-hour * 30),
    async act(scene) {
      signal('SIGUSR2')(scene)
      await waitFor(scene, /jumped/)
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'has no descriptors left',
    start: shell('ulimit -n 80; exec "$0" "$@"'),
    async act({ stage }) {
      for (const socket of await exhaust(stage.origin, 120)) socket.destroy()
    },
    expected: 'whole',
    after: serves,
  },
  {
    name: 'breaks where nobody catches it',
    start: onSignal("process.on('SIGUSR2',()=>setImmediate(()=>{throw new Error('it broke')}))"),
    async act(scene) {
      signal('SIGUSR2')(scene)
      await waitFor(scene, /"code":"internal_error","cause":"Error: it broke/)
    },
    expected: 'whole',
    after: ended(1),
  },
  {
    name: 'loses its Redis',
    config: ({ redis }) => ({ sessions: { store: redis.url } }),
    async act({ redis, ask, until, stage }) {
      await redis.die()
      await until(async () => (await ask()) === 200)
      await until(() => stage.log().includes('"service":"redis","state":"down"'))
    },
    expected: 'whole',
    async after(scene) {
      await scene.redis.comeBack()
      await serves(scene)
      await scene.until(async () => {
        await scene.ask()
        return scene.stage.log().includes('"service":"redis","state":"back"')
      })
    },
  },
]
