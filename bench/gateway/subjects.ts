import { spawnSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { scripts } from './answers.ts'
import { plainOf } from './plain.ts'
import { type Part, start, startOwn, toPart } from './processes.ts'

/** What stands between the load generator and the service. */
export interface Subject {
  readonly name: string
  readonly part: Part
  /** It makes calls of what the model says in text, so that its answers have them. */
  readonly reads: boolean
  /** What it has to be told with every request. */
  readonly headers?: Readonly<Record<string, string>>
  /** The part of the requests that it is measured with, where all of them would take too long. */
  readonly share?: number
  /** It asks the service for a whole answer where the client does, so that this is what it gets: of this model. */
  readonly whole?: string
  /** The scenarios it takes part in; absent: all. */
  readonly scenarios?: readonly string[]
}

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'dragoman-bench-'))

let isBuilt = false

/** Makes `dist/`: what is measured is what is published. */
export function build(): void {
  if (isBuilt) return
  isBuilt = true
  const { status } = spawnSync(process.execPath, ['scripts/build.ts'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('The build failed.')
}

export function startPassed(service: string): Promise<Part> {
  return startOwn('measured', 'passed.ts', service)
}

export function startParsed(service: string): Promise<Part> {
  return startOwn('measured', 'parsed.ts', service)
}

/** How the gateway is started, without what measures it. */
export function programOf(
  service: string,
  port: number,
  traces: 'off' | 'memory' = 'off',
  main = join(root, 'dist/cli/main.js'),
): readonly string[] {
  const models = Object.keys(scripts).map((name) => {
    const tools = name.includes('native') ? 'native' : 'prompt'
    return `  ${name}: { upstream: local, tools: ${tools}, dialect: hermes }`
  })
  const file = join(folder, `${traces}.yaml`)
  writeFileSync(
    file,
    [
      `traces: ${traces}`,
      'upstreams:',
      `  local: { kind: openai, url: '${service}/v1' }`,
      'models:',
      ...models,
      '',
    ].join('\n'),
  )
  return [main, 'serve', '--config', file, '--port', String(port), '--strict-port']
}

/** The program itself, as it is published. */
export async function startDragoman(service: string, traces: 'off' | 'memory' = 'off', main?: string): Promise<Part> {
  const port = await freePort()
  const meter = ['--expose-gc', '--import', plainOf('metered.ts')]
  const program = [process.execPath, ...meter, ...programOf(service, port, traces, main)]
  const child = start('measured', program, { cwd: folder })
  child.stdout?.resume()
  await untilListening(port)
  return toPart(child, port)
}

/** Several processes of it, wherever there is a core. They cannot be asked what they use. */
export async function startWorkers(service: string, workers: number): Promise<Part> {
  const port = await freePort()
  const program = [process.execPath, ...programOf(service, port), '--workers', String(workers)]
  const child = start('any', program, { cwd: folder })
  child.stdout?.resume()
  await untilListening(port)
  return toPart(child, port)
}

export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' ? (address?.port ?? 0) : 0))
    })
  })
}

export async function untilListening(port: number, withinMs = 60_000): Promise<void> {
  const end = performance.now() + withinMs
  for (;;) {
    const isThere = await fetch(`http://127.0.0.1:${port}/livez`).then(
      () => true,
      () => false,
    )
    if (isThere) return
    if (performance.now() > end) throw new Error(`Nobody listens on port ${port}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
