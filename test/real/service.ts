import { type ChildProcess, spawn } from 'node:child_process'
import { createServer } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'

/** A model service that runs for as long as it is wanted. */
export interface RealService {
  readonly origin: string
  stop(): void
}

const startWithinMs = 60_000

/** Starts a program that serves on the port it is given, and waits until it answers. */
export async function startReal(
  start: (port: number) => {
    readonly command: readonly [string, ...string[]]
    readonly environment?: NodeJS.ProcessEnv
  },
  health: string,
  withinMs = startWithinMs,
): Promise<RealService> {
  const port = await freePort()
  const { command, environment = {} } = start(port)
  const [program, ...args] = command
  const child: ChildProcess = spawn(program, args, { stdio: 'ignore', env: { ...process.env, ...environment } })
  const stop = () => void child.kill('SIGTERM')
  const origin = `http://127.0.0.1:${port}`
  const until = performance.now() + withinMs
  while (performance.now() < until && child.exitCode === null && child.pid !== undefined) {
    const answered = await fetch(origin + health).catch(() => undefined)
    if (answered?.ok === true) return { origin, stop }
    await wait(100)
  }
  stop()
  throw new Error(`${program} did not answer at ${origin}${health}.`)
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0))
    })
  })
}
