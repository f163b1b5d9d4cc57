import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { report } from '../measure.ts'
import { printSpread, type Spread, spreadOf } from './figures.ts'
import { plainOf } from './plain.ts'
import { start, startOwn } from './processes.ts'
import { bodyOf } from './requests.ts'
import { ResponseEnd } from './response.ts'
import { build, freePort, programOf } from './subjects.ts'

export interface StartFindings {
  /** From the command to the end of the first answer, in milliseconds: without anything kept from an earlier start, … */
  readonly dragoman: Spread
  /** … with the code that one compiled, … */
  readonly again: Spread
  /** … and of a checkout, as `npm start` runs it. */
  readonly checkout: Spread
  readonly passed: Spread
  /** How much longer the first answer took than the tenth. */
  readonly firstOverTenth: Spread
}

const rounds = 7
const script = join(import.meta.dirname, '../../scripts/run.mjs')
/** No folder can be made there, so nothing is kept. */
const nowhere = join(import.meta.filename, 'nowhere')
const most = { firstAnswerMs: 500, checkoutMs: 700 }

/** How long it takes from the command to the first answer, in turns with a pass-through. */
export async function benchStart(): Promise<{ readonly isMet: boolean; readonly findings: StartFindings }> {
  build()
  const service = await startOwn('around', 'service.ts')
  const url = `http://127.0.0.1:${service.port}`
  const cache = mkdtempSync(join(tmpdir(), 'dragoman-start-'))
  const dragoman: number[] = []
  const again: number[] = []
  const checkout: number[] = []
  const passed: number[] = []
  const slower: number[] = []
  try {
    // The first start reads the program from the disk.
    for (let round = -1; round < rounds; round++) {
      const own = await startOnce((port) => programOf(url, port), nowhere)
      const kept = await startOnce((port) => programOf(url, port), cache)
      const started = await startOnce((port) => [script, ...programOf(url, port).slice(1)], nowhere)
      const other = await startOnce((port) => [plainOf('passed.ts'), url, String(port)], nowhere)
      if (round < 0) continue
      dragoman.push(own.firstAnswerMs)
      again.push(kept.firstAnswerMs)
      checkout.push(started.firstAnswerMs)
      passed.push(other.firstAnswerMs)
      slower.push(own.firstMs - own.tenthMs)
    }
  } finally {
    await service.stop()
    rmSync(cache, { recursive: true, force: true })
  }
  const findings = {
    dragoman: spreadOf(dragoman),
    again: spreadOf(again),
    checkout: spreadOf(checkout),
    passed: spreadOf(passed),
    firstOverTenth: spreadOf(slower),
  }
  console.log('\nfrom the command to the first answer, ms')
  console.log(`  dragoman  ${printSpread(findings.dragoman)}`)
  console.log(`  again     ${printSpread(findings.again)}   with what the start before it compiled`)
  console.log(`  checkout  ${printSpread(findings.checkout)}   as npm start runs it, without npm`)
  console.log(`  passed    ${printSpread(findings.passed)}\n`)
  const isMet = [
    report('start to first answer', findings.dragoman.median, most.firstAnswerMs, 'ms', 1500),
    report('the same in a checkout', findings.checkout.median, most.checkoutMs, 'ms', 2000),
  ].every(Boolean)
  return { isMet, findings }
}

async function startOnce(program: (port: number) => readonly string[], cache: string) {
  const port = await freePort()
  const env = { ...process.env, XDG_CACHE_HOME: cache }
  const begun = performance.now()
  const child = start('measured', [process.execPath, ...program(port)], { env })
  child.stdout?.resume()
  try {
    while (!(await isOpen(port))) if (child.exitCode !== null) throw new Error('It ended before it listened.')
    const opened = performance.now()
    await ask(port)
    const answered = performance.now()
    for (let count = 2; count < 10; count++) await ask(port)
    const beforeTenth = performance.now()
    await ask(port)
    return {
      firstAnswerMs: answered - begun,
      firstMs: answered - opened,
      tenthMs: performance.now() - beforeTenth,
    }
  } finally {
    // What was compiled is kept when the program ends.
    child.kill(cache === nowhere ? 'SIGKILL' : 'SIGTERM')
    if (child.exitCode === null) await new Promise((resolve) => child.once('exit', resolve))
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('connect', () => {
      socket.destroy()
      resolve(true)
    })
    socket.once('error', () => setTimeout(resolve, 2, false))
  })
}

function ask(port: number): Promise<void> {
  const body = bodyOf({ model: 'short', stream: true })
  return new Promise((resolve, reject) => {
    const end = new ResponseEnd()
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /v1/chat/completions HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      )
    })
    socket.on('data', (bytes: Buffer) => {
      if (!end.feed(bytes)) return
      socket.destroy()
      resolve()
    })
    socket.once('error', reject)
  })
}
