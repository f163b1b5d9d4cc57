import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { type BannerFacts, type BannerService, printBanner, printCurl } from './banner.ts'

const rehearsal: BannerService = {
  name: 'rehearsal',
  state: 'up',
  product: 'a scripted stand-in, not a language model',
  embedded: true,
  models: [{ id: 'rehearsal', tools: 'prompt', dialect: 'hermes' }],
}
const live: BannerService = {
  name: 'local',
  state: 'up',
  address: 'http://127.0.0.1:8080/v1',
  product: 'llama.cpp',
  models: [
    { id: 'qwen3-coder-30b', tools: 'prompt', dialect: 'qwen3-coder', contextLength: 32_768 },
    { id: 'gemma-3', tools: 'native', contextLength: 131_072 },
  ],
}
const dead: BannerService = {
  name: 'spare',
  state: 'down',
  address: 'http://10.0.0.2:8000/v1',
  reason: 'Nothing is listening there (connection refused).',
  remedy: 'Start the model server, or correct its URL.',
  models: [],
}
const facts: BannerFacts = {
  version: '1.2.3',
  program: 'dragoman',
  origin: 'http://127.0.0.1:8484',
  services: [rehearsal],
  configPath: undefined,
  key: undefined,
}
const plain = (_: string, text: string) => text
const print = (changes: Partial<BannerFacts> = {}) => printBanner({ ...facts, ...changes }, plain)

test('the banner says where, what, and that the stand-in is one', () => {
  const banner = print()
  expect(banner).toContain('Dragoman 1.2.3  http://127.0.0.1:8484/v1')
  expect(banner).toContain('● rehearsal  a scripted stand-in, not a language model')
  expect(banner).toContain('rehearsal  tools via prompt (hermes)')
  expect(banner).toContain('No model server is set up')
  expect(banner).toContain('dragoman --upstream http')
  expect(banner).toContain('Base URL  http://127.0.0.1:8484/v1\n    API key   any text')
  expect(banner).toContain('dragoman connect opencode --write\n      writes these to your own settings of OpenCode\n')
  expect(banner.split('\n').length).toBeLessThan(40)
})

test('each service is shown with its address, what it is, and its models', () => {
  expect(print({ services: [live, dead] })).toContain(
    [
      '  ● local  llama.cpp at http://127.0.0.1:8080/v1',
      '      qwen3-coder-30b  tools via prompt (qwen3-coder)   32k context',
      '      gemma-3          native tool calls               128k context',
      '',
      '  ✗ spare  http://10.0.0.2:8000/v1',
      '      Nothing is listening there (connection refused).',
      '      Start the model server, or correct its URL.',
      '',
    ].join('\n'),
  )
})

test('a gateway without a service that works says so, and proposes nothing that would fail', () => {
  const banner = print({ services: [dead] })
  expect(banner).toContain('no model server can be used yet')
  expect(banner).toContain('No need to restart')
  expect(banner).not.toContain('curl')
  expect(banner).not.toContain('stand-in')
  expect(banner).toContain('dragoman connect opencode --write\n      writes these to your own settings of OpenCode\n')
})

test('a context that is too small is warned of', () => {
  const tiny = { id: 'tiny', tools: 'native', contextLength: 4096, warning: 'tiny gets little.' } as const
  expect(print({ services: [{ ...live, models: [tiny] }] })).toContain(
    '      tiny  native tool calls  4k context\n      tiny gets little.\n',
  )
})

test('what is proposed is a model of a service that works', () => {
  const broken = { ...dead, models: [{ id: 'lost', tools: 'auto' as const, dialect: 'hermes' }] }
  expect(print({ services: [broken, live] })).toContain('"model": "qwen3-coder-30b"')
})

const long = 'a-model-with-a-name-that-goes-on-and-on/and-on-until-it-nearly-fills-the-line'
test.each<[string, Partial<BannerFacts>]>([
  ['the stand-in', {}],
  ['a live and a dead service', { services: [live, dead] }],
  ['keys', { key: '$DRAGOMAN_KEY', program: 'npm start --' }],
  [
    'long names',
    {
      services: [
        {
          ...live,
          name: 'the-service-in-the-cellar',
          address: 'https://a-rather-long-name.of-a-service.example.com/v1',
          models: [{ id: long, tools: 'auto', dialect: 'deepseek-dsml-v3.2', contextLength: 1_048_576 }],
        },
      ],
    },
  ],
  [
    'long reasons',
    {
      services: [
        { ...dead, reason: 'Words that go on and on, over more than one line of any terminal. '.repeat(3).trim() },
      ],
    },
  ],
])('no line is broken by a terminal of 80 columns: %s', (_, changes) => {
  expect(
    print(changes)
      .split('\n')
      .filter((line) => line.length > 80 && !line.includes(long)),
  ).toEqual([])
})

test('what is to be copied fits a narrow terminal', () => {
  const lines = printCurl('http://127.0.0.1:8484/v1', 'rehearsal', '$DRAGOMAN_KEY').split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
})

test('a real model is not called a stand-in, and keys are asked for', () => {
  const banner = print({ services: [live], key: '$DRAGOMAN_KEY', configPath: '/etc/dragoman.yaml' })
  expect(banner).not.toContain('stand-in')
  expect(banner).toContain('Config: /etc/dragoman.yaml')
  expect(banner).toContain('Authorization: Bearer $DRAGOMAN_KEY')
  expect(banner).toContain('API key   one of your keys')
})

test('many models are counted', () => {
  const models = Array.from({ length: 11 }, (_, index) => ({ id: `m${index}`, tools: 'native' as const }))
  expect(print({ services: [{ ...live, models }] })).toContain('and 3 more, listed at /v1/models')
})

test.each([
  ["it's", undefined],
  ['a "b" $c `d` \\e', 'k'],
  ['Qwen/Qwen3', undefined],
])('the curl for the model %j survives the shell', (model, key) => {
  const script = `curl() { for a in "$@"; do printf '%s\\0' "$a"; done; }\n${printCurl('http://h/v1', model, key)}`
  const words = execFileSync('sh', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1)
  expect(words.slice(0, 4)).toEqual(['-sS', 'http://h/v1/chat/completions', '-H', 'Content-Type: application/json'])
  expect(words.includes('Authorization: Bearer k')).toBe(key === 'k')
  const body = JSON.parse(words.at(-1) ?? '')
  expect(body.model).toBe(model)
  expect(body.tools[0].function.name).toBe('read_file')
})

test('clients of several kinds each see their base URL', () => {
  const entrances = [
    { clients: 'OpenAI', url: 'http://127.0.0.1:8484/v1' },
    { clients: 'Ollama', url: 'http://127.0.0.1:8484' },
  ]
  expect(print({ entrances })).toContain(
    '    Base URL  http://127.0.0.1:8484/v1  OpenAI\n              http://127.0.0.1:8484     Ollama\n    API key',
  )
})

test('a taken port, a search without success and a remark are said', () => {
  const remarks = ['vLLM at http://127.0.0.1:8000/v1 wants an API key.']
  const banner = print({ looking: true, takenPort: 8483, remarks })
  expect(banner).toContain("Port 8483 is taken, so I'm using 8484 instead.")
  expect(banner).toContain('No model server found on this machine')
  expect(banner).toContain('  vLLM at http://127.0.0.1:8000/v1 wants an API key.\n')
})
