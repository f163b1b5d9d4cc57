import { describe, expect, test } from 'vitest'
import { loadConfig } from '../../test/config.ts'
import { vocabulary } from '../cli/compose/vocabulary.ts'
import { hashKey } from './keys.ts'
import { ConfigError } from './problems.ts'
import type { ConfigFlags } from './sources/overrides.ts'
import { describeRestart } from './sources/reload.ts'
import { printAddress } from './values/address.ts'

interface World {
  readonly file?: string
  readonly files?: Record<string, string>
  readonly environment?: Record<string, string>
  readonly flags?: ConfigFlags
  readonly platform?: string
}

const dialects = ['hermes', 'roo-xml']
const kindNames = vocabulary.kinds.map(({ kind }) => kind).join(', ')

function load({ file, files = {}, environment = {}, flags, platform = 'linux' }: World = {}) {
  const all = file === undefined ? files : { '/project/dragoman.yaml': file, ...files }
  const windows = platform === 'win32'
  return loadConfig({
    dialects,
    flavours: ['vllm', 'ollama'],
    doors: ['chat', 'messages', 'ollama'],
    surroundings: {
      environment,
      platform,
      workingDirectory: windows ? 'C:\\work' : '/project',
      homeDirectory: windows ? 'C:\\Users\\u' : '/home/u',
      readFile: (path) => (Object.hasOwn(all, path) ? all[path] : undefined),
    },
    ...(flags && { flags }),
  })
}

function problemsOf(world: World): string[] {
  try {
    load(world)
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n')
    throw error
  }
  return []
}

const standardLimits = {
  bodyBytes: 33_554_432,
  answerBytes: 67_108_864,
  tools: 512,
  depth: 128,
  headersBytes: 16_384,
  eventBytes: 8_388_608,
  heapRefuseShare: 0.85,
  heapDrainShare: 0.95,
}
const standardTimeouts = {
  connectMs: 5000,
  firstEventMs: 600_000,
  idleMs: 120_000,
  totalMs: 3_600_000,
  queueMs: 60_000,
  clientHeadersMs: 10_000,
  clientBodyMs: 60_000,
  drainDelayMs: 0,
  drainMs: 10_000,
}

const full = `
listen: 127.0.0.1:9000
keys: [env:DRAGOMAN_KEY, literal]
doors: [ollama, chat]
log: debug
teams: { research: { tokens_per_month: 5000 } }
upstreams:
  local:
    kind: openai
    url: http://127.0.0.1:8000/v1
    key: env:VLLM_API_KEY
    forward: [top_k]
  spare: { kind: openai, url: "http://u:p@10.0.0.2/v1", key: passthrough, forward: all }
models:
  qwen3-coder:
    upstream: [local, spare]
    model: Qwen/Qwen3-Coder-30B
    tools: prompt
    dialect: hermes
    arguments: whole
    unknown_tools: text
    repair: 1
    persist: 2
    template: { system: false, alternate: true }
    tools_budget: 4000
    history: heal
    loop: stop
  plain: { upstream: local }
sessions: { store: memory, ttl: 1h }
limits: { body: 512kb, answer: 2mb, tools: 8 }
timeouts: { connect: 250ms, first_event: 60, idle: 2m, total: 1h }
`
const secrets = { DRAGOMAN_KEY: 'k1', VLLM_API_KEY: 'v1' }

