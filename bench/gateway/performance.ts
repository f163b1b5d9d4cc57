import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { round, type Spread } from './figures.ts'
import type { GatewayFindings, Row } from './gateway.ts'
import { plotsOf } from './keep.ts'
import type { Machine } from './machine.ts'
import type { MemoryFindings } from './memory.ts'
import type { StartFindings } from './start.ts'
import type { WorkersFindings } from './workers.ts'

export interface Found {
  readonly machine: Machine
  readonly gateway?: GatewayFindings
  readonly memory?: MemoryFindings
  readonly start?: StartFindings
  readonly workers?: WorkersFindings
}

const docs = join(import.meta.dirname, '../../docs')

/** Writes `docs/performance.md`, with its figures and plots: nothing in it is written by hand. */
export function writePerformance(found: Found): void {
  const { gateway } = found
  if (gateway === undefined) throw new Error('There is nothing to write without the part "gateway".')
  const folder = join(docs, 'performance')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'figures.json'), `${JSON.stringify(found, null, 1)}\n`)
  for (const [name, plot] of plotsOf(gateway.rows)) writeFileSync(join(folder, name), plot)
  writeFileSync(join(docs, 'performance.md'), print(found, gateway))
}

const subjectNames: Readonly<Record<string, string>> = {
  passed: 'pass-through',
  parsed: 'parse and print',
  dragoman: '**Dragoman**',
  recording: 'Dragoman, recording',
  portkey: 'Portkey 1.15.2',
  'tool-parser': '@ai-sdk-tool/parser 4.1.26',
  litellm: 'LiteLLM 1.106.0',
}

function print({ machine, memory, start, workers }: Found, { rows, headroom }: GatewayFindings): string {
  const subjects = [...new Set(rows.map(({ subject }) => subject))]
  const scenarios = [...new Set(rows.map(({ scenario }) => scenario))]
  const table = [
    `| | unit | ${subjects.map((name) => subjectNames[name] ?? name).join(' | ')} | target |`,
    `|---|---|${subjects.map(() => '---').join('|')}|---|`,
    ...scenarios.map((name) =>
      toLine(
        rows.filter(({ scenario }) => scenario === name),
        subjects,
      ),
    ),
  ]
  return [
    '# Performance',
    '',
    'This page is written by the benchmark (`npm run bench -- gateway memory start workers --write`). All numbers come from one run on one',
    `machine: ${machine.processor}, ${machine.cores} cores, ${machine.memoryGigabytes} GB, ${machine.platform}, Node ${machine.node}, ${machine.date}.`,
    '',
    ...printLoad(machine),
    '## How it is measured',
    '',
    '- A scripted model server, the load generator and each gateway run in processes of their own. On a machine that has nothing',
    '  else to do, the gateway has one core to itself and the other two share another.',
    '- All gateways are kept running and take turns, round by round, so a slow minute hits all of them. A number is the',
    '  median of the rounds; the range is the lowest and the highest.',
    '- Every gateway does the same work for 4 to 16 seconds, until it gets no faster, before anything is counted: V8 compiles',
    '  what is hot for some ten thousand requests, and meanwhile that is what would be measured. The first row of the table',
    '  shows what it costs.',
    '- CPU time is what the whole gateway process used, its garbage collector included. It says how many requests a core can',
    '  handle, and unlike wall-clock time it means something on a machine that does other things as well.',
    '- Other gateways are measured after that, with a pass-through of their own: some still work after an answer has ended.',
    '- *pass-through* is a bare gateway on undici that copies bytes. *parse and print* runs `JSON.parse` and `JSON.stringify` on',
    '  every event and understands nothing. Both are in `bench/gateway`. No gateway that reads what it carries can be faster than',
    '  the first; the times in brackets compare with it.',
    '- **Dragoman** teaches 10 tools in the prompt, reads the calls out of the text, checks them and sends them as tool calls.',
    '  *Dragoman, recording* is the same with the inspector recording every exchange, which is the default on your own machine;',
    '  `traces: off` turns it off.',
    `- The load generator is not the limit: it sends ${round(headroom.directPerSecond)} short requests a second to the model server itself, and ${round(headroom.throughPerSecond)} through the`,
    '  fastest gateway.',
    '',
    '## Results',
    '',
    ...table,
    '',
    '![CPU time of the gateway, times a bare pass-through](performance/cpu.svg)',
    '',
    '![What the gateway adds, in microseconds](performance/latency.svg)',
    '',
    ...printMemory(memory),
    ...printStart(start),
    ...printWorkers(workers),
    '## Where the time goes',
    '',
    'A short answer costs what a request costs, whatever it says: reading it, planning its turn, teaching its tools and watching its calls',
    'are many small steps with a few objects each, where the pass-through copies bytes. The same work stands before the first byte.',
    '',
    'A long answer at full speed arrives in a few reads and leaves in as many writes, so what counts is the work for each event: recognising',
    "it, finding calls in its text, printing it. With one event a read, most of the time is the kernel's and Node's, which the pass-through",
    'pays as well ([decision 45](decisions/0045-one-plain-stream.md)).',
    '',
    '## Where others are better',
    '',
    'A gateway that does not read what the model says does less and is faster: the pass-through shows by how much. If all your models',
    'make proper tool calls already and you want nothing checked, you do not need the reading. Dragoman always streams from the model',
    'server, so an answer that your client wants whole costs what a stream costs.',
    ...printCheaper(rows),
    '',
    '## Repeat it',
    '',
    '```sh',
    'npm ci',
    'npm run bench -- gateway memory start workers          # prints the tables',
    'npm run bench -- gateway --peers                       # with other gateways, installed into cache folders',
    'npm run bench -- gateway memory start workers --write  # writes this page',
    '```',
    '',
    'Close other programs first. The raw numbers are in [performance/figures.json](performance/figures.json).',
    '',
  ].join('\n')
}

