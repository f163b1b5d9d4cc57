import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { Terminal } from '../../src/cli/terminal/terminal.ts'

const widths = [60, 80] as const
const before = process.stdout.columns
/** What is to be copied stays whole, however long it is. */
const copied = /^\s*(?:→ )?(?:https?:\/\/\S+|[~/.]\S*)$|^Run it: /

function terminalThat(out: string[]): Terminal {
  return {
    interactive: true,
    write: (text: string) => out.push(text),
    complain: (text: string) => out.push(text),
    paint: (_: string, text: string) => text,
    surroundings: {
      environment: {},
      homeDirectory: '/home/me',
      workingDirectory: '/project',
      platform: 'linux',
      readFile: (path: string) => (path === '/project/dragoman.yaml' ? broken : undefined),
    },
  } as unknown as Terminal
}

const broken = `listen: 127.0.0.1:84840
upstreams:
  local:
    kind: vllm
    urll: http://127.0.0.1:8000/v1
    colour: blue
models:
  a: { upstream: local, dialect: hermess, description: a long text that goes on and on, further than a screen is wide }
`

describe.each(widths)('at %d columns', (columns) => {
  beforeEach(() => {
    process.stdout.columns = columns
    vi.resetModules()
  })
  afterEach(() => {
    process.stdout.columns = before
  })

  async function print(argv: readonly string[]): Promise<readonly string[]> {
    const { run } = await import('../../src/cli/run.ts')
    const { verbs } = await import('../../src/cli/verbs.ts')
    const out: string[] = []
    await run(verbs, argv, terminalThat(out), '1.2.3')
    return out.join('').split('\n')
  }

  test.each([
    ...['serve', 'doctor', 'tune', 'explain', 'prompt', 'dialects', 'config', 'keys', 'connect', 'launch', 'init'].map(
      (verb) => [verb, '--help'],
    ),
    ['completion', '--help'],
    ['--help'],
    ['dialects'],
    ['config', 'check'],
    ['connect', 'nothing-of-the-kind'],
    ['connect', 'opencode', '--url', 'http://127.0.0.1:1'],
    ['connect', 'opencode', '--config', '/nowhere', '--url', 'http://127.0.0.1:1', '--key', 'k', '--model', 'm'],
    ['connect', 'cursor', '--url', 'http://127.0.0.1:1', '--key', 'k', '--model', 'm'],
    ['connect', 'codex', '--url', 'http://127.0.0.1:1', '--key', 'k', '--model', 'm'],
    ['nothing-of-the-kind'],
    ['serve', '--unknown'],
  ])('no line is longer: %j %j', async (...argv) => {
    const lines = await print(argv)
    expect(lines.length).toBeGreaterThan(1)
    expect(lines.filter((line) => [...line].length > columns && !copied.test(line))).toEqual([])
  })

  test('no line of the start screen and of the findings of doctor is longer', async () => {
    const { printBanner } = await import('../../src/cli/serve/banner.ts')
    const { printFindings } = await import('../../src/cli/doctor/print.ts')
    const plain = (_: string, text: string): string => text
    const services = [
      {
        name: 'local',
        state: 'up',
        address: 'http://127.0.0.1:8080/v1',
        product: 'llama.cpp',
        models: [{ id: 'qwen3-coder-30b', tools: 'prompt', dialect: 'qwen3-coder', contextLength: 32_768 }],
      },
    ] as const
    const facts = {
      version: '1.2.3',
      program: 'npm start --silent --',
      origin: 'http://127.0.0.1:8484',
      entrances: [
        { clients: 'OpenAI', url: 'http://127.0.0.1:8484/v1' },
        { clients: 'Anthropic', url: 'http://127.0.0.1:8484' },
      ],
      inspector: 'http://127.0.0.1:8484/inspector/',
      takenPort: 8484,
      alreadyRuns: true,
      workers: 2,
      remarks: ['A sentence that has quite a few words, so that it takes more than one line to say it all.'],
      configPath: '/home/me/dragoman.yaml',
      key: '$DRAGOMAN_KEY',
    }
    const banners = [services, []].map((some) => printBanner({ ...facts, services: some }, plain).split('\n'))
    const says = 'What was found out about the model server, in a sentence that takes a while to come to its end.'
    const found = printFindings([{ check: 'reachable', verdict: 'bad', says, fix: says }], plain)
    expect([...banners.flat(), ...found].filter((line) => [...line].length > columns)).toEqual([])
  })
})
