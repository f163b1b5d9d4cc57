import { afterEach, expect, test } from 'vitest'
import type { Door } from '../../src/doors/door.ts'
import { doors } from '../../src/doors/registry.ts'
import { createGateway } from '../../src/server/gateway.ts'
import { ask, batches, type Running, run, say, scriptTurns, stop } from './scripted.ts'

let running: Running | undefined
afterEach(async () => {
  await running?.gateway.close()
  running = undefined
})

const turns = scriptTurns(() => batches([say('Hi'), stop]))
const called = (...names: readonly string[]): readonly Door[] => doors.filter(({ name }) => names.includes(name))
const lists = { chat: '/v1/models', ollama: '/api/tags' } as const

test.each<[string, readonly Door[] | undefined, number, number]>([
  ['all', undefined, 200, 200],
  ['chat', called('chat'), 200, 404],
  ['ollama', called('ollama'), 404, 200],
])('%s open: what is chosen is served', async (_, open, chat, ollama) => {
  running = await run({ turns, ...(open && { doors: open }) })
  const { port } = running
  const statuses = Object.values(lists).map(async (path) => (await ask(port, { method: 'GET', path })).status)
  expect(await Promise.all(statuses)).toEqual([chat, ollama])
})

test('a door is opened and closed while the gateway runs', async () => {
  const gateway = createGateway({ turns, host: '127.0.0.1', port: 0, doors: called('chat') })
  const { port } = await gateway.listen()
  const statuses = () =>
    Promise.all(Object.values(lists).map(async (path) => (await ask(port, { method: 'GET', path })).status))
  expect(await statuses()).toEqual([200, 404])
  gateway.replace({ turns, doors: called('ollama') })
  expect(await statuses()).toEqual([404, 200])
  await gateway.close()
})

test('a path of a closed door says how to open it, in the words of the first door', async () => {
  running = await run({ turns, doors: called('chat') })
  const { json } = await ask(running.port, { path: '/api/chat', body: {} })
  expect(json.error).toMatchObject({
    code: 'not_found',
    message: "This API is turned off. To use it, add 'ollama' to 'doors' in the gateway's config.",
  })
})

test('a path of no door is refused by the first, open or not', async () => {
  running = await run({ turns, doors: called('ollama') })
  const { status, json } = await ask(running.port, { path: '/nowhere', body: {} })
  expect({ status, code: json.error.code }).toEqual({ status: 404, code: 'not_found' })
})

test('at the root only who is wanted there is answered by a door', async () => {
  running = await run({ turns })
  const { port } = running
  const root = (agent: string, method: string) =>
    ask(port, { method, path: '/', headers: { 'user-agent': agent }, body: undefined })
  expect((await root('ollama-python/0.6.1', 'GET')).text).toBe('Ollama is running')
  expect((await root('curl/8.5.0', 'GET')).text).toContain('Dragoman')
  const refused = await ask(running.port, { method: 'DELETE', path: '/', headers: { 'user-agent': 'curl/8.5.0' } })
  expect({ status: refused.status, error: refused.json.error.code }).toEqual({
    status: 405,
    error: 'method_not_allowed',
  })
})
