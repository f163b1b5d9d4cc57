import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { builtProgram } from './built.ts'

/** The program and what stands before its own arguments. */
type Command = readonly [string, ...string[]]

/** Saves a third of every start: the program is compiled once. */
const compiled = resolve('node_modules/.cache/dragoman')

interface Surroundings {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Default: the program as it is built from this checkout. */
  readonly command?: Command
}

interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly complaints: string
}

/** Starts the program in a folder, without the configuration of the user who runs the tests. */
export function startDragoman(
  args: readonly string[],
  { folder, environment = {}, command = builtProgram() }: Surroundings,
): ChildProcessWithoutNullStreams {
  const [program, ...before] = command
  const { PATH } = process.env
  const env = {
    PATH,
    HOME: folder,
    XDG_CONFIG_HOME: folder,
    NODE_COMPILE_CACHE: compiled,
    // Whatever runs on this machine is none of the tests' business.
    DRAGOMAN_DISCOVER: 'off',
    ...environment,
  }
  return spawn(program, [...before, ...args], { cwd: folder, env })
}

export async function runDragoman(args: readonly string[], surroundings: Surroundings, input = ''): Promise<Outcome> {
  const child = startDragoman(args, surroundings)
  child.stdin.end(input)
  return await outcomeOf(child)
}

/** What a program said, once it has ended. */
export async function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<Outcome> {
  let out = ''
  let complaints = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => {
    out += piece
  })
  child.stderr.setEncoding('utf8').on('data', (piece: string) => {
    complaints += piece
  })
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, out, complaints }
}

/** Resolves with everything a stream has said once it matches. */
export function untilSaid(stream: NodeJS.ReadableStream, pattern: RegExp): Promise<string> {
  return new Promise((done, fail) => {
    let said = ''
    stream.on('data', (piece: Buffer | string) => {
      said += piece
      if (pattern.test(said)) done(said)
    })
    stream.on('end', () => fail(new Error(`It ended without ${pattern}:\n${said}`)))
  })
}

/** A folder of its own with these files; `remove` when done. */
export function createFolder(files: Readonly<Record<string, string>> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-test-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface Start extends Omit<Surroundings, 'folder'> {
  /** `dragoman.yaml`, as text or as what JSON says of it. */
  readonly config?: string | object
  readonly args?: readonly string[]
}

/** Starts the real program on a free port, in a folder of its own, and waits for what it prints when it is ready. */
export async function startGateway({ config = '', args = [], ...start }: Start = {}) {
  const place = createFolder({ 'dragoman.yaml': typeof config === 'string' ? config : JSON.stringify(config) })
  const child = startDragoman(['serve', '--listen', '127.0.0.1:0', ...args], { ...place, ...start })
  const outcome = outcomeOf(child)
  const stop = async (): Promise<void> => {
    child.kill('SIGKILL')
    await outcome
    place.remove()
  }
  try {
    const banner = await untilSaid(child.stdout, /settings of OpenCode\n/)
    const origin = /http:\/\/127\.0\.0\.1:\d+/.exec(banner)?.[0] ?? ''
    return { ...place, child, outcome, banner, origin, stop }
  } catch (thrown) {
    await stop()
    throw new Error(`The gateway did not start: ${(await outcome).complaints}`, { cause: thrown })
  }
}

export type RunningGateway = Awaited<ReturnType<typeof startGateway>>
