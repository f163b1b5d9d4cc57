import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
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
  expect(out).toContain(`wrote ${join(folder, 'opencode.json')}`)
  expect(out).not.toContain('hush')
  const written = JSON.parse(readFileSync(join(folder, 'opencode.json'), 'utf8'))
  expect(written.provider.dragoman.options).toEqual({ baseURL: 'http://127.0.0.1:9/v1', apiKey: 'hush' })
  expect(statSync(join(folder, 'opencode.json')).mode & 0o077).toBe(0)
})

test.each([
  [
    'another key, in a file of variables',
    'openai',
    '.env',
    'A=1\nOPENAI_API_KEY=sk-precious\n',
    'OPENAI_API_KEY=(old key)',
  ],
  [
    'another model, in a file with comments',
    'opencode',
    'opencode.json',
    '{\n  // mine\n  "model": "x/y"\n}\n',
    '"model": "x/y"',
  ],
])('connect --write shows the change and keeps the old file: %s', async (_, client, name, before, shown) => {
  const { folder, write, remove } = createFolder({ [name]: before })
  onTestFinished(remove)
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
  writeFileSync(join(folder, 'opencode.json'), '{ "theme": ')
  const { code, out, complaints } = await runDragoman(['connect', 'opencode', '--write'], { folder })
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(complaints).toContain('nothing was written')
  expect(complaints).toContain('"baseURL": "http://127.0.0.1:9/v1"')
  expect(complaints).not.toContain('hush')
  expect(readFileSync(join(folder, 'opencode.json'), 'utf8')).toBe('{ "theme": ')
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
    expect(path).toBe(join(folder, 'opencode.json'))
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
  [['connect', 'pi'], 1, '--model NAME'],
  [['connect', 'pi', '--url', 'http://127.0.0.1:9'], 1, 'No gateway answers at http://127.0.0.1:9/v1'],
  [['connect', 'pi', '--url', 'http://'], 1, 'is not a URL'],
])('%s is refused', async (args, code, words) => {
  const folder = folderWith({ upstreams, listen: '127.0.0.1:9' })
  const outcome = await runDragoman(args, { folder })
  expect(outcome.code).toBe(code)
  expect(outcome.complaints).toContain(words)
})
