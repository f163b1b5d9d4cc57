import { expect, test } from 'vitest'
import { answer, event, json, raw, type Script } from '../doubles/openai-compat.ts'
import { eventsOf, startStage, weather } from './stage.ts'

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`
const done = 'data: [DONE]\n\n'
const usage = { prompt_tokens: 7, completion_tokens: 0 }

/** What services send with status 200 where an answer should be, and a word of it that must reach the client. */
const bodies: readonly [name: string, body: unknown, code: string, words: string][] = [
  ['an empty object', {}, 'upstream_malformed', 'no choices'],
  ['a detail', { detail: 'Model is not loaded' }, 'upstream_error', 'Model is not loaded'],
  ['a code and words', { code: 1301, msg: 'quota exceeded' }, 'insufficient_quota', 'quota exceeded'],
  ['a code of words', { code: 'InvalidApiKey', message: 'Invalid API-key provided.' }, 'upstream_auth', 'Invalid API'],
  ['no success', { success: false, message: 'try later' }, 'upstream_error', 'try later'],
  ['no success, inside', { success: false, data: { details: 'used up' } }, 'upstream_error', 'used up'],
  ['a list of errors', { success: false, errors: [{ code: 7003, message: 'No route' }] }, 'upstream_error', 'No route'],
  ['mere words', { message: 'Internal failure' }, 'upstream_error', 'Internal failure'],
  ['an error in a string', { error: 'engine died' }, 'upstream_error', 'engine died'],
  [
    'an error that is a JSON text',
    { error: '{"error":{"message":"deep down"}}' },
    'upstream_error',
    'local: deep down',
  ],
  ['an error with JSON in its words', { error: { message: 'Failed: {"message":"inner"}' } }, 'upstream_error', 'inner'],
  ['an error in a list', [{ error: { code: 503, message: 'Overloaded' } }], 'upstream_overloaded', 'Overloaded'],
  ['a flat error', { object: 'error', message: 'flat' }, 'upstream_error', 'flat'],
  [
    'a failed response',
    { base_resp: { status_code: 1004, status_msg: 'login' }, choices: null },
    'upstream_error',
    'login',
  ],
  ['a status of words', { status: 'error', reason: 'no worker' }, 'upstream_error', 'no worker'],
  ['no choices', { choices: null, usage }, 'upstream_malformed', 'no choices'],
  ['an empty list of choices', { choices: [], usage }, 'upstream_malformed', 'no choices'],
  [
    'the wrong choice',
    { choices: [{ index: 1, message: { content: 'Hi' }, delta: { content: 'Hi' }, finish_reason: 'stop' }], usage },
    'upstream_malformed',
    'no choices',
  ],
  [
    'an error beside its choice',
    { choices: [{ index: 0, error: { message: 'provider died' }, finish_reason: null }] },
    'upstream_error',
    'provider died',
  ],
]

const forms: readonly (readonly [string, (body: unknown) => Script])[] = [
  ['as a body', (body) => json(body)],
  ['in a stream', (body) => raw([data(Array.isArray(body) ? body[0] : body), done])],
  [
    'in a stream after its usage',
    (body) => raw([data({ choices: [], usage }), data(Array.isArray(body) ? body[0] : body), done]),
  ],
]

test.each(
  bodies.flatMap((body) =>
    forms.flatMap(([how, script]) => [true, false].map((stream) => [...body, how, stream, script] as const)),
  ),
)('%s is no answer but %j: %s (%s), %s, streaming: %s', async (_, body, code, words, __, stream, script) => {
  const { ask } = await startStage([script(body)])
  const { status, json: said, text } = await ask({ stream })
  expect([status >= 400, said?.error?.code]).toEqual([true, code])
  expect(text).toContain(words)
})

test.each([true, false])('a choice without a message is no answer, streaming: %s', async (stream) => {
  const { ask } = await startStage([json({ choices: [{ index: 0, finish_reason: 'stop' }] })])
  expect((await ask({ stream })).json).toMatchObject({ error: { code: 'upstream_malformed' } })
})

test.each([true, false])(
  'who says nothing, not even that it finished, has not answered, streaming: %s',
  async (stream) => {
    const { ask } = await startStage([answer({ finish: null })])
    expect((await ask({ stream })).json).toMatchObject({ error: { code: 'upstream_truncated' } })
  },
)

const named: readonly [string, string, string][] = [
  ['an object', JSON.stringify({ error: { message: 'GPU on fire' } }), 'GPU on fire'],
  ['a flat object', JSON.stringify({ message: 'GPU on fire' }), 'GPU on fire'],
  ['mere words', 'GPU on fire', 'GPU on fire'],
]

const called = event({
  choices: [
    {
      index: 0,
      delta: { tool_calls: [{ index: 0, id: 'a', function: { name: 'get_weather', arguments: '{"city":"Pa' } }] },
    },
  ],
})

test.each(named)('an event named error with %s is one', async (_, text, words) => {
  const { ask } = await startStage([raw([`event: error\ndata: ${text}\n\n`, done])])
  expect((await ask()).json).toMatchObject({ error: { code: 'upstream_error', message: `local: ${words}` } })
})

test.each(named)(
  'one in the middle of a call, with %s and [DONE] after it, ends the stream as an error',
  async (_, text, words) => {
    const script = raw([called, `event: error\ndata: ${text}\n\n`, done])
    const { ask } = await startStage([script], { model: { tools: 'native' } })
    const streamed = eventsOf(await ask({ stream: true, tools: [weather] }))
    expect(streamed.at(-1)).toMatchObject({ error: { message: `local: ${words}` } })
    expect(JSON.stringify(streamed)).not.toMatch(/\[DONE\]|"finish_reason":"/)
    expect((await ask({ tools: [weather] })).json).toMatchObject({ error: { message: `local: ${words}` } })
  },
)

test('words that come beside an answer are no refusal of it', async () => {
  const beside = [{ message: 'warming up' }, { type: 'ping' }, { code: 0, msg: 'ok' }, { object: 'status', code: 17 }]
  const frames = [...answer({ text: 'Hi.' }).writes]
  const { ask } = await startStage([raw([...beside.map(data), ...frames])])
  expect((await ask()).json.choices[0]).toMatchObject({ message: { content: 'Hi.' }, finish_reason: 'stop' })
})

test.each([null, '', {}, { code: 0, message: '' }])(
  'an answer that says it went well is one, error: %j',
  async (error) => {
    const fine = { success: true, code: 200, msg: 'ok', error, base_resp: { status_code: 0, status_msg: '' } }
    const choices = [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }]
    const { ask } = await startStage([json({ ...fine, choices })])
    expect((await ask()).json.choices[0].message.content).toBe('Hi.')
  },
)

test('what is no stream is shown, without keys', async () => {
  const { ask } = await startStage([raw('Too busy for Bearer abcdef-123, come back later')])
  expect((await ask()).json.error).toMatchObject({
    code: 'upstream_malformed',
    message: 'local: the response is not an event stream ("Too busy for [redacted], come back later").',
  })
})
