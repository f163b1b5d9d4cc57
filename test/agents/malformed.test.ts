import { afterAll, beforeAll, expect, test } from 'vitest'
import { answer, type OpenAiDouble, startOpenAiDouble } from '../doubles/openai-compat.ts'
import { type RunningGateway, startGateway } from '../dragoman.ts'

type Fields = Record<string, unknown>

const tool = {
  type: 'function',
  function: { name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
}
const call = { id: 'call_1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }
const result = { role: 'tool', tool_call_id: 'call_1', content: 'text' }
const user = { role: 'user', content: 'Read a' }
const fine: Fields = {
  model: 'double',
  messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, result],
  tools: [tool],
}

const withTool = (fields: Fields): Fields => ({ ...fine, tools: [{ ...tool, ...fields }] })
const withFunction = (fields: Fields): Fields => withTool({ function: { ...tool.function, ...fields } })
const withCalls = (calls: unknown): Fields => ({
  ...fine,
  messages: [user, { role: 'assistant', content: null, tool_calls: calls }, result],
})
const withCall = (fields: Fields): Fields => withCalls([{ ...call, ...fields }])
const withArguments = (json: unknown): Fields => withCall({ function: { ...call.function, arguments: json } })
const withResult = (fields: Fields): Fields => ({
  ...fine,
  messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, { ...result, ...fields }],
})

/** A right request with one thing wrong, and the field that is to be named. */
const malformed: readonly (readonly [what: string, body: Fields, param: string])[] = [
  ['tools are an object', { ...fine, tools: {} }, 'tools'],
  ['a tool is a word', { ...fine, tools: ['read'] }, 'tools[0]'],
  ['a tool of an unknown type', withTool({ type: 'gadget' }), 'tools[0].type'],
  ['a tool without its function', withTool({ function: undefined }), 'tools[0].function'],
  ['a tool without a name', withFunction({ name: undefined }), 'tools[0].function.name'],
  ['a tool with an empty name', withFunction({ name: '' }), 'tools[0].function.name'],
  ['a tool with blanks in its name', withFunction({ name: 'read a file' }), 'tools[0].function.name'],
  ['a tool with a long name', withFunction({ name: 'r'.repeat(65) }), 'tools[0].function.name'],
  ['a tool whose name is a number', withFunction({ name: 7 }), 'tools[0].function.name'],
  ['two tools of one name', { ...fine, tools: [tool, tool] }, 'tools[1].function.name'],
  ['parameters are text', withFunction({ parameters: 'path' }), 'tools[0].function.parameters'],
  ['parameters are a list', withFunction({ parameters: ['path'] }), 'tools[0].function.parameters'],
  ['parameters of another type', withFunction({ parameters: { type: 'string' } }), 'tools[0].function.parameters'],
  ['a description that is a number', withFunction({ description: 7 }), 'tools[0].function.description'],
  ['an unknown choice', { ...fine, tool_choice: 'maybe' }, 'tool_choice'],
  [
    'a choice of a tool that is not there',
    { ...fine, tool_choice: { type: 'function', function: { name: 'fly' } } },
    'tool_choice',
  ],
  ['a choice without tools', { model: 'double', messages: [user], tool_choice: 'required' }, 'tool_choice'],
  ['parallel in words', { ...fine, parallel_tool_calls: 'yes' }, 'parallel_tool_calls'],
  ['calls are an object', withCalls({}), 'messages[1].tool_calls'],
  ['a call is a word', withCalls(['read']), 'messages[1].tool_calls[0]'],
  ['a call without an id', withCall({ id: undefined }), 'messages[1].tool_calls[0].id'],
  ['a call with a number for an id', withCall({ id: 1 }), 'messages[1].tool_calls[0].id'],
  ['a call without its function', withCall({ function: undefined }), 'messages[1].tool_calls[0].function'],
  ['a call without a name', withCall({ function: { arguments: '{}' } }), 'messages[1].tool_calls[0].function.name'],
  ['arguments that are an object', withArguments({ path: 'a' }), 'messages[1].tool_calls[0].function.arguments'],
  ['arguments that are no JSON', withArguments('path=a'), 'messages[1].tool_calls[0].function.arguments'],
  ['arguments that are cut', withArguments('{"path":"a'), 'messages[1].tool_calls[0].function.arguments'],
  ['arguments with a comma too many', withArguments('{"path":"a",}'), 'messages[1].tool_calls[0].function.arguments'],
  ['arguments in single quotes', withArguments("{'path':'a'}"), 'messages[1].tool_calls[0].function.arguments'],
  ['a result without an id', withResult({ tool_call_id: undefined }), 'messages[2].tool_call_id'],
  ['a result for a call that was not made', withResult({ tool_call_id: 'call_9' }), 'messages[2].tool_call_id'],
  ['a result with a number for an id', withResult({ tool_call_id: 1 }), 'messages[2].tool_call_id'],
  ['a result without content', withResult({ content: undefined }), 'messages[2].content'],
  ['a result that is an object', withResult({ content: { text: 'a' } }), 'messages[2].content'],
  [
    'a call that was not answered',
    { ...fine, messages: [user, { role: 'assistant', content: null, tool_calls: [call] }, user] },
    'messages[1].tool_calls[0].id',
  ],
  ['an unknown role', { ...fine, messages: [{ role: 'robot', content: 'Hi' }] }, 'messages[0].role'],
  ['no messages', { ...fine, messages: [] }, 'messages'],
  ['options of a stream without one', { ...fine, stream_options: { include_usage: true } }, 'stream_options'],
  ['a temperature of 3', { ...fine, temperature: 3 }, 'temperature'],
  ['a limit below nothing', { ...fine, max_tokens: -1 }, 'max_tokens'],
]

let double: OpenAiDouble
let gateway: RunningGateway

beforeAll(async () => {
  double = await startOpenAiDouble({ respond: [answer({ text: 'Hi.' })] })
  const upstreams = { service: { kind: 'openai', url: double.url } }
  gateway = await startGateway({ config: { upstreams, models: { double: { tools: 'prompt' } } } })
}, 30_000)

afterAll(async () => {
  await gateway.stop()
  await double.close()
})

async function post(body: Fields) {
  const response = await fetch(`${gateway.origin}/v1/chat/completions`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const { error } = (await response.json()) as { error?: Fields }
  return { status: response.status, error }
}

const asked = () => double.requests.filter(({ method }) => method === 'POST').length

test('the request they are made of is right', async () => {
  expect((await post(fine)).status).toBe(200)
})

test.each(malformed)(
  '%s: refused with the field by its name, and the model hears nothing of it',
  async (_, body, param) => {
    const before = asked()
    const { status, error } = await post(body)
    expect(status).toBe(400)
    expect(error).toMatchObject({ type: 'invalid_request_error', message: expect.stringMatching(/\w+ .*\w/) })
    expect(String(error?.['param'])).toContain(param)
    expect(error).toHaveProperty('code')
    expect(asked()).toBe(before)
  },
)
