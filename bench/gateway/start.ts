import { connect } from 'node:net'
import { report } from '../measure.ts'
import { printSpread, type Spread, spreadOf } from './figures.ts'
import { plainOf } from './plain.ts'
import { start, startOwn } from './processes.ts'
import { bodyOf } from './requests.ts'
import { ResponseEnd } from './response.ts'
import { build, freePort, programOf } from './subjects.ts'

export interface StartFindings {
  /** From the command to the end of the first answer, in milliseconds. */
  readonly dragoman: Spread
  readonly passed: Spread
  /** How much longer the first answer took than the tenth, once it listens. */
  readonly firstOverTenth: Spread
}

const rounds = 7
const most = { firstAnswerMs: 300, firstOverTenthMs: 50 }

/** How long it takes from the command to the first answer, in turns with a pass-through. */
export async function benchStart(): Promise<{ readonly isMet: boolean; readonly findings: StartFindings }> {
  build()
  const service = await startOwn('around', 'service.ts')
  const url = `http://127.0.0.1:${service.port}`
  const dragoman: number[] = []
  const passed: number[] = []
  const slower: number[] = []
  try {
    // The first start reads the program from the disk.
    for (let round = -1; round < rounds; round++) {
      const own = await startOnce(await freePort(), (port) => programOf(url, port))
      const other = await startOnce(await freePort(), (port) => [plainOf('passed.ts'), url, String(port)])
      if (round < 0) continue
      dragoman.push(own.firstAnswerMs)
      passed.push(other.firstAnswerMs)
      slower.push(own.firstMs - own.tenthMs)
    }
  } finally {
    await service.stop()
  }
  const findings = { dragoman: spreadOf(dragoman), passed: spreadOf(passed), firstOverTenth: spreadOf(slower) }
  console.log('\nfrom the command to the first answer, ms')
  console.log(`  dragoman  ${printSpread(findings.dragoman)}`)
  console.log(`  passed    ${printSpread(findings.passed)}\n`)
  const isMet = [
    report('start to first answer', findings.dragoman.median, most.firstAnswerMs, 'ms', 1500),
    report('first answer over the tenth', findings.firstOverTenth.median, most.firstOverTenthMs, 'ms', 200),
  ].every(Boolean)
  return { isMet, findings }
}

async function startOnce(port: number, program: (port: number) => readonly string[]) {
  const begun = performance.now()
  const child = start('measured', [process.execPath, ...program(port)])
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
    child.kill('SIGKILL')
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
