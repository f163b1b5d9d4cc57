import { type ChildProcess, spawn } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RunningGateway {
  /** As printed at the start, without `/v1`. */
  readonly origin: string
  /** Everything it printed so far. */
  readonly printed: () => string
  readonly stop: () => Promise<void>
}

export interface Start {
  /** The program and what stands before its own arguments: `['node', 'src/cli/main.ts']`. */
  readonly command: readonly [string, ...string[]]
  readonly args?: readonly string[]
  readonly folder?: string
  readonly env?: NodeJS.ProcessEnv
  readonly patienceMs?: number
}

export const checkout: readonly [string, ...string[]] = [process.execPath, 'src/cli/main.ts']

/** Starts the real program on a free port and waits for the address it prints. */
export async function startGateway(start: Start): Promise<RunningGateway> {
  const [program, ...before] = start.command
  const child = spawn(program, [...before, 'serve', '--listen', '127.0.0.1:0', ...(start.args ?? [])], {
    cwd: start.folder,
    // Whoever runs the tests may have a configuration of their own.
    env: { ...(start.env ?? process.env), XDG_CONFIG_HOME: join(tmpdir(), 'dragoman-no-config') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  const origin = await new Promise<string>((resolve, reject) => {
    const patience = setTimeout(() => give('did not print its address in time'), start.patienceMs ?? 20_000)
    const give = (why: string) => {
      clearTimeout(patience)
      child.kill('SIGKILL')
      reject(new Error(`the gateway ${why}:\n${printed}`))
    }
    const read = (piece: Buffer) => {
      printed += piece
      // The closing /v1 makes sure that the port has arrived whole.
      const match = /(http:\/\/127\.0\.0\.1:\d+)\/v1/.exec(printed)
      if (match?.[1] === undefined) return
      clearTimeout(patience)
      resolve(match[1])
    }
    child.stdout.on('data', read)
    child.stderr.on('data', read)
    child.on('error', (error) => give(`could not be started (${error.message})`))
    child.on('exit', (code) => give(`ended with ${code}`))
  })
  return { origin, printed: () => printed, stop: () => stop(child) }
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((resolve) => child.once('exit', resolve))
  const patience = setTimeout(() => child.kill('SIGKILL'), 5_000)
  child.kill('SIGTERM')
  await gone
  clearTimeout(patience)
}
