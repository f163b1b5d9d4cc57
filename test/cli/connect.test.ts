import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFolder, runDragoman, startGateway } from '../dragoman.ts'

function folderWith(config: object): string {
  const { folder, remove } = createFolder({ 'dragoman.yaml': JSON.stringify(config) })
  onTestFinished(remove)
  return folder
}

const upstreams = { local: { kind: 'openai', url: 'http://127.0.0.1:9/v1' } }

test('connect takes address and model from the configuration, and shows no key', async () => {
  const folder = folderWith({ listen: '127.0.0.1:9191', keys: ['hush'], upstreams, models: { small: {} } })
  const { code, out } = await runDragoman(['connect', 'qwen-code'], { folder })
  expect(code).toBe(0)
  expect(out).toContain('OPENAI_BASE_URL=http://127.0.0.1:9191/v1\nOPENAI_MODEL=small')
  expect(out).toContain('YOUR_KEY')
  expect(out).not.toContain('hush')
})

test('connect --write writes the key into a file only its owner reads', async () => {
  const folder = folderWith({ listen: '127.0.0.1:9', keys: ['hush'], upstreams, models: { small: {} } })
  const { code, out } = await runDragoman(['connect', 'opencode', '--write'], { folder })
  expect(code).toBe(0)
  expect(out).toContain(`wrote ${join(folder, 'opencode/opencode.json')}`)
  expect(out).not.toContain('hush')
  const written = JSON.parse(readFileSync(join(folder, 'opencode/opencode.json'), 'utf8'))
  expect(written.provider.dragoman.options).toEqual({ baseURL: 'http://127.0.0.1:9/v1', apiKey: 'hush' })
  expect(statSync(join(folder, 'opencode/opencode.json')).mode & 0o077).toBe(0)
})

test.each([
  [
    'another key, in a file of variables',
    'openai',
    'dragoman/openai.env',
    'A=1\nOPENAI_API_KEY=sk-precious\n',
    'OPENAI_API_KEY=(old key)',
  ],
  [
    'another model, in a file with comments',
    'opencode',
    'opencode/opencode.json',
    '{\n  // mine\n  "model": "x/y"\n}\n',
    '"model": "x/y"',
  ],
])('connect --write shows the change and keeps the old file: %s', async (_, client, name, before, shown) => {
  const { folder, write, remove } = createFolder()
  onTestFinished(remove)
  mkdirSync(dirname(join(folder, name)))
  write(name, before)
  const args = ['connect', client, '--url', 'http://127.0.0.1:9/v1', '--model', 'm', '--key', 'k3y', '--write']
  const { code, out } = await runDragoman(args, { folder })
  expect(code).toBe(0)
  expect(out).toContain(`changed ${join(folder, name)}, the old one is in ${join(folder, name)}.bak`)
  expect(out).toMatch(new RegExp(`^- +${shown.replaceAll(/[()]/g, '\\$&')}`, 'm'))
  expect(out).not.toMatch(/precious|k3y.*\n.*k3y/)
  expect(readFileSync(join(folder, `${name}.bak`), 'utf8')).toBe(before)
  expect(statSync(join(folder, `${name}.bak`)).mode & 0o077).toBe(0)
  const after = readFileSync(join(folder, name), 'utf8')
  expect(after).toContain('k3y')
  if (before.includes('//')) expect(after).toContain('// mine')
  expect((await runDragoman(args, { folder })).out).toContain('nothing to change')
  expect(existsSync(join(folder, `${name}.bak2`))).toBe(false)
  write(name, before)
  expect((await runDragoman(args, { folder })).out).toContain(`${name}.bak2`)
})

test('a file that cannot be read stays as it is, and what to add is printed without the key', async () => {
  const folder = folderWith({ listen: '127.0.0.1:9', keys: ['hush'], upstreams, models: { small: {} } })
  mkdirSync(join(folder, 'opencode'))
  writeFileSync(join(folder, 'opencode/opencode.json'), '{ "theme": ')
  const { code, out, complaints } = await runDragoman(['connect', 'opencode', '--write'], { folder })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(complaints).toContain('nothing was written')
  expect(complaints).toContain('"baseURL": "http://127.0.0.1:9/v1"')
  expect(complaints).not.toContain('hush')
  expect(readFileSync(join(folder, 'opencode/opencode.json'), 'utf8')).toBe('{ "theme": ')
})

