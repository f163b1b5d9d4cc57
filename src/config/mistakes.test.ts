import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../test/config.ts'
import { ConfigError } from './problems.ts'

function load(file: string, name = 'dragoman.yaml') {
  return loadConfig({
    dialects: ['hermes', 'roo-xml'],
    flavours: ['vllm', 'ollama'],
    doors: ['chat', 'messages', 'ollama'],
    surroundings: {
      environment: { SHORT: 'x', LONG: 'a-key-of-enough-characters' },
      platform: 'linux',
      workingDirectory: '/p',
      homeDirectory: '/h',
      readFile: (path) => (path === `/p/${name}` ? file : undefined),
    },
  })
}

function errorOf(file: string, name?: string): ConfigError {
  try {
    load(file, name)
  } catch (error) {
    if (error instanceof ConfigError) return error
    throw error
  }
  throw new Error('it was taken')
}

const upstream = (fields: string) => `upstreams:\n  a:\n    kind: openai\n    url: http://h:1/v1\n    ${fields}\n`
const one = upstream('queue: 1')

describe('a mistake is told with what to write instead:', () => {
  test.each<[string, string, string | RegExp]>([
    ['a variable of the shell', upstream('key: $OPENAI_API_KEY'), 'Write env:OPENAI_API_KEY'],
    ['the same in braces', upstream('key: ${OPENAI_API_KEY}'), 'Write env:OPENAI_API_KEY'],
    ['with a default', upstream('key: "${OPENAI_API_KEY:-none}"'), 'Write env:OPENAI_API_KEY'],
    ['a variable of Windows', upstream('key: "%OPENAI_API_KEY%"'), 'Write env:OPENAI_API_KEY'],
    ['a variable of PowerShell', upstream('key: $env:OPENAI_API_KEY'), 'Write env:OPENAI_API_KEY'],
    ['as LiteLLM writes it', upstream('key: os.environ/OPENAI_API_KEY'), 'Write env:OPENAI_API_KEY'],
    ['as Continue writes it', upstream('key: "{{ OPENAI_API_KEY }}"'), 'Write env:OPENAI_API_KEY'],
    ['a blank after env:', upstream('key: "env: OPENAI_API_KEY"'), 'Write env:OPENAI_API_KEY'],
    ['ENV in capitals', upstream('key: ENV:OPENAI_API_KEY'), 'Write env:OPENAI_API_KEY'],
    ['the bare name of a variable', upstream('key: OPENAI_API_KEY'), 'Write env:OPENAI_API_KEY'],
    ['a variable among the client keys', 'keys: [$DRAGOMAN_KEY]\n', 'Write env:DRAGOMAN_KEY'],
    [
      'a team that is not there',
      'keys: [{ name: a, key: a-key-of-some-length, team: reserch }]\nteams: { research: { tokens_per_day: 5 } }\n',
      'Did you mean "research"?',
    ],
    ['a header in the place of its key', upstream('key: Bearer sk-1'), 'without "Bearer"'],
    ...(['vllm', 'ollama', 'llama.cpp', 'lmstudio', 'LM Studio', 'sglang', 'openrouter', 'tgi', 'groq'] as const).map(
      (kind): [string, string, RegExp] => [
        `the kind ${kind}`,
        `upstreams:\n  a:\n    kind: ${kind}\n    url: http://h:1/v1\n`,
        /write `kind: openai` and its address, like `url: https?:\/\/\S+`/,
      ],
    ),
    ['no kind', 'upstreams:\n  a:\n    url: http://h:1/v1\n', 'missing. Expected one of openai'],
    ['a kind without a blank', 'upstreams:\n  a:\n    kind:openai\n', 'a blank is missing after `kind:`'],
    ['a model twice', `${one}models:\n  m: { tools: prompt }\n  n: {}\n  m: {}\n`, '"m" is in lines 7 and 9'],
    ['a model twice in one line', `${one}models: { m: {}, m: {} }\n`, '"m" is twice in line 6'],
    ['a setting twice', 'listen: 8080\nlog: debug\nlisten: 8081\n', '"listen" is in lines 1 and 3'],
    [
      'an address without a port',
      'listen: localhost\n',
      'HOST:PORT such as 127.0.0.1:8484 or [::1]:8484; found "localhost"',
    ],
    ['a host name for an address', 'upstreams: { a: { kind: openai, url: vllm } }', '`url: http://vllm:8000/v1`'],
    ['base_url', 'upstreams: { a: { kind: openai, base_url: "http://h:1" } }', 'Did you mean "url"?'],
    ['api_key', upstream('api_key: x'), 'Did you mean "key"?'],
    ['port', 'port: 8080\n', 'Did you mean "listen"?'],
    ['models as a list', `${one}models: [m]\n`, 'Write each as `NAME: { upstream: NAME }`'],
    ['upstreams as a list', 'upstreams:\n  - kind: openai\n', 'Write each as `NAME: { kind: openai, url: … }`'],
    ['a model of nothing', `${one}models:\n  m:\n`, 'Write `m: {}` for the defaults'],
    ['a model that is a name', `${one}models: { m: a }\n`, 'write `m: { upstream: a }`'],
    ['a number in quotes', `${one}models: { m: { repair: "1" } }\n`, 'Write 1, without quotes'],
    ['seconds in quotes', 'timeouts: { connect: "5" }\n', 'Write 5, without quotes'],
    ['yes for true', 'inspector: yes\n', 'Write true, without quotes'],
    ['a unit there is not', 'timeouts: { connect: 5sec }\n', 'a duration such as 500ms, 5s'],
    ['a size of another kind', 'limits: { body: 32MiB }\n', 'a size such as 512kb or 32mb'],
    ['a word with a slip', `${one}models: { m: { tools: nativ } }\n`, 'Did you mean "native"?'],
    ['tabs', 'upstreams:\n\ta:\n', 'Tabs are not allowed'],
  ])('%s', (_, file, told) => {
    expect(errorOf(file).message).toMatch(told)
  })

  test.each<[string, string, string]>([
    [
      'a comma too many',
      '{\n  "listen": "127.0.0.1:1",\n}',
      "3:1: is not JSON: expected a name in double quotes, found '}'",
    ],
    [
      'a name twice',
      '{\n  "listen": 1,\n  "listen": 2\n}',
      '3:3: Map keys must be unique, and "listen" is in lines 2 and 3',
    ],
  ])('in JSON, %s', (_, file, told) => {
    expect(errorOf(file, 'dragoman.json').message).toBe(
      `/p/dragoman.json:${told}${told.includes('unique') ? '. Keep one of them' : ''}`,
    )
  })
})

