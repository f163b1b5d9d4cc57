import { afterAll, beforeAll, expect, test } from 'vitest'
import { type QwenDouble, type QwenMessage, startQwenDouble } from '../doubles/qwen-chat.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { summarise } from './stage.ts'

interface Body {
  readonly choices: readonly {
    readonly finish_reason: string
    readonly message: { readonly content: string | null; readonly tool_calls?: readonly { readonly id: string }[] }
  }[]
  readonly error?: { readonly code: string; readonly type: string }
}

const found = '{"dependencies":{"express":"^4.18.0"}}'

function answer(chain: readonly QwenMessage[]): string {
  const last = chain.at(-1)?.content ?? ''
  if (last.endsWith(found)) return 'It has one dependency.'
  if (last.endsWith('package.json?')) return 'Looking.\n\n<read>\n<filePath>/package.json</filePath>\n</read>'
  return `${chain.length} messages`
}

let double: QwenDouble
let gateway: RunningGateway

beforeAll(async () => {
  double = await startQwenDouble({ answer })
  gateway = await startGateway({
    config: {
      upstreams: { qwen: { kind: 'qwen-chat', url: double.url, key: 'env:QWEN_TOKEN', mode: 'stateful' } },
      models: { 'qwen3-max': { upstream: 'qwen', dialect: 'roo-xml' } },
    },
    environment: { QWEN_TOKEN: 'token-of-ada' },
  })
})

afterAll(async () => {
  await gateway.stop()
  await double.close()
})

function post(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ model: 'qwen3-max', ...body }),
  })
}

async function ask(body: object, headers: Readonly<Record<string, string>> = {}): Promise<Body> {
  return (await (await post(body, headers)).json()) as Body
}

test('the real program calls a tool and goes on in the same chat with nothing but the result', async () => {
  const tools = [
    {
      type: 'function',
      function: { name: 'read', parameters: { type: 'object', properties: { filePath: { type: 'string' } } } },
    },
  ]
  const question = { role: 'user', content: "What's in package.json?" }
  const asked = await ask({ messages: [question], tools })
  expect(asked.choices[0]).toMatchObject({
    finish_reason: 'tool_calls',
    message: {
      content: 'Looking.',
      tool_calls: [{ function: { name: 'read', arguments: '{"filePath":"/package.json"}' } }],
    },
  })
  const message = asked.choices[0]?.message
  const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: found }
  const streamed = await post({ messages: [question, { role: 'assistant', ...message }, result], tools, stream: true })
  expect(await streamed.text()).toMatch(/"It has[\s\S]*data: \[DONE\]\n\n$/)
  const [first, second] = double.questions.map(({ body }) => summarise(body))
  expect(second).toEqual({
    chat: first?.chat,
    parent: expect.stringMatching(/^response-/),
    content: `Tool Result from read:\n${found}`,
  })
})

test('a result without the tools is the answer to the same chat, untouched', async () => {
  const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }]
  const question = { role: 'user', content: "And what's in the other package.json?" }
  const message = (await ask({ messages: [question], tools })).choices[0]?.message
  const result = { role: 'tool', tool_call_id: message?.tool_calls?.[0]?.id, content: found }
  const answered = await ask({ messages: [question, { role: 'assistant', ...message }, result] })
  expect(answered.choices[0]).toMatchObject({
    finish_reason: 'stop',
    message: { content: 'It has one dependency.' },
  })
  const [first, second] = double.questions.slice(-2).map(({ body }) => summarise(body))
  expect(second).toEqual({
    chat: first?.chat,
    parent: expect.stringMatching(/^response-/),
    content: `Tool Result from read:\n${found}`,
  })
})

test('clients are told apart by their key, and conversations by their name', async () => {
  const before = double.chats.size
  const whos = [
    { authorization: 'Bearer ada' },
    { authorization: 'Bearer bob' },
    { authorization: 'Bearer ada', 'x-conversation-id': 'two' },
  ]
  const hi = { role: 'user', content: 'hi' }
  for (const who of whos) await ask({ messages: [hi] }, who)
  for (const who of whos) {
    const history = [hi, { role: 'assistant', content: '1 messages' }, { role: 'user', content: 'and?' }]
    expect((await ask({ messages: history }, who)).choices[0]?.message.content).toBe('3 messages')
  }
  expect(double.chats.size).toBe(before + 3)
  const chats = double.questions.slice(-6).map(({ body }) => body['chat_id'])
  expect(chats.slice(3)).toEqual(chats.slice(0, 3))
})

test('a quota that is used up says when to come back', async () => {
  double.fail('rate-limited')
  const response = await post({ messages: [{ role: 'user', content: 'hi' }] })
  expect(response.status).toBe(429)
  expect(response.headers.get('retry-after')).toBe('14400')
  expect(await response.json()).toMatchObject({
    error: {
      type: 'insufficient_quota',
      code: 'insufficient_quota',
      message: "qwen: You've reached the upper limit for today's usage. Try again in 4 hours.",
    },
  })
})

test.each([true, false])('fields the chat has no place for are named (streamed: %s)', async (stream) => {
  const directives = {
    temperature: 0.2,
    max_tokens: 500,
    stop: ['END'],
    seed: 3,
    service_tier: 'auto',
    min_p: 0.1,
    stream,
  }
  const response = await post({ messages: [{ role: 'user', content: 'hi' }], ...directives })
  expect(response.headers.get('x-dragoman-notice')).toBe('field_dropped;fields="temperature, seed, min_p"')
  await response.text()
})

test('the model is shown with its tools in the prompt before anybody asked for them', async () => {
  const { data } = (await (await fetch(`${gateway.origin}/v1/models`)).json()) as { data: readonly object[] }
  expect(data).toContainEqual(
    expect.objectContaining({ id: 'qwen3-max', dragoman: { tools: 'prompt', dialect: 'roo-xml' } }),
  )
  expect(gateway.banner).toMatch(/qwen3-max\s+tools via prompt \(roo-xml\)/)
})

test('a challenge is told and not answered', async () => {
  double.fail('challenge')
  const before = double.questions.length
  const response = await post({ messages: [{ role: 'user', content: 'hi' }] })
  expect(response.status).toBe(503)
  expect(await response.json()).toMatchObject({ error: { code: 'upstream_blocked' } })
  expect(double.questions.length).toBe(before + 1)
})