/** Caches and cores that others use make everything slower, and not everything by as much. */
function printLoad({ load, cores }: Machine): readonly string[] {
  if (load <= cores / 2) return []
  return [
    `**The machine was busy with other work** (load average ${load} on ${cores} cores), so compare the columns and don't read much into`,
    'a single number: on a quiet machine all of them are lower.',
    '',
  ]
}

/** Where another gateway took less CPU in this run. */
function printCheaper(rows: readonly Row[]): readonly string[] {
  const ours = rows.filter(({ subject }) => subject === 'dragoman')
  return rows
    .filter(({ subject }) => !['passed', 'parsed', 'dragoman', 'recording'].includes(subject))
    .flatMap(({ subject, scenario, title, figure }) => {
      const own = ours.find((row) => row.scenario === scenario)
      if (own === undefined || figure.median >= own.figure.median) return []
      const [peer, us] = [figure, own.figure].map(({ median }) => round(median))
      return [
        '',
        `${subjectNames[subject] ?? subject} took less in one row: ${title} (${peer} ${own.unit}, Dragoman ${us}).`,
      ]
    })
}

function toLine(own: readonly Row[], subjects: readonly string[]): string {
  const [first] = own
  const cells = subjects.map((name) => {
    const row = own.find(({ subject }) => subject === name)
    if (row === undefined) return '–'
    return name === 'passed' ? round(row.figure.median) : `${round(row.figure.median)} (${printRatio(row.ratio)})`
  })
  const target = own.find(({ subject }) => subject === 'dragoman')?.target
  return `| ${first?.title} | ${first?.unit} | ${cells.join(' | ')} | ${target === undefined ? '' : `≤ ${target}×`} |`
}

function printRatio({ median, least, most }: Spread): string {
  return `${round(median)}×, ${round(least)}–${round(most)}`
}

function printMemory(memory: MemoryFindings | undefined): readonly string[] {
  if (memory === undefined) return []
  const { idle, loaded, streams, stalledMs } = memory
  const line = (what: string, { passed, dragoman }: { readonly passed: number; readonly dragoman: number }) =>
    `| ${what} | ${passed.toFixed(0)} MB | ${dragoman.toFixed(0)} MB |`
  return [
    '## Memory',
    '',
    '| | pass-through | Dragoman |',
    '|---|---|---|',
    line('idle, from the built package', idle),
    line('after 6,400 streams', loaded),
    line('1,000 streams open', streams),
    '',
    `The longest the event loop stood still for a request of 4 MB: ${stalledMs.toFixed(0)} ms.`,
    '',
  ]
}

function printStart(start: StartFindings | undefined): readonly string[] {
  if (start === undefined) return []
  return [
    '## Start',
    '',
    `From \`node dist/cli/main.js\` to the end of the first answer: ${round(start.dragoman.median)} ms (${round(start.dragoman.least)}–${round(start.dragoman.most)}) the first time, ${round(start.again.median)} ms when an earlier`,
    `start has left its compiled code behind, ${round(start.checkout.median)} ms in a checkout (what \`npm start\` runs). A bare pass-through: ${round(start.passed.median)} ms.`,
    '',
    `The first answer takes ${round(start.firstOverTenth.median)} ms longer than the tenth: V8 has compiled nothing of its way yet.`,
    '',
  ]
}

function printWorkers(workers: WorkersFindings | undefined): readonly string[] {
  if (workers === undefined) return []
  const { measured, alone } = workers
  return [
    '## Workers',
    '',
    `With \`--workers 2\`, ${printRatio(measured)} the requests a second of one process, on two cores that the load generator and the model`,
    `server use as well. By CPU time, two cores of its own would give ${printRatio(alone)}.`,
    '',
  ]
}
