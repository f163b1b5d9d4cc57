import { readFileSync } from 'node:fs'
import { report } from '../measure.ts'
import { printSpread, type Spread, spreadOf } from './figures.ts'
import { readUsage } from './foreign.ts'
import { type Part, send, startOwn } from './processes.ts'
import { build, startWorkers } from './subjects.ts'

export interface WorkersFindings {
  /** Requests a second with two workers, times those with one, all on the same cores as the load and the model server. */
  readonly measured: Spread
  /** The same with two cores for the gateway alone: twice what a core can do, less what two workers cost more. */
  readonly alone: Spread
}

const rounds = 5
/** Each worker compiles what is hot for itself, and gets its share of the requests to find out what that is. */
const warmUpSecondsEach = 8
const aim = 1.7
/** Whole answers cost the gateway much and those around it little, which is as near as two cores come to being its own. */
const job = { model: 'text-calls', stream: false, connections: 32, requests: 640 }

/** What a second worker adds. CPU time is of all processes of a gateway, its supervisor's too. */
export async function benchWorkers(): Promise<{ readonly isMet: boolean; readonly findings: WorkersFindings }> {
  build()
  const service = await startOwn('any', 'service.ts')
  const load = await startOwn('any', 'load.ts')
  const url = `http://127.0.0.1:${service.port}`
  const gateways = [await startWorkers(url, 1), await startWorkers(url, 2)] as const
  const measured: number[] = []
  const alone: number[] = []
  try {
    for (const [index, gateway] of gateways.entries()) {
      const end = performance.now() + (index + 1) * warmUpSecondsEach * 1000
      while (performance.now() < end) await once(gateway, load)
    }
    for (let round = 0; round < rounds; round++) {
      const [one, two] = [await once(gateways[0], load), await once(gateways[1], load)]
      measured.push(one.wallMicros / two.wallMicros)
      alone.push((2 * one.cpuMicros) / two.cpuMicros)
    }
  } finally {
    await Promise.all([service, load, ...gateways].map((part) => part.stop()))
  }
  const findings = { measured: spreadOf(measured), alone: spreadOf(alone) }
  console.log('\ntwo workers, times one')
  console.log(
    `  requests a second, on cores shared with the load and the model server  ${printSpread(findings.measured)}`,
  )
  console.log(
    `  by CPU time, with two cores of their own                               ${printSpread(findings.alone)}\n`,
  )
  // A figure is met when it is small: what one worker does of what two do.
  const isMet = report('one worker, of what two can do', 1 / findings.alone.median, 1 / aim, '×', 0.8)
  return { isMet, findings }
}

async function once(gateway: Part, load: Part) {
  const before = usedBy(gateway)
  const { wallMicros } = await send(load, { ...job, port: gateway.port })
  return { wallMicros, cpuMicros: usedBy(gateway) - before }
}

/** Of a process and its children. */
function usedBy({ child: { pid = 0 } }: Part): number {
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').filter(Boolean)
  return [pid, ...children.map(Number)].reduce((sum, one) => sum + readUsage(one).cpuMicros, 0)
}
