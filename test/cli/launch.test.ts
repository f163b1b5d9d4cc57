import { chmodSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { clients } from '../../src/cli/connect/clients/registry.ts'
import { createFolder, outcomeOf, runDragoman, startDragoman, startGateway, untilSaid } from '../dragoman.ts'

/** Says what it was started with, the files it was pointed at included, and asks the gateway for its models. */
const fake = `#!${process.execPath}
const { existsSync, readFileSync, statSync, writeFileSync } = require('node:fs')
const words = [...process.argv.slice(2), ...Object.values(process.env)]
const files = words.filter((word) => word.includes('dragoman-launch-') && existsSync(word))
const all = [...words, ...files.map((file) => readFileSync(file, 'utf8'))].join('\\n')
const origin = /http:\\/\\/127\\.0\\.0\\.1:\\d+/.exec(all)[0]
const key = /dragoman-\\w{24}|YOUR-KEY/.exec(all)?.[0]
async function main() {
  const response = await fetch(origin + '/v1/models', { headers: { authorization: 'Bearer ' + key } })
  const models = (await response.json()).data?.map(({ id }) => id)
  const modes = files.map((file) => statSync(file).mode & 0o777)
  const record = { args: process.argv.slice(2), env: process.env, all, origin, key, models, files, modes }
  writeFileSync(process.env.RECORD, JSON.stringify(record))
  if (process.env.FAKE_INPUT) process.stdin.pipe(process.stdout)
  if (process.env.FAKE_WAIT) {
    process.on(process.env.FAKE_WAIT, () => process.exit(9))
    setInterval(() => undefined, 1000)
    console.log('waiting')
  } else if (process.env.FAKE_SIGNAL) process.kill(process.pid, process.env.FAKE_SIGNAL)
  else process.exitCode = Number(process.env.FAKE_EXIT ?? 0)
}
void main()
`

interface Recorded {
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly all: string
  readonly origin: string
  readonly key: string
  readonly models: readonly string[]
  readonly files: readonly string[]
  readonly modes: readonly number[]
}

function stage(
  programs: readonly string[],
  config: object = { upstreams: { r: { kind: 'rehearsal' } }, models: { small: {}, large: {} } },
) {
  const place = createFolder({ 'dragoman.yaml': JSON.stringify({ listen: '127.0.0.1:9', ...config }) })
  onTestFinished(place.remove)
  const bin = join(place.folder, 'bin')
  mkdirSync(bin)
  for (const program of programs) {
    writeFileSync(join(bin, program), fake)
    chmodSync(join(bin, program), 0o755)
  }
  const record = join(place.folder, 'record.json')
  const environment = { PATH: `${bin}${delimiter}${process.env['PATH'] ?? ''}`, RECORD: record }
  return {
    ...place,
    environment,
    recorded: (): Recorded => JSON.parse(readFileSync(record, 'utf8')),
    run: (args: readonly string[], more: Readonly<Record<string, string>> = {}, input = '') =>
      runDragoman(['launch', ...args], { folder: place.folder, environment: { ...environment, ...more } }, input),
  }
}

const launched = clients.flatMap(({ name, title, launch }) =>
  launch === undefined
    ? []
    : [{ name, title, program: launch.program, own: launch.program ?? 'mine', keyless: launch.keyless }],
)

test.each(launched)(
  '$name starts on a gateway of its own and leaves every file alone',
  async ({ name, program, own, keyless }) => {
    const { folder, run, recorded } = stage([own])
    const before = readdirSync(folder).sort()
    const words = program === undefined ? ['mine', '--flag', 'a b'] : ['--flag', 'a b']
    const { code, out, complaints } = await run([name, '--model', 'large', '--', ...words])
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(complaints).toMatch(/^Starting .* with large\.\n$/)
    const { args, all, key, models, files, modes } = recorded()
    expect(args.slice(-2)).toEqual(['--flag', 'a b'])
    expect(models).toContain('large')
    if (program !== undefined && keyless !== true) expect(all).toMatch(/\blarge\b/)
    if (keyless !== true) expect(key).toMatch(/^dragoman-/)
    // What others on the machine can see of it, and what is left when it is done.
    expect(args.join(' ')).not.toContain(key ?? 'no key')
    expect(modes.every((mode) => mode === 0o600)).toBe(true)
    for (const file of files) expect(() => readFileSync(file)).toThrow('ENOENT')
    expect(readdirSync(folder).sort()).toEqual([...before, 'record.json'].sort())
  },
)

test.each(launched.filter(({ name }) => name === 'codex' || name === 'ollama'))(
  '$name that is not installed is told with how to get it',
  async ({ name, title, program }) => {
    const { folder, remove } = createFolder()
    onTestFinished(remove)
    const { code, complaints } = await runDragoman(['launch', name], { folder, environment: { PATH: folder } })
    expect(code).toBe(1)
    expect(complaints).toMatch(`${title} isn't installed: there is no \`${program}\` on your PATH. `)
    expect(complaints).toMatch(/Install it with: npm install -g \S+\n|https:\/\/\S+\n/)
  },
)

test('a gateway that runs is used, with its key, and goes on', async () => {
  const gateway = await startGateway({
    config: { keys: ['YOUR-KEY'], upstreams: { r: { kind: 'rehearsal' } }, models: { served: {} } },
  })
  onTestFinished(gateway.stop)
  const { run, recorded } = stage(['codex'], { listen: gateway.origin.replace('http://', ''), keys: ['YOUR-KEY'] })
  expect((await run(['codex'])).code).toBe(0)
  expect(recorded()).toMatchObject({ origin: gateway.origin, models: ['served', 'rehearsal'] })
  expect(recorded().env['DRAGOMAN_LAUNCH_KEY']).toBe('YOUR-KEY')
  expect((await fetch(`${gateway.origin}/livez`)).ok).toBe(true)
})

test('its own gateway is gone when the agent is', async () => {
  const { run, recorded } = stage(['codex'])
  await run(['codex'])
  await expect(fetch(`${recorded().origin}/livez`)).rejects.toThrow()
})

test('the first model is taken, and the others are named', async () => {
  const { run, recorded } = stage(['qwen'])
  expect((await run(['qwen-code'])).complaints).toContain(
    'The gateway also serves large, rehearsal. Choose with --model NAME.',
  )
  expect(recorded().env['OPENAI_MODEL']).toBe('small')
})

test('with nothing to serve it says that a stand-in answers', async () => {
  const { run, recorded } = stage(['qwen'], {})
  const { complaints } = await run(['qwen-code', '--rehearsal'], { DRAGOMAN_DISCOVER: '9' })
  expect(complaints).toContain('No model server found')
  expect(recorded().models).toEqual(['rehearsal'])
})

test.each(['9', 'off'])('with nothing to serve it starts nothing unless told to (--discover %s)', async (where) => {
  const { run, recorded } = stage(['qwen'], {})
  const { code, complaints } = await run(['qwen-code'], { DRAGOMAN_DISCOVER: where })
  expect(code).toBe(2)
  expect(complaints).toContain(
    'error: No model server found. Start one, name one with --upstream URL, or add --rehearsal to use a scripted stand-in.\n',
  )
  expect(recorded).toThrow('ENOENT')
})

test('a gateway that runs and found no model server is used only where the stand-in is wanted', async () => {
  const gateway = await startGateway()
  onTestFinished(gateway.stop)
  const { run, recorded } = stage(['codex'], { listen: gateway.origin.replace('http://', '') })
  const { code, complaints } = await run(['codex'])
  expect({ code, complaints }).toMatchObject({ code: 2, complaints: expect.stringContaining('add --rehearsal') })
  expect(recorded).toThrow('ENOENT')
  expect((await run(['codex', '--rehearsal'])).complaints).toContain('this uses "rehearsal"')
  expect(recorded().origin).toBe(gateway.origin)
})

test.each<[string, Readonly<Record<string, string>>, number]>([
  ['a code', { FAKE_EXIT: '7' }, 7],
  ['a signal', { FAKE_SIGNAL: 'SIGKILL' }, 137],
])('an agent that ends with %s ends launch as a shell would tell it', async (_, more, code) => {
  expect((await stage(['codex']).run(['codex'], more)).code).toBe(code)
})

test.each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
  '%s reaches the agent, and its answer to it counts',
  async (signal) => {
    const { folder, environment } = stage(['codex'])
    const child = startDragoman(['launch', 'codex'], { folder, environment: { ...environment, FAKE_WAIT: signal } })
    const outcome = outcomeOf(child)
    await untilSaid(child.stdout, /waiting/)
    child.kill(signal)
    expect((await outcome).code).toBe(9)
  },
)

