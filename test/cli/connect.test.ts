import { readFileSync, statSync } from 'node:fs'
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
  const folder = folderWith({ keys: ['hush'], upstreams, models: { small: {} } })
  const { code, out } = await runDragoman(['connect', 'opencode', '--write'], { folder })
  expect(code).toBe(0)
  expect(out).toContain(`written to ${join(folder, 'opencode.json')}`)
  const written = JSON.parse(readFileSync(join(folder, 'opencode.json'), 'utf8'))
  expect(written.provider.dragoman.options).toEqual({ baseURL: 'http://127.0.0.1:8484/v1', apiKey: 'hush' })
  expect(statSync(join(folder, 'opencode.json')).mode & 0o077).toBe(0)
})

test('connect asks the running gateway for its first model', async () => {
  const gateway = await startGateway()
  onTestFinished(gateway.stop)
  const folder = folderWith({ upstreams })
  const url = `${gateway.origin}/v1`
  const { out } = await runDragoman(['connect', 'openai', '--url', url, '--json'], { folder })
  expect(JSON.parse(out)).toMatchObject({ client: 'openai', path: join(folder, '.env') })
  expect(JSON.parse(out).hints[0]).toContain('model: "rehearsal"')
})

test.each<[readonly string[], number, string]>([
  [['connect'], 2, 'connect needs to know the client'],
  [['connect', 'opencod'], 2, 'Did you mean "opencode"?'],
  [['connect', 'pi'], 1, 'say which: --model NAME'],
])('%s is refused', async (args, code, words) => {
  const folder = folderWith({ upstreams, listen: '127.0.0.1:9' })
  const outcome = await runDragoman(args, { folder })
  expect(outcome.code).toBe(code)
  expect(outcome.complaints).toContain(words)
})
