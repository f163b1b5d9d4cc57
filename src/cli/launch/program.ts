import { type ChildProcess, spawn } from 'node:child_process'
import { accessSync, constants, statSync } from 'node:fs'
import { constants as system } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import type { Surroundings } from '../../config/sources/surroundings.ts'
import { Refusal } from '../terminal/input.ts'

/** Where a program is, as a shell would find it. */
export function findProgram(
  name: string,
  { environment, workingDirectory, platform }: Surroundings,
): string | undefined {
  if (name.includes('/'))
    return isProgram(resolve(workingDirectory, name)) ? resolve(workingDirectory, name) : undefined
  const endings = platform === 'win32' ? ['.exe', '.cmd', ''] : ['']
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders
    .flatMap((folder) => endings.map((ending) => join(resolve(workingDirectory, folder), name + ending)))
    .find(isProgram)
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

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
      child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : system.signals[signal])))
    })
  } finally {
    stopPassing()
  }
}

const passed = ['SIGTERM', 'SIGHUP', 'SIGINT', 'SIGQUIT'] as const
/** A terminal sends these to the whole process group. Passed on as well, one Ctrl+C would be two. */
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