test('a full file becomes settings', () => {
  const { settings, file } = load({ file: full, environment: secrets })
  expect(file).toEqual({ path: '/project/dragoman.yaml', text: full })
  expect(settings).toEqual({
    listen: { host: '127.0.0.1', port: 9000 },
    keys: [
      { name: 'DRAGOMAN_KEY', key: 'k1', hash: hashKey('k1') },
      { name: 'key-2', key: 'literal', hash: hashKey('literal') },
    ],
    teams: new Map([['research', { tokensPerMonth: 5000 }]]),
    accountsFile: '/home/u/.local/state/dragoman/accounts.db',
    allowed: { hosts: [], origins: [] },
    doors: ['ollama', 'chat'],
    log: 'debug',
    workers: 1,
    upstreams: new Map([
      ['local', { kind: 'openai', url: 'http://127.0.0.1:8000/v1', key: 'v1', forward: ['top_k'] }],
      ['spare', { kind: 'openai', url: 'http://u:p@10.0.0.2/v1', key: 'passthrough', forward: 'all' }],
    ]),
    models: [
      {
        name: 'qwen3-coder',
        upstreams: ['local', 'spare'],
        model: 'Qwen/Qwen3-Coder-30B',
        tools: 'prompt',
        dialect: 'hermes',
        reminder: 'auto',
        listing: 'auto',
        constrain: 'auto',
        arguments: 'whole',
        toolsBudget: 4000,
        unknownTools: 'text',
        repair: 1,
        persist: 2,
        template: { system: false, alternate: true, thinks: false },
        history: 'heal',
        loop: 'stop',
      },
      {
        name: 'plain',
        upstreams: ['local'],
        model: 'plain',
        tools: 'auto',
        dialect: 'auto',
        reminder: 'auto',
        listing: 'auto',
        constrain: 'auto',
        arguments: 'stream',
        unknownTools: 'auto',
        repair: 0,
        persist: 'off',
        template: { system: true, alternate: false, thinks: false },
        history: 'strict',
        loop: 'tell',
      },
    ],
    sessions: { store: 'memory', ttlMs: 3_600_000 },
    limits: { ...standardLimits, bodyBytes: 524_288, answerBytes: 2_097_152, tools: 8 },
    timeouts: { ...standardTimeouts, connectMs: 250, firstEventMs: 60_000 },
    metrics: 'auto',
    readiness: 'gateway',
    inspector: true,
    traces: { store: 'memory', entries: 2000, bytes: 67_108_864, bodies: true, file: '' },
  })
})

describe('traces', () => {
  const kept = { entries: 100_000, bytes: 1_073_741_824, retentionMs: 604_800_000, bodies: true }
  const home = '/home/u/.local/state/dragoman/traces.db'
  test.each<[string, string, Record<string, string>, object]>([
    ['a word', 'traces: sqlite', {}, { store: 'sqlite', ...kept, file: home }],
    [
      'an object',
      'traces: { store: sqlite, entries: 5, bytes: 1mb, retention: 1h, bodies: false, file: t.db }',
      {},
      {
        store: 'sqlite',
        entries: 5,
        bytes: 1_048_576,
        retentionMs: 3_600_000,
        bodies: false,
        file: '/project/t.db',
      },
    ],
    ['off', 'traces: off', {}, { store: 'off', entries: 0, bytes: 0, bodies: true, file: '' }],
    [
      'a variable',
      'traces: off',
      { DRAGOMAN_TRACES: 'sqlite', XDG_STATE_HOME: '/var/s' },
      {
        store: 'sqlite',
        ...kept,
        file: '/var/s/dragoman/traces.db',
      },
    ],
  ])('%s says where they are kept', (_, file, environment, expected) => {
    expect(load({ file, environment }).settings.traces).toEqual(expected)
  })

  test('what is said is recorded on this machine only, unless somebody wants otherwise', () => {
    const open = 'listen: 0.0.0.0:8484\nkeys: [k]\n'
    expect(load({ file: open }).settings.traces.bodies).toBe(false)
    expect(load({ file: `${open}traces: { bodies: true }` }).settings.traces.bodies).toBe(true)
    expect(load({ file: 'listen: "[::1]:1"' }).settings.traces.bodies).toBe(true)
  })

  test('the inspector is off by the file, the variable or the flag', () => {
    expect(load({ file: 'inspector: false' }).settings.inspector).toBe(false)
    expect(load({ environment: { DRAGOMAN_INSPECTOR: 'off' } }).settings.inspector).toBe(false)
    expect(load({ file: 'inspector: true', flags: { inspector: 'off' } }).settings.inspector).toBe(false)
  })

  test.each([
    ['traces: mysql', 'traces: expected one of memory, sqlite, off; found "mysql"'],
    ['traces: { stor: memory }', 'traces.stor: unknown key "stor". Did you mean "store"?'],
    ['traces: { retention: soon }', 'traces.retention: expected a duration'],
    ['traces: { bodies: maybe }', 'traces.bodies: expected auto, true or false; found "maybe"'],
    ['inspector: maybe', 'inspector: expected true or false; found "maybe"'],
  ])('%s is refused', (file, message) => {
    expect(() => load({ file })).toThrow(message)
  })
})

