import { report } from '../measure.ts'
import { type Part, send, startOwn } from './processes.ts'
import { build, startDragoman, startPassed } from './subjects.ts'

/** Megabytes of a process, and milliseconds its event loop stood still. */
export interface MemoryFindings {
  readonly idle: Held
  readonly loaded: Held
  readonly streams: Held
  /** The longest stop while a request of 4 MB was answered. */
  readonly stalledMs: number
}

interface Held {
  readonly dragoman: number
  readonly passed: number
}

const aim = { idle: 90, loaded: 450, streams: 450, stalledMs: 50 }
const megabyte = 1e6
const large = 4 << 20

/** What the built program holds: idle, after load, with a thousand open streams; and how long a large request blocks it. */
export async function benchMemory(): Promise<{ readonly isMet: boolean; readonly findings: MemoryFindings }> {
  build()
  const service = await startOwn('around', 'service.ts')
  const load = await startOwn('around', 'load.ts')
  const url = `http://127.0.0.1:${service.port}`
  const parts = { dragoman: await startDragoman(url), passed: await startPassed(url) }

  async function ofEach(measure: (part: Part) => Promise<number>): Promise<Held> {
    return { passed: await measure(parts.passed), dragoman: await measure(parts.dragoman) }
  }

  try {
    await wait(1500)
    const idle = await ofEach(held)
    const loaded = await ofEach(async (part) => {
      for (let round = 0; round < 10; round++) {
        await send(load, { port: part.port, model: 'text-calls', stream: true, connections: 32, requests: 640 })
      }
      return await held(part)
    })
    const streams = await ofEach((part) => most(part, load))
    const stalledMs = await stalled(parts.dragoman, load)
    const findings = { idle, loaded, streams, stalledMs }
    print(findings)
    return { isMet: judge(findings), findings }
  } finally {
    await Promise.all([service, load, parts.dragoman, parts.passed].map((part) => part.stop()))
  }
}

async function held(part: Part): Promise<number> {
  return (await part.read()).rssBytes / megabyte
}

/** The most it held while a thousand streams were open. */
async function most(part: Part, load: Part): Promise<number> {
  let isOver = false
  let found = 0
  const job = { port: part.port, model: 'paced', stream: true, connections: 1000, requests: 1000 }
  const sent = send(load, job).finally(() => {
    isOver = true
  })
  while (!isOver) {
    found = Math.max(found, await held(part))
    await wait(200)
  }
  await sent
  return found
}

async function stalled(part: Part, load: Part): Promise<number> {
  const job = { port: part.port, model: 'short', stream: true, connections: 1, requests: 1, length: large }
  await send(load, job)
  part.tell('watch')
  await wait(50)
  await send(load, job)
  return (await part.read()).stalledMs
}

function wait(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}

function print({ idle, loaded, streams }: MemoryFindings): void {
  console.log('\nmemory, MB                       passed   dragoman')
  const line = (what: string, held: Held) =>
    console.log(`  ${what.padEnd(28)}${held.passed.toFixed(0).padStart(9)}${held.dragoman.toFixed(0).padStart(11)}`)
  line('idle', idle)
  line('after 6,400 streams', loaded)
  line('1,000 streams open', streams)
  console.log()
}

function judge({ idle, loaded, streams, stalledMs }: MemoryFindings): boolean {
  return [
    report('idle', idle.dragoman, aim.idle, 'MB', 160),
    report('after load', loaded.dragoman, aim.loaded, 'MB', 700),
    report('1,000 open streams', streams.dragoman, aim.streams, 'MB', 600),
    report('longest stop for a request of 4 MB', stalledMs, aim.stalledMs, 'ms', 1500),
  ].every(Boolean)
}
