import { report } from '../measure.ts'
import { printSpread, quantileOf, round, type Spread, spreadOf } from './figures.ts'
import type { Job } from './load.ts'
import { startPeers } from './peers.ts'
import { type Part, send, startOwn } from './processes.ts'
import { type Scenario, scenarios, unitsOf } from './scenarios.ts'
import { build, type Subject, startDragoman, startParsed, startPassed } from './subjects.ts'

/** What one scenario found out about one gateway. */
export interface Row {
  readonly scenario: string
  readonly title: string
  readonly subject: string
  readonly unit: string
  readonly figure: Spread
  /** Against the pass-through of the same round. */
  readonly ratio: Spread
  readonly target?: number
  /** With how much the bench fails. */
  readonly bound?: number
  /** The slowest, where delays are measured. */
  readonly p99?: Spread
  readonly rssMegabytes: number
  /** How much of a core the load generator and the service took meanwhile. */
  readonly around: number
}

/** The load generator at the service itself, beside the fastest gateway: what it could send, and what was asked of it. */
export interface Headroom {
  readonly directPerSecond: number
  readonly throughPerSecond: number
}

export interface GatewayFindings {
  readonly rows: readonly Row[]
  readonly headroom: Headroom
}

/** Every gateway in turns, round by round, so that a slow minute hits all alike. */
export async function benchGateway(
  chosen: readonly string[] = [],
  { hasPeers = false, isQuick = false }: { readonly hasPeers?: boolean; readonly isQuick?: boolean } = {},
): Promise<{ readonly isMet: boolean; readonly findings: GatewayFindings }> {
  build()
  const service = await startOwn('around', 'service.ts')
  const load = await startOwn('around', 'load.ts')
  const url = `http://127.0.0.1:${service.port}`
  const subjects: readonly Subject[] = [
    { name: 'passed', part: await startPassed(url), reads: false },
    { name: 'parsed', part: await startParsed(url), reads: false },
    { name: 'dragoman', part: await startDragoman(url), reads: true },
    // As it is unless told otherwise: every exchange is kept for the inspector.
    { name: 'recording', part: await startDragoman(url, 'memory'), reads: true },
  ]
  const rows: Row[] = []
  const parts = [service, load, ...subjects.map(({ part }) => part)]
  let headroom: Headroom | undefined
  const wanted = scenarios
    .filter(({ name }) => chosen.length === 0 || chosen.includes(name))
    .map((scenario) => (isQuick ? quickly(scenario) : scenario))
  async function compare(those: readonly Subject[]): Promise<readonly Row[]> {
    const found: Row[] = []
    for (const scenario of wanted) {
      const taking = those.filter((subject) => subject.scenarios?.includes(scenario.name) !== false)
      if (taking.length < 2) continue
      const figures = await measure(scenario, taking, load, service)
      print(figures)
      found.push(...figures)
    }
    return found
  }
  try {
    rows.push(...(await compare(subjects)))
    headroom = await lookAround(subjects, load, service)
    if (hasPeers) {
      // By themselves, with a pass-through of their own: what they do after an answer would count for the next.
      const passed: Subject = { name: 'passed', part: await startPassed(url), reads: false }
      parts.push(passed.part)
      const peers = await startPeers(url)
      parts.push(...peers.map(({ part }) => part))
      const found = await compare([passed, ...peers])
      rows.push(...found.filter(({ subject }) => subject !== passed.name))
    }
  } finally {
    await Promise.all(parts.map((part) => part.stop()))
  }
  return { isMet: judge(rows), findings: { rows, headroom } }
}

/** With fewer requests a round, but not so few that their connections count: for a first look, and for busy machines. */
function quickly(scenario: Scenario): Scenario {
  const { connections, requests } = scenario.job
  return {
    ...scenario,
    job: { ...scenario.job, requests: Math.min(requests, Math.max(10 * connections, Math.ceil(requests / 4))) },
  }
}

interface Sample {
  readonly figure: number
  /** Of the events' delays: half of them, and nearly all. */
  readonly p50: number
  readonly p99: number
  readonly around: number
}

async function measure(
  scenario: Scenario,
  subjects: readonly Subject[],
  load: Part,
  service: Part,
): Promise<readonly Row[]> {
  const samples = new Map<string, Sample[]>(subjects.map(({ name }) => [name, []]))
  for (const subject of subjects) await warmUp(scenario, subject, load, service)
  for (let round = 0; round < scenario.rounds; round++) {
    const direct = scenario.measure === 'first-byte' ? await firstByte(scenario, service.port, load) : 0
    for (const subject of subjects) {
      const sample = await once(scenario, subject, load, service, round)
      samples.get(subject.name)?.push({ ...sample, figure: sample.figure - direct })
    }
  }
  const rows: Row[] = []
  for (const { name, part } of subjects) {
    const own = samples.get(name) ?? []
    const base = samples.get('passed') ?? []
    const shared = {
      subject: name,
      rssMegabytes: (await part.read()).rssBytes / 1e6,
      around: spreadOf(own.map(({ around }) => around)).median,
    }
    const against = (figure: (sample: Sample) => number) => ({
      figure: spreadOf(own.map(figure)),
      ratio: spreadOf(own.map((sample, n) => figure(sample) / (base[n] === undefined ? Number.NaN : figure(base[n])))),
    })
    const { target, bound, title, delay } = scenario
    rows.push({
      ...shared,
      scenario: scenario.name,
      title,
      unit: scenario.measure === 'cpu' ? `µs of CPU ${perWord(scenario)}` : 'µs',
      ...against(({ figure }) => figure),
      ...(name === 'dragoman' && target !== undefined && { target, bound }),
    })
    if (delay === undefined) continue
    rows.push({
      ...shared,
      scenario: `${scenario.name}, delay`,
      title: 'from the service to the client, half of the events',
      unit: 'µs',
      ...against(({ p50 }) => p50),
      p99: spreadOf(own.map(({ p99 }) => p99)),
      ...(name === 'dragoman' && delay),
    })
  }
  return rows
}

