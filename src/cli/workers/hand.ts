import { type ChildProcess, fork } from 'node:child_process'
import type { Family } from '../../server/metrics/families.ts'
import type { Service } from '../compose/service.ts'
import { environmentWithCompiled } from '../node/compiled.ts'
import type { Briefing, SupervisorDuties, WorkerDuties } from './duties.ts'
import { type Channel, createLine, type Line } from './line.ts'

/** A worker, as its supervisor sees it. */
export interface Hand {
  readonly number: number
  readonly pid: number
  readonly line: Line<WorkerDuties>
  readonly entrances: Service['entrances']
  /** As last told. */
  figures: readonly Family[]
  /** Resolves with how it ended, in words. */
  readonly ended: Promise<string>
  kill(): void
}

/** The same program from the sources and from the package. */
const program = new URL(`./worker${import.meta.url.slice(import.meta.url.lastIndexOf('.'))}`, import.meta.url)

/** Starts a worker; rejects when it ends before it can serve. `duties` is what is done for it. */
export async function hire(briefing: Briefing, duties: SupervisorDuties): Promise<Hand> {
  const child = fork(program, [], {
    serialization: 'advanced',
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    env: environmentWithCompiled(),
  })
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`could not be started: ${error.message}`))
    child.once('exit', (code, signal) => resolve(signal === null ? `ended with exit code ${code}` : `got ${signal}`))
  })
  const line = createLine<WorkerDuties>(channelTo(child), duties)
  try {
    const entrances = await Promise.race([line.ask('start', briefing), ended.then(rejectWith)])
    const { number } = briefing
    return { number, pid: child.pid ?? 0, line, entrances, figures: [], ended, kill: () => void child.kill('SIGKILL') }
  } catch (error) {
    child.kill('SIGKILL')
    throw error
  }
}

function rejectWith(reason: string): never {
  throw new Error(`it ${reason}`)
}

/** What is said to a worker that has died is lost: its end is noticed by itself. */
function channelTo(child: ChildProcess): Channel {
  return {
    send(message, socket) {
      if (child.connected) child.send(message as object, socket, () => undefined)
      else socket?.destroy()
    },
    onMessage: (listener) => void child.on('message', (message, socket) => listener(message, socket as never)),
  }
}
