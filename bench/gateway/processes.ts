import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { availableParallelism, loadavg } from 'node:os'
import type { Job, Outcome } from './load.ts'
import type { Reading } from './meter.ts'
import { plainOf } from './plain.ts'

/** A process of the bench that answers questions about itself. */
export interface Part {
  readonly child: ChildProcess
  /** Where it listens; 0 where it does not. */
  readonly port: number
  read(): Promise<Reading>
  tell(word: 'watch' | 'collect'): void
  stop(): Promise<void>
}

// On a machine that has more to do than it has cores, one of them would be a trap.
const isBusy = (loadavg()[0] ?? 0) > availableParallelism()
const hasTaskset = availableParallelism() > 1 && !isBusy && canRun('taskset', ['--version'])

/** Whose core a process runs on, where that can be had: what is measured has one to itself. */
type Core = 'measured' | 'around' | 'any'
const cores = { measured: '0', around: '1', any: undefined } as const

/** Ends all of them. */
const children = new Set<ChildProcess>()
process.once('exit', () => {
  for (const child of children) child.kill('SIGKILL')
})

function canRun(program: string, flags: readonly string[]): boolean {
  try {
    execFileSync(program, flags, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

export function start(
  core: Core,
  program: readonly string[],
  more: { readonly env?: NodeJS.ProcessEnv; readonly cwd?: string; readonly isSilent?: boolean } = {},
): ChildProcess {
  const own = cores[core]
  const pinned = hasTaskset && own !== undefined ? ['taskset', '-c', own, ...program] : program
  const [command = '', ...args] = pinned
  const child = spawn(command, args, {
    stdio: ['ignore', 'pipe', more.isSilent === false ? 'inherit' : 'ignore', 'ipc'],
    ...(more.env && { env: more.env }),
    ...(more.cwd && { cwd: more.cwd }),
  })
  children.add(child)
  child.once('exit', () => children.delete(child))
  return child
}

/** One of the bench's own programs. */
export async function startOwn(core: Core, file: string, ...args: readonly string[]): Promise<Part> {
  const child = start(core, [process.execPath, '--expose-gc', plainOf(file), ...args], { isSilent: false })
  const port = file === 'load.ts' ? 0 : (await once<{ port: number }>(child, 'port')).port
  return toPart(child, port)
}

export function toPart(child: ChildProcess, port: number): Part {
  return {
    child,
    port,
    async read() {
      child.send('read')
      return (await once<{ reading: Reading }>(child, 'reading')).reading
    },
    tell: (word) => void child.send(word),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** Has the generator do a job. Throws when an answer is not what it was to be. */
export async function send(load: Part, job: Job): Promise<Outcome> {
  load.child.send({ job })
  const { outcome } = await once<{ outcome: Outcome }>(load.child, 'outcome')
  if (outcome.failure !== undefined) throw new Error(`${job.model} at port ${job.port}: ${outcome.failure}`)
  return outcome
}

function once<T>(child: ChildProcess, field: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const hear = (message: object): void => {
      if (!(field in message)) return
      child.off('message', hear)
      child.off('exit', fail)
      resolve(message as T)
    }
    const fail = (): void => {
      reject(new Error(`a process of the bench ended before it told its ${field}`))
    }
    child.on('message', hear)
    child.once('exit', fail)
  })
}
