import { expect, onTestFinished, test } from 'vitest'
import { answer, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { startGateway } from '../dragoman.ts'

const tools = [{ type: 'function', function: { name: 'read', parameters: { type: 'object', properties: {} } } }]

interface Completion {
  readonly choices: readonly { readonly message: { readonly tool_calls: readonly { readonly id: string }[] } }[]
}

test('what a model thought for one client never goes on with the request of another, whatever the ids', async () => {
  const double = await startOpenAiDouble({
    respond: (_, __, index) => answer({ reasoning: `Thought ${index}.`, calls: [{ name: 'read', arguments: '{}' }] }),
  })
  onTestFinished(double.close)
  const gateway = await startGateway({
    config: {
      keys: ['key-of-ada', 'key-of-bob'],
      upstreams: { service: { kind: 'openai', url: double.url, flavour: 'deepseek' } },
      models: { double: {} },
    },
  })
  onTestFinished(gateway.stop)

  async function ask(who: Readonly<Record<string, string>>, messages: readonly object[]) {
    const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...who },
      body: JSON.stringify({ model: 'double', messages, tools }),
    })
    const { choices } = (await response.json()) as Completion
    const sent = double.requests.at(-1)?.body as { messages: readonly { reasoning_content?: string }[] }
    return { calls: choices[0]?.message.tool_calls, sent: sent.messages.map((message) => message.reasoning_content) }
  }

  const ada = { authorization: 'Bearer key-of-ada' }
  const question = { role: 'user', content: 'Read it.' }
  const first = await ask(ada, [question])
  expect(first.calls?.map(({ id }) => id)).toEqual(['call_0'])
  const called = { role: 'assistant', content: null, tool_calls: first.calls }
  const history = [question, called, { role: 'tool', tool_call_id: 'call_0', content: 'done' }]
  for (const [who, messages] of [
    [{ authorization: 'Bearer key-of-bob' }, history],
    [{ ...ada, 'x-conversation-id': 'another' }, history],
    [ada, [{ role: 'user', content: 'Read another.' }, ...history.slice(1)]],
  ] as const) {
    // The service wants some thought back, and gets an empty one.
    expect((await ask(who, messages)).sent).toEqual([undefined, '', undefined])
  }
  const second = await ask(ada, history)
  expect(second.sent).toEqual([undefined, 'Thought 0.', undefined])
  // The service counts its calls anew in every answer; the client gets another id, and the thought is found by it.
  const [again] = second.calls ?? []
  expect(again?.id).not.toBe('call_0')
  const more = [
    { role: 'assistant', content: null, tool_calls: second.calls },
    { role: 'tool', tool_call_id: again?.id, content: 'done' },
  ]
  expect((await ask(ada, [...history, ...more])).sent).toEqual([
    undefined,
    'Thought 0.',
    undefined,
    'Thought 4.',
    undefined,
  ])
})
