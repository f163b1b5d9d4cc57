import { type ChildProcess, spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Refusal } from '../terminal/input.ts'

interface Command {
  readonly path: string
  readonly args: readonly string[]
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** Runs a program in this one's place: its screen, keyboard and signals. Resolves with its exit code as a shell tells it. */
export async function runInPlace({ path, args, environment }: Command): Promise<number> {
  const child = spawn(path, args, { stdio: 'inherit', env: environment, shell: /\.cmd$/i.test(path) })
  const stopPassing = passSignals(child)
  try {
    return await new Promise<number>((resolve, reject) => {
      child.on('error', (error) => reject(new Refusal(`I can't start ${path}: ${error.message}`)))
      child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
    })
  } finally {
    stopPassing()
  }
}

const passed = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
/** A terminal sends these to everybody in it. Passed on as well, one Ctrl+C would be two. */
const ofTheKeyboard: readonly string[] = ['SIGINT', 'SIGQUIT']

function passSignals(child: ChildProcess): () => void {
  const listeners = passed.map((signal) => {
    const listener = (): void => {
      if (process.stdin.isTTY === true && ofTheKeyboard.includes(signal)) return
      child.kill(signal)
    }
    process.on(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => {
    for (const stop of listeners) stop()
  }
}