test('what comes in goes to the agent, and its words come out', async () => {
  const { out } = await stage(['codex']).run(['codex'], { FAKE_INPUT: '1' }, 'from the pipe\n')
  expect(out).toBe('from the pipe\n')
})

test('variables that lead elsewhere do not reach Claude Code', async () => {
  const { run, recorded } = stage(['claude'])
  await run(['claude-code'], { ANTHROPIC_API_KEY: 'sk-mine', CLAUDE_CODE_USE_BEDROCK: '1' })
  expect(Object.keys(recorded().env)).not.toContain('ANTHROPIC_API_KEY')
  expect(Object.keys(recorded().env)).not.toContain('CLAUDE_CODE_USE_BEDROCK')
})

test('the log of its gateway goes where it is asked to, and nowhere else', async () => {
  const { folder, run } = stage(['codex'])
  expect((await run(['codex', '--log', 'gateway.log'])).code).toBe(0)
  expect(readFileSync(join(folder, 'gateway.log'), 'utf8')).toContain('/v1/models')
})

test.each<[string, readonly string[], number, string]>([
  ['an editor', ['roo'], 2, 'Roo Code runs inside your editor'],
  ['no agent', [], 2, 'Which client?'],
  ['a typo', ['codx'], 2, 'Did you mean "codex"?'],
  ['an option of the agent', ['codex', '--yolo'], 2, 'Put arguments for the other program after --.'],
  ['an SDK without a program', ['openai'], 2, 'Name it after --'],
  ['a program that is not there', ['openai', '--', 'no-such-program'], 1, 'There is no program `no-such-program`'],
  ['a gateway that is not there', ['codex', '--url', '127.0.0.1:9'], 1, 'No gateway answers at http://127.0.0.1:9/v1.'],
])('%s is told in words', async (_, args, code, words) => {
  const outcome = await stage(['codex']).run(args)
  expect(outcome.code).toBe(code)
  expect(outcome.complaints).toContain(words)
})
