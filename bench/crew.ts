import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Finding, Task } from './sweeping.ts'

/** What is said of a task that killed its process, or never came back. */
export const lost = 'died, or never came back'
/** A child that says nothing for so long hangs. */
const patienceMs = 15_000

/** Has tasks done by several processes, each in its place; those that are not done when the time is up have no finding. */
export async function performAll(
  tasks: readonly Task[],
  budgetMs: number,
  workers: number,
  flags: readonly string[],
): Promise<readonly (Finding | undefined)[]> {
  const end = performance.now() + budgetMs
  const findings = new Array<Finding | undefined>(tasks.length).fill(undefined)
  await Promise.all(
    Array.from({ length: workers }, async (_, worker) => {
      let place = worker
      for await (const finding of performEach(
        tasks.filter((_task, n) => n % workers === worker),
        flags,
      )) {
        findings[place] = finding
        place += workers
        if (performance.now() >= end) return
      }
    }),
  )
  return findings
}

/** The findings of these tasks, in order. One that kills its process, or never comes back, finds nothing. */
async function* performEach(tasks: readonly Task[], flags: readonly string[]): AsyncGenerator<Finding, void> {
  for (let done = 0; done < tasks.length; done++) {
    for await (const finding of performInOne(tasks.slice(done), flags)) {
      yield finding
      done++
    }
    if (done < tasks.length) yield { samples: [], failure: lost }
  }
}

/** As many findings as one process lives to tell. */
async function* performInOne(tasks: readonly Task[], flags: readonly string[]): AsyncGenerator<Finding, void> {
  const child = spawn(process.execPath, [...flags, join(import.meta.dirname, 'sweeping.ts')], {
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const kill = () => child.kill('SIGKILL')
  let alarm = setTimeout(kill, patienceMs)
  // A worker that dies early leaves tasks unread.
  child.stdin.on('error', () => undefined)
  child.stdin.end(tasks.map((task) => JSON.stringify(task)).join('\n'))
  try {
    for await (const line of createInterface({ input: child.stdout })) {
      clearTimeout(alarm)
      alarm = setTimeout(kill, patienceMs)
      yield JSON.parse(line) as Finding
    }
  } finally {
    clearTimeout(alarm)
    kill()
  }
}