test('all doors are open unless some are chosen', () => {
  expect(load().settings.doors).toEqual(['chat', 'messages', 'ollama'])
  expect(load({ file: 'doors: [chat]' }).settings.doors).toEqual(['chat'])
})

test.each<[string, string, string]>([
  [
    'a misspelt door',
    'doors: [chat, olama]',
    'doors[1]: expected one of chat, messages, ollama; found "olama". Did you mean "ollama"?',
  ],
  [
    'no door at all',
    'doors: []',
    'doors: expected a list of one or more of chat, messages, ollama; found an empty list',
  ],
  [
    'a door that is no list',
    'doors: chat',
    'doors: expected a list of one or more of chat, messages, ollama; found "chat"',
  ],
])('%s is refused', (_, file, problem) => {
  expect(problemsOf({ file })).toEqual([expect.stringContaining(problem)])
})

test('what is shown hides literal secrets and passwords', () => {
  const { shown } = load({ file: full, environment: secrets })
  expect(shown.keys).toEqual(['env:DRAGOMAN_KEY', '***'])
  expect(shown.upstreams['local']).toMatchObject({ key: 'env:VLLM_API_KEY' })
  expect(shown.upstreams['spare']).toMatchObject({ url: 'http://***@10.0.0.2/v1', key: 'passthrough' })
  expect(shown.timeouts.idle).toBe('2m')
})

test('services of the web and a shared store have defaults, and their secrets are read and hidden', () => {
  const file = `
upstreams:
  qwen: { kind: qwen-chat, key: env:QWEN_TOKEN }
  own: { kind: qwen-chat, url: "http://127.0.0.1:9", mode: stateful, parent: parent_id, thinking: on }
  poe: { kind: poe, key: literal }
sessions: { store: "redis://u:p@10.0.0.2:6379/1" }
`
  const { settings, shown } = load({ file, environment: { QWEN_TOKEN: 't' } })
  const web = { kind: 'qwen-chat', url: 'https://chat.qwen.ai', mode: 'replay', parent: 'response_id', thinking: 'off' }
  expect([...settings.upstreams]).toEqual([
    ['qwen', { ...web, key: 't' }],
    ['own', { ...web, url: 'http://127.0.0.1:9', mode: 'stateful', parent: 'parent_id', thinking: 'on' }],
    ['poe', { kind: 'poe', url: 'https://api.poe.com/bot', key: 'literal' }],
  ])
  expect(settings.sessions).toEqual({ store: 'redis://u:p@10.0.0.2:6379/1', ttlMs: 1_800_000 })
  expect(shown.sessions.store).toBe('redis://***@10.0.0.2:6379/1')
  expect(shown.upstreams).toMatchObject({ qwen: { key: 'env:QWEN_TOKEN' }, poe: { key: '***' } })
})

test('the address of the store may stand in the environment, and must be one', () => {
  const file = 'sessions: { store: env:STORE }'
  expect(load({ file, environment: { STORE: 'rediss://h' } }).settings.sessions.store).toBe('rediss://h')
  expect(problemsOf({ file, environment: { STORE: 'h:6379' } })).toEqual([
    '/project/dragoman.yaml:1:13: sessions.store: expected memory, or the address of a Redis such as redis://127.0.0.1:6379',
  ])
  expect(problemsOf({ file })).toEqual([
    '/project/dragoman.yaml:1:13: sessions.store: the environment variable STORE is not set',
  ])
})

test('without anything the stand-in is served on loopback', () => {
  const { settings, file } = load()
  expect(file).toBeUndefined()
  expect(settings.listen).toEqual({ host: '127.0.0.1', port: 8484 })
  expect([...settings.upstreams.values()].map(({ kind }) => kind)).toEqual(['rehearsal'])
  expect(settings.models).toMatchObject([
    { name: 'rehearsal', upstreams: ['rehearsal'], tools: 'prompt', dialect: 'auto' },
  ])
  expect(settings.timeouts).toEqual(standardTimeouts)
  expect(settings.limits).toEqual(standardLimits)
})

