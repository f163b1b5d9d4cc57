import { expect, test } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { createRejectedFields, readRejectedFields, withoutRejected } from './rejected-fields.ts'

const body = {
  model: 'm',
  messages: [
    { role: 'user', content: 'Hi', name: 'Ann' },
    { role: 'user', content: 'Hi' },
  ],
  tools: [],
  max_tokens: 5,
  stream_options: {},
  parallel_tool_calls: false,
  tool_choice: 'required',
}

const detail = (...locations: (readonly (string | number)[])[]) => ({
  message: {
    detail: locations.map((loc) => ({ type: 'extra_forbidden', loc, msg: 'Extra inputs are not permitted' })),
  },
})

test.each([
  ['Mistral', 422, detail(['body', 'max_tokens'], ['body', 'stream_options']), ['max_tokens', 'stream_options']],
  ['FastAPI, nested', 422, detail(['body', 'messages', 0, 'user', 'name']), ['name']],
  [
    'Fireworks',
    400,
    { error: { message: "Extra inputs are not permitted, field: 'stream_options', value: {}" } },
    ['stream_options'],
  ],
  [
    'OpenAI',
    400,
    {
      error: {
        message: "Unknown parameter: 'parallel_tool_calls'.",
        param: 'parallel_tool_calls',
        code: 'unknown_parameter',
      },
    },
    ['parallel_tool_calls'],
  ],
  ['OpenAI of old', 400, 'Unrecognized request argument supplied: stream_options', ['stream_options']],
  [
    'Groq',
    400,
    "'messages.0' : for 'role:user' the following must be satisfied[('messages.0' : property 'name' is unsupported)]",
    ['name'],
  ],
  ['NIM', 400, 'Unsupported parameter(s): `stream_options`', ['stream_options']],
  ['DeepSeek', 400, 'Thinking mode does not support this tool_choice', ['tool_choice']],
  ['OpenRouter', 404, "No endpoints found that support the provided 'tool_choice' value.", ['tool_choice']],
  [
    'a refusal in a refusal',
    400,
    { error: { metadata: { raw: JSON.stringify({ error: "Extra inputs are not permitted, field: 'max_tokens'" }) } } },
    ['max_tokens'],
  ],
])('the words of %s name the field', (_, status, refusal, fields) => {
  const read = readRejectedFields(body, status, refusal)
  expect(read.map(({ field, isOwn }) => [field, isOwn])).toEqual(fields.map((field) => [field, true]))
  expect(JSON.stringify(withoutRejected(body, read))).not.toMatch(new RegExp(`"(?:${fields.join('|')})"`))
  const rejected = createRejectedFields(() => 0)
  rejected.keep(() => 'm', read)
  expect(rejected.about(() => 'm', body)).toMatchObject(fields.map((field) => ({ field })))
  expect(rejected.about(() => 'other', body)).toEqual([])
})

test('what is to be called something else is', () => {
  const refusal = {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  }
  const { max_tokens: gone, max_completion_tokens: renamed } = withoutRejected(
    body,
    readRejectedFields(body, 400, refusal),
  )
  expect([gone, renamed]).toEqual([undefined, 5])
})

test.each([
  ['a field that was not sent', 400, "Unknown parameter: 'logit_bias'."],
  ['the tools themselves', 400, "Unknown parameter: 'tools'."],
  ['a field no request can do without', 422, detail(['body', 'messages', 0, 'content'])],
  ['too long a prompt', 400, "This model's maximum context length is 8 tokens."],
  ['trouble', 500, "Unknown parameter: 'max_tokens'."],
  ['a wrong key', 401, "Unknown parameter: 'max_tokens'."],
])('nothing is learnt from %s', (_, status, refusal) => {
  expect(readRejectedFields(body, status, refusal)).toEqual([])
})

test('what was learnt is forgotten after an hour', () => {
  let time = 0
  const rejected = createRejectedFields(() => time)
  rejected.keep(() => 'm', readRejectedFields(body, 400, "Unknown parameter: 'max_tokens'."))
  time = 3_599_999
  expect(rejected.about(() => 'm', body)).toHaveLength(1)
  time = 3_600_000
  expect(rejected.about(() => 'm', body)).toEqual([])
})

const scoped: [string, object, unknown, object, readonly string[]][] = [
  ['with tools is not one without', body, 'stream_options is not supported with tools', { stream_options: {} }, []],
  [
    'without tools is one with them',
    { max_tokens: 5 },
    "Unknown parameter: 'max_tokens'.",
    { max_tokens: 6, tools: [] },
    ['max_tokens'],
  ],
  [
    'of one value is none of another',
    { reasoning_effort: 'xhigh' },
    { error: { message: 'no', code: 'unsupported_value', param: 'reasoning_effort' } },
    { reasoning_effort: 'low' },
    [],
  ],
  [
    'of one choice of tools is none of another',
    body,
    'Thinking mode does not support this tool_choice',
    { ...body, tool_choice: 'auto' },
    [],
  ],
]

test.each(scoped)('a refusal %s', (_, sent, refusal, next, fields) => {
  const rejected = createRejectedFields(() => 0)
  const read = readRejectedFields(sent as JsonObject, 400, refusal)
  expect(read).toHaveLength(1)
  rejected.keep(() => 'm', read)
  expect(rejected.about(() => 'm', next as JsonObject).map(({ field }) => field)).toEqual(fields)
})

test('what belongs to a field goes with it', () => {
  const sent = { logprobs: true, top_logprobs: 2, tools: [] }
  const read = readRejectedFields(sent, 400, { error: { message: 'logprobs is not supported with tools + stream' } })
  expect(withoutRejected(sent, read)).toEqual({ tools: [] })
})

test.each([
  ['as a sentence', "unsupported parameter: 'max_tokens'"],
  ['as JSON', '{"error":{"code":"unsupported_parameter","param":"max_tokens"}}'],
])('what the client wrote itself, %s, is no word of the service', (_, said) => {
  const sent = { ...body, messages: [{ role: 'user', content: `Why "${said}"?` }] }
  const read = readRejectedFields(sent, 400, { error: { message: `Refused: ${said}` } })
  expect(read.filter(({ isOwn }) => isOwn)).toEqual([])
})
