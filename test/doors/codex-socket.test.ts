import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { WebSocket } from 'ws'
import { startOpenAiDouble } from '../doubles/openai-compat.ts'
import { native, type Said, speak } from '../doubles/speak.ts'
import { startGateway } from '../dragoman.ts'
import { checkStream } from './responses-checker.ts'

/**
 * A session of Codex 0.169.0 over a WebSocket, `supports_websockets` in its provider, as it was recorded: it warms the connection up, then
 * sends only what is new. Long texts are cut, ids of machines and folders are replaced.
 */
interface Session {
  readonly headers: Readonly<Record<string, string>>
  /** What all its messages say. */
  readonly each: Readonly<Record<string, unknown>>
  readonly messages: readonly Readonly<Record<string, unknown>>[]
}

interface Told {
  readonly type: string
  readonly response?: { readonly id: string }
  readonly item?: { readonly type: string; readonly call_id?: string; readonly name?: string; readonly input?: string }
}

const file = join(import.meta.dirname, 'clients/codex-socket.json')
const { headers, each, messages } = JSON.parse(readFileSync(file, 'utf8')) as Session
const columns = [native, 'hermes', 'qwen3-coder', 'json-fence']
const patch = '*** Begin Patch\n*** Update File: notes.txt\n@@\n-alpha\n+beta\n*** End Patch'
const said: readonly Said[] = [
  { text: 'I will look.', calls: [{ name: 'exec_command', arguments: { cmd: 'cat notes.txt' } }] },
  { calls: [{ name: 'apply_patch', arguments: { input: patch } }] },
  { text: 'All is done.' },
]

let column = native
let turn = 0
let double: Awaited<ReturnType<typeof startOpenAiDouble>>
let gateway: Awaited<ReturnType<typeof startGateway>>

beforeAll(async () => {
  double = await startOpenAiDouble({ respond: () => speak(column, said[turn++] ?? {}) })
  const service = { upstream: 'service' }
  gateway = await startGateway({
    config: {
      keys: ['test-key'],
      upstreams: { service: { kind: 'openai', url: double.url } },
      models: Object.fromEntries(
        columns.map((name) => [
          name,
          name === native ? { ...service, tools: native } : { ...service, tools: 'prompt', dialect: name },
        ]),
      ),
    },
  })
}, 60_000)
afterAll(async () => {
  await gateway.stop()
  await double.close()
})

test.each(columns)('what Codex sent over a WebSocket is answered to its end (%s)', async (model) => {
  column = model
  turn = 0
  const before = double.requests.length
  const socket = new WebSocket(`${gateway.origin.replace('http', 'ws')}/v1/responses`, {
    headers: { ...headers, authorization: 'Bearer test-key' },
  })
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  /** The names that were recorded, and those of this session. */
  const named = new Map<string, string>()
  const items: Told['item'][] = []

  async function ask(message: object): Promise<readonly Told[]> {
    const told: Told[] = []
    const isOver = new Promise<void>((resolve) => {
      socket.on('message', function listen(data) {
        const one = JSON.parse(String(data)) as Told
        told.push(one)
        if (!/^(?:error|response\.(?:completed|incomplete|failed))$/.test(one.type)) return
        socket.off('message', listen)
        resolve()
      })
    })
    socket.send(
      [...named].reduce((text, [old, own]) => text.replaceAll(`"${old}"`, `"${own}"`), JSON.stringify(message)),
    )
    await isOver
    return told
  }

  for (const [place, message] of messages.entries()) {
    const told = await ask({ ...each, model, ...message })
    expect(told.at(-1)?.type).toBe('response.completed')
    checkStream(told.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join(''))
    named.set(`resp_${place + 1}`, told.at(-1)?.response?.id ?? '')
    for (const { type, item } of told) {
      if (type !== 'response.output_item.done') continue
      items.push(item)
      if (item?.call_id !== undefined) named.set(`call_${items.filter((one) => one?.call_id).length}`, item.call_id)
    }
  }

  expect(items.map((item) => [item?.type, item?.name, item?.input])).toEqual([
    ['message', undefined, undefined],
    ['function_call', 'exec_command', undefined],
    ['custom_tool_call', 'apply_patch', patch],
    ['message', undefined, undefined],
  ])
  // The first message only warms up, and nothing is asked for it.
  const asked = double.requests.slice(before)
  expect(asked).toHaveLength(3)
  const last = JSON.stringify(asked.at(-1)?.body)
  for (const words of ['You are Codex', 'put beta for alpha', 'cat notes.txt', 'alpha', '+beta', 'Success. Updated'])
    expect(last).toContain(words)
})