test.each([
  ['an empty file', ''],
  ['a file of comments', '# nothing yet\n'],
  ['a file that only sets a limit', 'limits: { tools: 3 }'],
])('%s leaves the stand-in', (_, file) => {
  expect(load({ file }).settings.models.map(({ name }) => name)).toEqual(['rehearsal'])
})

test('the stand-in has its settings from the file, its script from a file beside it', () => {
  const { settings } = load({
    files: {
      '/etc/d/dragoman.yaml':
        'upstreams: { r: { kind: rehearsal, script: s.yaml, cut_seed: 7, calls: 2, prose: false, tokens_per_second: 50 } }',
      '/etc/d/s.yaml': '- one\n- |\n  two\n  lines\n',
    },
    flags: { config: '/etc/d/dragoman.yaml' },
  })
  expect(settings.upstreams.get('r')).toEqual({
    kind: 'rehearsal',
    prose: false,
    thinking: false,
    usage: true,
    calls: 2,
    script: ['one', 'two\nlines\n'],
    pieceSize: 4,
    cut: { seed: 7 },
    tokensPerSecond: 50,
  })
})

const listening = (port: number) => `listen: 127.0.0.1:${port}`

test.each<[string, World, number]>([
  ['the file beats the defaults', { file: listening(1) }, 1],
  ['the environment beats the file', { file: listening(1), environment: { DRAGOMAN_LISTEN: '127.0.0.1:2' } }, 2],
  [
    'a flag beats the environment',
    { file: listening(1), environment: { DRAGOMAN_LISTEN: '127.0.0.1:2' }, flags: { listen: '127.0.0.1:3' } },
    3,
  ],
  ['a flag may be a port alone', { file: listening(1), flags: { listen: '22000' } }, 22_000],
  ['a flag may be a port with its colon', { file: listening(1), flags: { listen: ':22000' } }, 22_000],
  ['a port beats the file', { file: listening(1), flags: { port: '22000' } }, 22_000],
  ['a port may be any free one', { file: listening(1), flags: { port: '0' } }, 0],
  ['a port may be a variable', { file: listening(1), environment: { DRAGOMAN_PORT: '22000' } }, 22_000],
  ['a port beats that of an address', { flags: { listen: '127.0.0.1:3', port: '22000' } }, 22_000],
  [
    'a flag with an address beats a variable with a port',
    { flags: { listen: ':3' }, environment: { DRAGOMAN_PORT: '4' } },
    3,
  ],
  [
    'a flag with a port beats a variable with an address',
    { flags: { port: '3' }, environment: { DRAGOMAN_LISTEN: '127.0.0.1:4' } },
    3,
  ],
  ['an empty variable is not set', { file: listening(1), environment: { DRAGOMAN_LISTEN: '' } }, 1],
  [
    'the working directory beats the config folder',
    {
      files: {
        '/project/dragoman.json': '{"listen":"127.0.0.1:4"}',
        '/home/u/.config/dragoman/dragoman.yaml': listening(5),
      },
    },
    4,
  ],
  ['the config folder is looked at last', { files: { '/home/u/.config/dragoman/dragoman.yml': listening(5) } }, 5],
  [
    'XDG_CONFIG_HOME moves the config folder',
    { files: { '/xdg/dragoman/dragoman.yaml': listening(6) }, environment: { XDG_CONFIG_HOME: '/xdg' } },
    6,
  ],
  [
    'APPDATA is the config folder on Windows',
    {
      files: { 'C:\\Data\\dragoman\\dragoman.yaml': listening(7) },
      environment: { APPDATA: 'C:\\Data' },
      platform: 'win32',
    },
    7,
  ],
  [
    '--config names the file',
    { file: listening(1), files: { '/project/other.yaml': listening(8) }, flags: { config: 'other.yaml' } },
    8,
  ],
  [
    'DRAGOMAN_CONFIG names the file',
    {
      file: listening(1),
      files: { '/etc/d.json': '{"listen":"127.0.0.1:9"}' },
      environment: { DRAGOMAN_CONFIG: '/etc/d.json' },
    },
    9,
  ],
])('%s', (_, world, port) => {
  expect(load(world).settings.listen.port).toBe(port)
})

