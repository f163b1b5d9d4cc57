import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const program = resolve('src/cli/main.ts')

export interface Surroundings {
  readonly folder: string
  readonly environment?: Readonly<Record<string, string>>
}

export interface Outcome {
  readonly code: number | null
  readonly out: string
  readonly complaints: string
}

/** Starts the program in a folder, knowing nothing of the configuration of whoever runs the tests. */
export function startDragoman(
  args: readonly string[],
  { folder, environment = {} }: Surroundings,
): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env['PATH'], HOME: folder, XDG_CONFIG_HOME: folder, ...environment }
  return spawn(process.execPath, [program, ...args], { cwd: folder, env })
}

export async function runDragoman(args: readonly string[], surroundings: Surroundings, input = ''): Promise<Outcome> {
  const child = startDragoman(args, surroundings)
  child.stdin.end(input)
  return await outcomeOf(child)
}

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
  const folder = mkdtempSync(join(tmpdir(), 'dragoman-cli-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  return {
    folder,
    write: (name: string, text: string) => writeFileSync(join(folder, name), text),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