/** Until it no longer gets faster, but not for ever: a round of a busy minute says nothing, the best of several does. */
async function warmUp(scenario: Scenario, subject: Subject, load: Part, service: Part): Promise<void> {
  const { warmUpSeconds = 4 } = scenario
  const start = performance.now()
  const secondsSince = () => (performance.now() - start) / 1000
  const figures: number[] = []
  const isFaster = () => Math.min(...figures.slice(-8)) < 0.97 * Math.min(...figures.slice(0, -8))
  while (secondsSince() < warmUpSeconds || (isFaster() && secondsSince() < 2 * warmUpSeconds))
    figures.push((await once(scenario, subject, load, service, -1 - figures.length)).figure)
}

const perWord = ({ per }: Scenario) => (per === 'request' ? 'a request' : 'an event')

async function once(
  scenario: Scenario,
  { name, part, reads, headers, whole, share = 1 }: Subject,
  load: Part,
  service: Part,
  round: number,
): Promise<Sample> {
  const { expects, ...asked } = scenario.job
  const requests = Math.max(asked.connections, Math.ceil(asked.requests * share))
  const model = whole === undefined || asked.stream ? {} : { model: whole }
  const place = { port: part.port, salt: `${name}-${round}`, ...(headers && { headers }), ...model }
  if (scenario.before !== undefined) await send(load, { ...scenario.before, ...place })
  else if (scenario.warmUpSeconds !== 0) await send(load, { ...place, ...connecting(asked.connections, share) })
  const [before, loadBefore, serviceBefore] = await Promise.all([part.read(), load.read(), service.read()])
  const outcome = await send(load, { ...asked, requests, ...place, ...(reads && expects !== undefined && { expects }) })
  const [after, loadAfter, serviceAfter] = await Promise.all([part.read(), load.read(), service.read()])
  const aroundMicros = loadAfter.cpuMicros - loadBefore.cpuMicros + serviceAfter.cpuMicros - serviceBefore.cpuMicros
  const around = aroundMicros / outcome.wallMicros
  return {
    figure:
      scenario.measure === 'first-byte'
        ? quantileOf(outcome.firstBytes, 0.5)
        : (after.cpuMicros - before.cpuMicros) / unitsOf({ ...scenario, job: { ...asked, requests } }),
    p50: quantileOf(outcome.delays, 0.5),
    p99: quantileOf(outcome.delays, 0.99),
    around,
  }
}

/** While the others had their turn, connections may have ended on both sides: they are made before anything counts. */
function connecting(connections: number, share: number): Omit<Job, 'port'> {
  return {
    model: 'short',
    stream: true,
    connections,
    requests: Math.max(connections, Math.ceil(4 * connections * share)),
  }
}

async function firstByte({ job }: Scenario, port: number, load: Part): Promise<number> {
  const { expects: _, ...asked } = job
  return quantileOf((await send(load, { ...asked, port })).firstBytes, 0.5)
}

/** Whether the generator and the service could do more than any gateway asked of them. */
async function lookAround(subjects: readonly Subject[], load: Part, service: Part): Promise<Headroom> {
  const job = { model: 'short', stream: true, connections: 32, requests: 3200 }
  const perSecond = async (port: number) => job.requests / ((await send(load, { ...job, port })).wallMicros / 1e6)
  await perSecond(service.port)
  const directPerSecond = await perSecond(service.port)
  const through: number[] = []
  for (const { part, share } of subjects) if (share === undefined) through.push(await perSecond(part.port))
  const throughPerSecond = Math.max(...through)
  console.log(
    `\nthe load generator: ${round(directPerSecond)} requests a second at the service itself, ${round(throughPerSecond)} through the fastest gateway`,
  )
  return { directPerSecond, throughPerSecond }
}

function print(rows: readonly Row[]): void {
  for (const name of new Set(rows.map(({ scenario }) => scenario))) {
    const own = rows.filter(({ scenario }) => scenario === name)
    console.log(`\n${name}: ${own[0]?.title}`)
    for (const { subject, unit, figure, ratio, p99, rssMegabytes, around } of own) {
      const late = p99 === undefined ? '' : `   p99 ${printSpread(p99)}`
      console.log(
        `  ${subject.padEnd(12)}${printSpread(figure).padStart(24)} ${unit.padEnd(22)}${printSpread(ratio).padStart(22)} ×${late}   ${rssMegabytes.toFixed(0)} MB   (around it ${(around * 100).toFixed(0)} % of a core)`,
      )
    }
  }
}

function judge(rows: readonly Row[]): boolean {
  console.log()
  return rows
    .map(
      ({ scenario, ratio, target, bound }) =>
        target === undefined || report(`${scenario} against the pass-through`, ratio.median, target, '×', bound),
    )
    .every(Boolean)
}