test.each([
  ['http://127.0.0.1:8000', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/', 'http://127.0.0.1:8000/v1'],
  ['http://127.0.0.1:8000/v1', 'http://127.0.0.1:8000/v1'],
  ['https://host/api/openai', 'https://host/api/openai'],
])('--upstream %s is the upstream "default" at %s', (upstream, url) => {
  const { settings } = load({ file: full, environment: secrets, flags: { upstream } })
  expect([...settings.upstreams]).toEqual([['default', { kind: 'openai', url, forward: [] }]])
  expect(settings.models).toEqual([])
  expect(settings.keys.map(({ key }) => key)).toEqual(['k1', 'literal'])
})

test('the environment can describe upstream, model and keys', () => {
  const environment = {
    DRAGOMAN_UPSTREAM: 'http://h:1',
    DRAGOMAN_UPSTREAM_KEY: 'env:SECRET',
    SECRET: 's',
    DRAGOMAN_MODEL: 'm',
    DRAGOMAN_TOOLS: 'prompt',
    DRAGOMAN_DIALECT: 'hermes',
    DRAGOMAN_KEYS: 'a, b,',
    DRAGOMAN_LISTEN: '0.0.0.0:80',
  }
  const { settings, unnamed } = load({ environment })
  expect(settings.upstreams.get('default')).toEqual({ kind: 'openai', url: 'http://h:1/v1', key: 's', forward: [] })
  expect(settings.models).toMatchObject([{ name: 'm', upstreams: ['default'], tools: 'prompt', dialect: 'hermes' }])
  expect(settings.keys.map(({ key }) => key)).toEqual(['a', 'b'])
  expect(unnamed).toMatchObject({ tools: 'prompt', dialect: 'hermes' })
})

test('--model leaves only that model, with what the file says of it', () => {
  const { settings } = load({ file: full, environment: secrets, flags: { model: 'plain', tools: 'native' } })
  expect(settings.models).toMatchObject([{ name: 'plain', upstreams: ['local'], tools: 'native', dialect: 'auto' }])
})

test('--model names the stand-in when there is nothing else', () => {
  expect(load({ flags: { model: 'gpt-4o' } }).settings.models).toMatchObject([
    { name: 'gpt-4o', upstreams: ['rehearsal'] },
  ])
})

const upstream = 'upstreams: { a: { kind: rehearsal }, bee: { kind: rehearsal } }\n'

test.each<[string, World, string[]]>([
  [
    'an unknown key',
    { file: 'lisen: 127.0.0.1:1' },
    ['/project/dragoman.yaml:1:1: lisen: unknown key "lisen". Did you mean "listen"?'],
  ],
  [
    'an unknown key near nothing',
    { file: 'limits:\n  colour: red' },
    [
      '/project/dragoman.yaml:2:3: limits.colour: unknown key "colour". Known here: body, answer, tools, depth, headers, event, heap_refuse, heap_drain',
    ],
  ],
  [
    'several problems at once',
    { file: `${upstream}models:\n  m:\n    upstream: a\n    tools: promt\n    repair: many\n    templat: {}` },
    [
      '/project/dragoman.yaml:5:5: models.m.tools: expected one of auto, native, template, prompt; found "promt". Did you mean "prompt"?',
      '/project/dragoman.yaml:6:5: models.m.repair: expected a whole number from 0 to 5; found "many"',
      '/project/dragoman.yaml:7:5: models.m.templat: unknown key "templat". Did you mean "template"?',
    ],
  ],
  [
    'an unknown dialect',
    { file: 'models: { "a.b": { dialect: hermse } }' },
    [
      '/project/dragoman.yaml:1:20: models["a.b"].dialect: expected one of auto, hermes, roo-xml; found "hermse". Did you mean "hermes"?',
    ],
  ],
  [
    'an upstream without a kind',
    { file: 'upstreams:\n  x:\n    url: http://h/v1' },
    [`/project/dragoman.yaml:2:3: upstreams.x.kind: missing. Expected one of ${kindNames}`],
  ],
  [
    'an unknown kind',
    { file: 'upstreams: { x: { kind: opnai } }' },
    [
      `/project/dragoman.yaml:1:19: upstreams.x.kind: expected one of ${kindNames}; found "opnai". Did you mean "openai"?`,
    ],
  ],
  [
    'an upstream without an address',
    { file: 'upstreams: { x: { kind: openai } }' },
    ['/project/dragoman.yaml:1:14: upstreams.x.url: missing. Expected an http:// or https:// address'],
  ],
  [
    'an address that is none',
    { file: 'upstreams: { x: { kind: openai, url: "ftp://h" } }' },
    ['/project/dragoman.yaml:1:33: upstreams.x.url: expected an http:// or https:// address; found "ftp://h"'],
  ],
  [
    'an address that is none and holds a password',
    { file: 'upstreams: { x: { kind: openai, url: "ftp://u:hun/ter2@h/v1?key=hunter2" } }' },
    [
      '/project/dragoman.yaml:1:33: upstreams.x.url: expected an http:// or https:// address; found "ftp://***@h/v1?key=***"',
    ],
  ],
  [
    'a secret of the wrong type, which is not repeated',
    { file: 'keys: [12345]' },
    ['/project/dragoman.yaml:1:8: keys[0]: expected a key, env:NAME, or an object with key or hash; found a number'],
  ],
  [
    'a duration',
    { file: 'timeouts: { idle: 5 minutes }' },
    [
      '/project/dragoman.yaml:1:13: timeouts.idle: expected a duration such as 500ms, 5s, 30m or 1h (a bare number counts seconds), at most 24d; found "5 minutes"',
    ],
  ],
  ...['30d', 0, '0s'].map((idle): [string, World, string[]] => [
    `the duration ${idle}`,
    { file: `timeouts: { idle: ${idle} }` },
    [
      `/project/dragoman.yaml:1:13: timeouts.idle: expected a duration such as 500ms, 5s, 30m or 1h (a bare number counts seconds), at most 24d; found ${JSON.stringify(idle)}`,
    ],
  ]),
  [
    'a size',
    { file: 'limits: { body: -1 }' },
    [
      '/project/dragoman.yaml:1:11: limits.body: expected a size such as 512kb or 32mb (a bare number counts bytes); found -1',
    ],
  ],
  [
    'an address to listen on',
    { file: 'listen: localhost' },
    ['/project/dragoman.yaml:1:1: listen: expected HOST:PORT such as 127.0.0.1:8484 or [::1]:8484; found "localhost"'],
  ],
  [
    'a model without a choice among upstreams',
    { file: `${upstream}models: { m: {} }` },
    ['/project/dragoman.yaml:2:11: models.m.upstream: missing. Expected one of a, bee'],
  ],
  [
    'upstreams that are not there',
    { file: `${upstream}models:\n  m: { upstream: [a, be] }\n  n: { upstream: zzz }` },
    [
      '/project/dragoman.yaml:3:22: models.m.upstream[1]: no upstream is called "be". Did you mean "bee"?',
      '/project/dragoman.yaml:4:8: models.n.upstream: no upstream is called "zzz". Known: a, bee',
    ],
  ],
  [
    'an empty list of upstreams',
    { file: `${upstream}models: { m: { upstream: [] } }` },
    [
      '/project/dragoman.yaml:2:16: models.m.upstream: expected the name of an upstream or a list of names; found an empty list',
    ],
  ],
  [
    'a session store there is not',
    { file: 'sessions: { store: "mysql://u:p@h" }' },
    [
      '/project/dragoman.yaml:1:13: sessions.store: expected memory, or the address of a Redis such as redis://127.0.0.1:6379; found a string',
    ],
  ],
  [
    'a file that is a list',
    { file: '- a' },
    [
      '/project/dragoman.yaml: expected an object with listen, keys, teams, allowed_hosts, allowed_origins, doors, log, workers, upstreams, models, sessions, limits, timeouts, metrics, readiness, inspector, traces; found a list',
    ],
  ],
  [
    'a secret that is not set',
    { file: 'keys: [env:NOPE, "env:"]', environment: {} },
    [
      '/project/dragoman.yaml:1:8: keys[0]: the environment variable NOPE is not set',
      '/project/dragoman.yaml:1:18: keys[1]: expected the name of an environment variable after "env:"',
    ],
  ],
  [
    'a secret that is empty',
    { file: 'upstreams: { x: { kind: openai, url: "http://h", key: env:K } }', environment: { K: ' ' } },
    ['/project/dragoman.yaml:1:50: upstreams.x.key: the environment variable K is empty'],
  ],
  [
    'flags',
    { flags: { listen: 'nowhere', tools: 'nativ', upstream: 'nowhere at all' } },
    [
      '--tools: expected one of auto, native, template, prompt; found "nativ". Did you mean "native"?',
      '--listen: expected HOST:PORT such as 127.0.0.1:8484 or [::1]:8484; found "nowhere"',
      '--upstream: expected an http:// or https:// address; found "nowhere at all"',
    ],
  ],
  ...['abc', '-1', '65536', '8484.5'].map((port): [string, World, string[]] => [
    `the port ${port}`,
    { flags: { port } },
    [`--port: expected a port from 0 to 65535; found "${port}"`],
  ]),
  [
    'variables',
    { environment: { DRAGOMAN_DIALECT: 'klingon' } },
    ['DRAGOMAN_DIALECT: expected one of auto, hermes, roo-xml; found "klingon"'],
  ],
  [
    'a host with a scheme and an origin without one',
    { file: 'allowed_hosts: [http://box.lan]\nallowed_origins:\n  - localhost:3000\n  - https://a.example/chat' },
    [
      '/project/dragoman.yaml:1:17: allowed_hosts[0]: expected a host name such as host.docker.internal or *.lan, without http://; found "http://box.lan"',
      '/project/dragoman.yaml:3:5: allowed_origins[0]: expected an origin such as https://chat.example.com or http://localhost:3000, without a path; found "localhost:3000"',
      '/project/dragoman.yaml:4:5: allowed_origins[1]: expected an origin such as https://chat.example.com or http://localhost:3000, without a path; found "https://a.example/chat"',
    ],
  ],
  [
    'any page and any host without keys',
    { file: 'allowed_origins: ["*"]', environment: { DRAGOMAN_ALLOWED_HOSTS: 'box.lan, *' } },
    [
      'DRAGOMAN_ALLOWED_HOSTS: any web page could use your models with "*". Name the pages and hosts you use, or set `keys` first',
      '/project/dragoman.yaml:1:19: allowed_origins[0]: any web page could use your models with "*". Name the pages and hosts you use, or set `keys` first',
    ],
  ],
  [
    'a script that cannot be played',
    {
      file: 'upstreams:\n  a: { kind: rehearsal, script: gone.json }\n  b: { kind: rehearsal, script: odd.yaml }',
      files: { '/project/odd.yaml': 'a: 1' },
    },
    [
      '/project/dragoman.yaml:2:25: upstreams.a.script: there is no file "gone.json"',
      '/project/dragoman.yaml:3:25: upstreams.b.script: expected a list of texts in "odd.yaml"',
    ],
  ],
  ['a file that is not there', { flags: { config: 'gone.yaml' } }, ['/project/gone.yaml: there is no such file']],
])('%s is told', (_, world, messages) => {
  expect(problemsOf(world)).toEqual(messages)
})

test('pages and hosts can be allowed by the file, or by variables, and any of them where keys are set', () => {
  const file = 'keys: [k]\nallowed_hosts: [host.docker.internal]\nallowed_origins: ["*"]'
  expect(load({ file }).settings.allowed).toEqual({ hosts: ['host.docker.internal'], origins: ['*'] })
  const environment = { DRAGOMAN_ALLOWED_HOSTS: 'a.lan, b.lan', DRAGOMAN_ALLOWED_ORIGINS: 'http://localhost:*' }
  expect(load({ file, environment }).settings.allowed).toEqual({
    hosts: ['a.lan', 'b.lan'],
    origins: ['http://localhost:*'],
  })
})

test.each<[string, ConfigFlags, string, string]>([
  ['a port alone stays on this machine', { listen: '22000' }, 'listen: 0.0.0.0:1', '127.0.0.1:22000'],
  ['a port keeps the host of the file', { port: '22000' }, 'listen: 0.0.0.0:1', '0.0.0.0:22000'],
  ['a port keeps an IPv6 host', { port: '22000' }, 'listen: "[::1]:1"', '[::1]:22000'],
  ['a port joins a host', { port: '22000', listen: 'localhost' }, '', 'localhost:22000'],
  ['a port joins an IPv6 host', { port: '22000', listen: '[::1]' }, '', '[::1]:22000'],
])('%s', (_what, flags, file, expected) => {
  const { settings } = load({ file: `keys: [k]\n${file}`, flags })
  expect(printAddress(settings.listen)).toBe(expected)
})

test.each(['0.0.0.0:8484', '[::]:8484', '192.168.0.7:1'])('%s without keys is refused with the remedy', (listen) => {
  const [message] = problemsOf({ flags: { listen } })
  expect(message).toContain(`listen: ${listen} can be reached from other machines, and no keys are set.`)
  expect(message).toContain('DRAGOMAN_KEYS')
  expect(message).toContain('127.0.0.1')
  expect(problemsOf({ flags: { listen }, environment: { DRAGOMAN_KEYS: 'k' } })).toEqual([])
})

test.each([
  ['dragoman.yaml', 'listen: [1', /^\/project\/dragoman\.yaml:1:11: /],
  ['dragoman.yaml', 'a: 1\na: 2', /^\/project\/dragoman\.yaml:2:1: Map keys must be unique/],
  ['dragoman.json', '{"listen": }', /^\/project\/dragoman\.json:1:12: is not JSON: expected a value/],
])('broken text in %s (%j) says where', (name, text, message) => {
  expect(problemsOf({ files: { [`/project/${name}`]: text } })[0]).toMatch(message)
})

test('lines are told for JSON too', () => {
  expect(problemsOf({ files: { '/project/dragoman.json': '{\n\t"limits": {\n\t\t"tools": 0\n\t}\n}' } })).toEqual([
    '/project/dragoman.json:3:3: limits.tools: expected a whole number from 1 to 100000; found 0',
  ])
})

test('how much a service bears, of which kind it is and how often it is asked first', () => {
  const { settings } = load({
    file: `
upstreams:
  a: { kind: openai, url: http://h/v1, flavour: ollama, concurrency: 1, queue: 4 }
  b: { kind: openai, url: http://i/v1, flavour: auto }
models: { m: { upstream: [a, b], weights: { a: 3 } } }`,
  })
  expect(settings.upstreams.get('a')).toMatchObject({ flavour: 'ollama', concurrency: 1, queue: 4 })
  expect(settings.models[0]?.weights).toEqual({ a: 3 })
})

test.each([
  ['flavour: olama', /flavour.*auto, vllm, ollama/i],
  ['concurrency: 0', /concurrency.*a whole number from 1/],
  ['queue: -1', /queue.*a whole number from 0/],
])('%s is refused', (field, message) => {
  const file = `upstreams: { a: { kind: openai, url: http://h/v1, ${field} } }`
  expect(problemsOf({ file }).join(' ')).toMatch(message)
})

test('a weight of a service that does not serve the model is refused', () => {
  const file = `
upstreams: { a: { kind: rehearsal }, b: { kind: rehearsal } }
models: { m: { upstream: a, weights: { b: 2 } } }`
  expect(problemsOf({ file }).join(' ')).toMatch(/weights\.b.*has no upstream "b"/)
})

test.each(['http://127.0.0.1:11434', '127.0.0.1:11434', 'http://127.0.0.1:11434/api'])(
  'the address %s means the same in the file and as a flag',
  (url) => {
    const file = `upstreams: { default: { kind: openai, url: "${url}" } }`
    const urlOf = (world: World) => load(world).settings.upstreams.get('default')
    expect(urlOf({ file })).toMatchObject({ url: 'http://127.0.0.1:11434/v1' })
    expect(urlOf({ flags: { upstream: url } })).toMatchObject({ url: 'http://127.0.0.1:11434/v1' })
  },
)

test('a change that only a restart takes up is told by its key', () => {
  const [before, after] = [load({ file: '' }), load({ file: 'limits: { headers: 32kb, body: 1mb }\ninspector: false' })]
  expect(describeRestart(before, after)).toEqual([
    'The change of `limits.headers` needs a restart.',
    'The change of `inspector` needs a restart.',
  ])
  expect(describeRestart(before, load({ file: 'limits: { headers: 16kb }' }))).toEqual([])
})
