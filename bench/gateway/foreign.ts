import { type ChildProcess, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { type Part, toPart } from './processes.ts'

/** Ticks and pages as the kernel counts them. */
const ticksPerSecond = numberOf('CLK_TCK')
const pageBytes = numberOf('PAGESIZE')

function numberOf(name: string): number {
  try {
    return Number(execFileSync('getconf', [name], { encoding: 'utf8' }))
  } catch {
    return Number.NaN
  }
}

/** A process that is no Node, and cannot be asked: the kernel tells what it used. Linux only. */
export function toForeignPart(child: ChildProcess, port: number): Part {
  return {
    ...toPart(child, port),
    async read() {
      const { cpuMicros, rssBytes } = readUsage(child.pid ?? 0)
      return { cpuMicros, rssBytes, oldBytes: 0, stalledMs: 0 }
    },
    tell: () => undefined,
  }
}

/** What a process has used so far, without its children. */
export function readUsage(pid: number): { readonly cpuMicros: number; readonly rssBytes: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  // The name of the program may have anything in it; behind it are numbers.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const ticks = Number(fields[11]) + Number(fields[12])
  return { cpuMicros: (ticks * 1e6) / ticksPerSecond, rssBytes: Number(fields[21]) * pageBytes }
}
