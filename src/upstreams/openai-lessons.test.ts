import { expect, test } from 'vitest'
import { createLessons } from './openai-lessons.ts'

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
  const lessons = createLessons(() => 0)
  expect(lessons.learn('m', body, status, refusal)).toBe(true)
  const { body: left, applied } = lessons.apply('m', body)
  expect(applied.map(({ field }) => field)).toEqual(fields)
  expect(JSON.stringify(left)).not.toMatch(new RegExp(`"(?:${fields.join('|')})"`))
  expect(lessons.apply('other', body)).toEqual({ body, applied: [] })
})

test('what is to be called something else is', () => {
  const lessons = createLessons(() => 0)
  const refusal = {
    error: {
      message:
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
      param: 'max_tokens',
      code: 'unsupported_parameter',
    },
  }
  lessons.learn('m', body, 400, refusal)
  const { max_tokens: gone, max_completion_tokens: renamed } = lessons.apply('m', body).body
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
  expect(createLessons(() => 0).learn('m', body, status, refusal)).toBe(false)
})

test('what was learnt is forgotten after an hour', () => {
  let time = 0
  const lessons = createLessons(() => time)
  lessons.learn('m', body, 400, "Unknown parameter: 'max_tokens'.")
  time = 3_599_999
  expect(lessons.apply('m', body).applied).toHaveLength(1)
  time = 3_600_000
  expect(lessons.apply('m', body).applied).toEqual([])
})
