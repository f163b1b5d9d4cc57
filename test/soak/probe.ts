import { readdirSync, readFileSync } from 'node:fs'
import type { Stage } from '../faults/stage.ts'
import { until } from '../until.ts'

/** How the program is inside, when nothing is garbage any more. */
export interface Sample {
  readonly heapBytes: number
  /** Timers and the like that are still set. */
  readonly timers: number
  readonly descriptors: number
  readonly residentBytes: number
}

/** Runs in the program: on a signal it collects its garbage and tells how it is. */
const source = `
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
setFlagsFromString('--expose-gc')
const gc = runInNewContext('gc')
let nth = 0
process.on('SIGUSR2', () => {
  gc()
  const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
  process.stderr.write('PROBE ' + JSON.stringify({ nth: ++nth, timers, heapBytes: process.memoryUsage().heapUsed }) + '\\n')
})`

export const probed = {
  environment: { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(source)}` },
} as const

export function createProbe({ child, log }: Stage): () => Promise<Sample> {
  const { pid = 0 } = child
  let asked = 0
  return async () => {
    asked += 1
    child.kill('SIGUSR2')
    const pattern = new RegExp(`^PROBE (\\{"nth":${asked},.*\\})$`, 'm')
    await until(() => pattern.test(log()))
    const told = JSON.parse(pattern.exec(log())?.[1] ?? '{}') as { timers: number; heapBytes: number }
    return { ...told, descriptors: descriptorsOf(pid), residentBytes: residentOf(pid) }
  }
}

const descriptorsOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

function residentOf(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

export function residentPeakOf(pid: number): number {
  return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
}

/** Bytes an hour, by the line that fits best. */
export function slopeOf(samples: readonly { readonly atMs: number; readonly bytes: number }[]): number {
  const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanAt, meanBytes] = [mean(samples.map(({ atMs }) => atMs)), mean(samples.map(({ bytes }) => bytes))]
  const across = samples.reduce((sum, { atMs, bytes }) => sum + (atMs - meanAt) * (bytes - meanBytes), 0)
  const along = samples.reduce((sum, { atMs }) => sum + (atMs - meanAt) ** 2, 0)
  return along === 0 ? 0 : (across / along) * 3_600_000
}