async function startService(answer: object, status = 200) {
  const service = createServer((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  onTestFinished(() => void service.close())
  return `http://127.0.0.1:${(service.address() as AddressInfo).port}`
}

test('connect asks the gateway at --url for its models, whatever the configuration says', async () => {
  const service = await startService({ data: [{ id: 'coder', max_model_len: 16_384 }, { id: 'writer' }] })
  const gateway = await startGateway({ args: ['--upstream', service] })
  onTestFinished(gateway.stop)
  const folder = folderWith({})
  for (const url of [`${gateway.origin}/v1`, gateway.origin, gateway.origin.replace('http://', '')]) {
    const { out } = await runDragoman(['connect', 'opencode', '--url', url, '--json'], { folder })
    const { text, hints, path } = JSON.parse(out)
    expect(path).toBe(join(folder, 'opencode/opencode.json'))
    expect(JSON.parse(text)).toMatchObject({
      model: 'dragoman/coder',
      provider: { dragoman: { options: { baseURL: `${gateway.origin}/v1` } } },
    })
    expect(JSON.parse(text).provider.dragoman.models.coder.limit).toEqual({ context: 16_384, output: 4096 })
    expect(hints[0]).toBe('The gateway also serves writer. Choose with --model NAME.')
  }
  const wrong = await runDragoman(['connect', 'pi', '--url', gateway.origin, '--model', 'codr'], { folder })
  expect(wrong.out).toContain('doesn\'t list "codr". Did you mean "coder"?')
}, 30_000)

test('connect takes the model of the configuration while nothing runs, and says so', async () => {
  const folder = folderWith({ listen: '127.0.0.1:9', upstreams, models: { small: {} } })
  const { out } = await runDragoman(['connect', 'pi'], { folder })
  expect(out).toContain(
    'No gateway is running at http://127.0.0.1:9/v1, so this is the model your config file names first.',
  )
})

test.each([
  ['a gateway that wants a key', { error: { message: 'no' } }, 401, '--key KEY'],
  ['a gateway with no model server', { error: { message: 'none answers' } }, 502, 'It says: none answers'],
  ['a gateway with no models', { data: [] }, 200, 'serves no models'],
  ['something else', ['hello'], 200, 'No gateway answers at'],
])('connect to %s is refused with what to do', async (_, answer, status, words) => {
  const url = await startService(answer, status)
  const outcome = await runDragoman(['connect', 'pi', '--url', url], { folder: folderWith({}) })
  expect(outcome).toMatchObject({ code: 1, out: '' })
  expect(outcome.complaints).toContain(words)
})

test.each<[readonly string[], number, string]>([
  [['connect'], 2, 'Which client?'],
  [['connect', 'opencod'], 2, 'Did you mean "opencode"?'],
  [['connect', 'codex', '--model', 'm', '--project'], 2, 'keeps its settings in your own files only'],
  [['connect', 'cursor', '--write'], 2, 'set up by hand'],
  [['connect', 'opencode', '--remove'], 1, 'There is nothing that `connect opencode --write` wrote'],
  [['connect', 'pi'], 1, '--model NAME'],
  [['connect', 'pi', '--url', 'http://127.0.0.1:9'], 1, 'No gateway answers at http://127.0.0.1:9/v1'],
  [['connect', 'pi', '--url', 'http://'], 1, 'is not a URL'],
])('%s is refused', async (args, code, words) => {
  const folder = folderWith({ upstreams, listen: '127.0.0.1:9' })
  const outcome = await runDragoman(args, { folder })
  expect(outcome.code).toBe(code)
  expect(outcome.complaints).toContain(words)
})

const told = ['--url', 'http://127.0.0.1:9/v1', '--model', 'm', '--key', 'k3y-of-mine']

function emptyFolder() {
  const { folder, remove } = createFolder()
  onTestFinished(remove)
  return folder
}

test.each([
  ['opencode', 'opencode.json', '"apiKey": "{env:DRAGOMAN_KEY}"'],
  ['kilo', 'kilo.json', '"apiKey": "{env:DRAGOMAN_KEY}"'],
  ['claude-code', '.claude/settings.json', '"apiKeyHelper": "printenv DRAGOMAN_KEY"'],
])('connect %s --write --project refers to the key instead of writing it', async (client, file, reference) => {
  const folder = emptyFolder()
  const { code, out } = await runDragoman(['connect', client, ...told, '--write', '--project'], { folder })
  expect(code).toBe(0)
  expect(out).toContain('DRAGOMAN_KEY')
  const written = readFileSync(join(folder, file), 'utf8')
  expect(written).toContain(reference)
  expect(written).not.toContain('k3y-of-mine')
})

test.each(['openai', 'anthropic', 'ollama'])(
  'connect %s --write --project keeps the key in a file of its own, for its owner alone',
  async (client) => {
    const folder = emptyFolder()
    const { out } = await runDragoman(['connect', client, ...told, '--write', '--project'], { folder })
    const own = join(folder, `dragoman/${client}.env`)
    expect(out).toContain(`the key is in ${own} alone`.split(' ')[0])
    expect(out.replaceAll('\n', ' ')).toContain(`${own} alone`)
    expect(readFileSync(join(folder, '.env'), 'utf8')).not.toContain('k3y-of-mine')
    expect(readFileSync(own, 'utf8')).toContain('k3y-of-mine')
    expect(statSync(own).mode & 0o077).toBe(0)
  },
)

test('a key that lets nobody in may stand in a project', async () => {
  const folder = emptyFolder()
  await runDragoman(['connect', 'opencode', ...told.slice(0, 4), '--write', '--project'], { folder })
  expect(readFileSync(join(folder, 'opencode.json'), 'utf8')).toContain('"apiKey": "dragoman"')
})

test('a file of the user that others could read is theirs alone once the key is in it', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'opencode/opencode.json')
  mkdirSync(dirname(path))
  writeFileSync(path, '{}', { mode: 0o644 })
  await runDragoman(['connect', 'opencode', ...told, '--write'], { folder })
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('settings go into the file that is there under another of its names', async () => {
  const folder = emptyFolder()
  const path = join(folder, 'opencode/opencode.jsonc')
  mkdirSync(dirname(path))
  writeFileSync(path, '{ // mine\n}\n')
  await runDragoman(['connect', 'opencode', ...told, '--write'], { folder })
  expect(readFileSync(path, 'utf8')).toMatch(/k3y-of-mine[\s\S]*\/\/ mine\n/)
})

const homes: readonly (readonly [client: string, path: string, before: string])[] = [
  ['opencode', 'opencode/opencode.json', '// mine\n{\n\t"model": "x/y", // for work\n\t"theme": "dark"\n}\n'],
  ['claude-code', '.claude/settings.json', '{"env": {"A": "1", "ANTHROPIC_MODEL": "opus"}, "theme": "light"}'],
  ['codex', '.codex/config.toml', '# mine\nmodel = "gpt-5" # the best\n\n[tui]\ntheme = "dark"\n'],
  [
    'continue',
    '.continue/config.yaml',
    '# mine\nname: home\nversion: 2.0.0\nmodels:\n  - name: own # keep\n    provider: ollama\n',
  ],
  ['qwen-code', '.qwen/.env', '# mine\nOPENAI_API_KEY=old\nOTHER=1\n'],
  ['pi', '.pi/agent/models.json', '{"providers": {"mine": {"baseUrl": "x"}}}'],
]

test.each(homes)('connect %s --remove makes the file what it was, to the byte', async (client, path, before) => {
  const folder = emptyFolder()
  mkdirSync(dirname(join(folder, path)), { recursive: true })
  writeFileSync(join(folder, path), before)
  const own = { folder, environment: { HOME: folder } }
  await runDragoman(['connect', client, ...told, '--write'], own)
  await runDragoman(['connect', client, ...told, '--model', 'another', '--write'], own)
  expect(readFileSync(join(folder, path), 'utf8')).not.toBe(before)
  const { code, out } = await runDragoman(['connect', client, '--remove'], own)
  expect({ code, said: out.split('\n')[0] }).toEqual({
    code: 0,
    said: expect.stringContaining('took the settings out of'),
  })
  expect(out).not.toContain('k3y-of-mine')
  expect(readFileSync(join(folder, path), 'utf8')).toBe(before)
  expect((await runDragoman(['connect', client, '--remove'], own)).code).toBe(1)
})

test.each(homes)('connect %s --remove takes a file away that it made', async (client, path) => {
  const folder = emptyFolder()
  const own = { folder, environment: { HOME: folder } }
  await runDragoman(['connect', client, ...told, '--write'], own)
  expect(existsSync(join(folder, path))).toBe(true)
  await runDragoman(['connect', client, '--remove'], own)
  expect(readdirSync(dirname(join(folder, path)))).toEqual([])
})

test.each([
  ['claude', 'Claude Code'],
  ['qwen', 'Qwen Code'],
  ['cn', 'Continue'],
  ['roo-code', 'Roo Code'],
])('%s is another name for %s', async (alias, title) => {
  const { code, out } = await runDragoman(['connect', alias, ...told], { folder: emptyFolder() })
  expect(code).toBe(0)
  expect(out).toContain(`${title}: put this into`)
})

test.each(['cursor', 'zed', 'aider', 'gemini', 'copilot'])('%s is told what to fill in, and where', async (client) => {
  const folder = emptyFolder()
  const { code, out } = await runDragoman(['connect', client, ...told], { folder })
  expect(code).toBe(0)
  for (const said of ['http://127.0.0.1:9/v1', 'k3y-of-mine', 'Model     m']) expect(out).toContain(said)
  expect((await runDragoman(['launch', client], { folder })).complaints).toContain(`Run \`dragoman connect ${client}\``)
})

test('a context the server does not tell is said to be assumed, the same figure in settings and words', async () => {
  const { out } = await runDragoman(['connect', 'codex', ...told], { folder: emptyFolder() })
  expect(out).toContain('I assume 32,768 tokens')
  expect(out).toContain('model_context_window = 32768')
  const named = await runDragoman(['connect', 'codex', ...told, '--context', '8000'], { folder: emptyFolder() })
  expect(named.out).toContain('model_context_window = 8000')
  expect(named.out).not.toContain('assume')
})

test('Claude Code is told no less context than it works with, and who has less is told so', async () => {
  const { out } = await runDragoman(['connect', 'claude-code', ...told, '--write'], { folder: emptyFolder() })
  expect(out).toContain('I assume 65,536 tokens')
  expect(out).toContain('"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "65536"')
  const named = await runDragoman(['connect', 'claude-code', ...told, '--context', '8000'], { folder: emptyFolder() })
  expect(named.out).toContain('m has a context of 8,000 tokens. Claude Code needs 65,536')
})

test('an Ollama that has not loaded the model: what the client is told is what the warning says', async () => {
  const service = createServer((request, response) => {
    const answers: Readonly<Record<string, object>> = {
      '/v1/models': { object: 'list', data: [{ id: 'tiny', object: 'model', owned_by: 'library' }] },
      '/api/version': { version: '0.30.0' },
      '/api/ps': { models: [] },
      '/api/show': { capabilities: ['tools'], model_info: { 'llama.context_length': 131_072 } },
    }
    const answer = answers[request.url ?? '']
    response.writeHead(answer === undefined ? 404 : 200, { 'content-type': 'application/json' })
    response.end(JSON.stringify(answer ?? {}))
  })
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done))
  onTestFinished(() => void service.close())
  const gateway = await startGateway({
    args: ['--upstream', `http://127.0.0.1:${(service.address() as AddressInfo).port}`],
  })
  onTestFinished(gateway.stop)
  const { out } = await runDragoman(['connect', 'codex', '--url', gateway.origin], { folder: emptyFolder() })
  expect(out).toContain('tiny may get only 4,096 of its 131,072 tokens of context.')
  expect(out).toContain('model_context_window = 4096')
})