test.each(['keys: ["1"]', 'keys: [env:SHORT]', 'keys: [{ name: ann, key: abc }]'])(
  '%s is taken with a warning',
  (file) => {
    const [warning] = load(file).warnings
    expect(warning?.message).toMatch(
      /^the key "(?:key-1|SHORT|ann)" .* can be guessed\. `dragoman keys new` makes a good one$/,
    )
    expect(warning?.frame).toMatch(/^1 \| keys: .*…[^'"]*\n {2}\| \^$/)
  },
)

test('a key of many characters needs none', () => {
  expect(load('keys: [env:LONG]').warnings).toEqual([])
})

test.each(['listen: 8080', 'listen: "8080"', 'listen: ":8080"'])('%s is a port of this machine alone', (file) => {
  expect(load(file).settings.listen).toEqual({ host: '127.0.0.1', port: 8080 })
})

test.each(['http://h:1/v1/v1', 'http://h:1/v1/v1/', 'http://h:1/v1/v1/chat/completions', 'http://h:1'])(
  '%s is where /v1 is',
  (url) => {
    const [settings] = load(`upstreams: { a: { kind: openai, url: "${url}" } }`).settings.upstreams.values()
    expect(settings).toMatchObject({ url: 'http://h:1/v1' })
  },
)

describe('a problem shows its line, with a caret below the place', () => {
  test.each<[string, string, string, string?]>([
    ['of a value', upstream('key: $OPENAI_API_KEY'), '5 |     key: $OPENAI_API_KEY\n  |     ^'],
    ['of an open address', 'log: debug\nlisten: 0.0.0.0:80\n', '2 | listen: 0.0.0.0:80\n  | ^'],
    ['of a key that is unknown', 'log: debug\nmodles: {}\n', '2 | modles: {}\n  | ^'],
    ['of what stands twice', 'listen: 8080\nlisten: 8081\n', '2 | listen: …\n  | ^'],
    [
      'in a flow',
      'upstreams: { a: { kind: openai, url: vllm } }',
      '1 | upstreams: { a: { kind: …, url: vllm } }\n  |                            ^',
    ],
    ['indented with a tab', 'upstreams:\n\ta:\n', '2 | \ta:\n  | ^'],
    ['in JSON', '{\n  "log": "trace"\n}', '2 |   "log": "trace"\n  |   ^', 'dragoman.json'],
    ['of broken JSON', '{"listen": 8080,\n "log" "debug"}', '2 |  …\n  |  ^', 'dragoman.json'],
  ])('%s', (_, file, frame, name) => {
    expect(errorOf(file, name).problems[0]?.frame).toBe(frame)
    expect(errorOf(file, name).print()).toContain(`\n${frame}`)
  })

  test('of a long line only what is near it is shown', () => {
    const long = `{"keys": [${'"abcdefgh1", '.repeat(200)}"x"], "log": "trace"}`
    const { frame = '' } = errorOf(long, 'dragoman.json').problems.at(-1) ?? {}
    const [line = '', caret = ''] = frame.split('\n')
    expect(line.length).toBeLessThan(110)
    expect(line.slice(caret.indexOf('^')).startsWith('"log": "trace"')).toBe(true)
  })

  const secret = 'sk-5ecretsecretsecret'
  test.each<[string, string, string?]>([
    ['beside it', `upstreams: { a: { kind: openai, url: "http://h", key: ${secret}, urll: x } }`],
    ['under a name that is unknown', upstream(`api_key: ${secret}`)],
    ['in a list', `keys: [${secret}, { kay: ${secret} }]`],
    ['in an address', `upstreams: { a: { kind: opanai, url: "http://u:${secret}@h" } }`],
    ['twice', `keys: [${secret}]\nkeys: [${secret}]`],
    ['in a file with tabs', `upstreams:\n\ta: { key: ${secret} }\n\tkey: ${secret}\n\t- ${secret}\n`],
    ['in a quote that never ends', `upstreams:\n  a:\n    key: "${secret}\n    url: x\n`],
    ['in a line without a name', `keys:\n  - a: b: ${secret}\n`],
    ['in broken JSON', `{"keys": ["${secret}",], "a": 1}`, 'dragoman.json'],
    ['in JSON that ends', `{"keys": ["${secret}"`, 'dragoman.json'],
    ['where JSON breaks', `{"keys": [\n"${secret}" "${secret}"]}`, 'dragoman.json'],
  ])('a secret %s never shows', (_, file, name) => {
    expect(errorOf(file, name).print()).not.toContain('5ecret')
  })
})
