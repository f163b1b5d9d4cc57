import OpenAI from 'openai'
import { expect, test } from 'vitest'
import { answer, event, json, raw, refusal } from '../doubles/openai-compat.ts'
import { type Body, eventsOf, startStage, weather } from './stage.ts'

const timings = { prompt_n: 7, prompt_ms: 12.5, predicted_n: 5, predicted_per_second: 80.1 }
const native = { model: { tools: 'native' as const } }

function delta(fields: object, finish: string | null = null, beside: object = {}): string {
  return event({ choices: [{ index: 0, delta: fields, finish_reason: finish }], ...beside })
}

const streamed = raw([
  delta({ role: 'assistant', content: 'Hi.' }, null, { system_fingerprint: 'fp_1' }),
  delta({}, 'stop', { system_fingerprint: 'fp_1', timings, service_tier: null }),
  event({ choices: [], usage: { prompt_tokens: 7, completion_tokens: 5 }, system_fingerprint: 'fp_1' }),
  'data: [DONE]\n\n',
])
const whole = json({
  choices: [{ index: 0, message: { role: 'assistant', content: 'Hi.' }, finish_reason: 'stop' }],
  system_fingerprint: 'fp_1',
  timings,
})

test.each([
  ['a stream', streamed],
  ['one body', whole],
])('what a service says about its answer in %s is in the body', async (_, script) => {
  const { ask } = await startStage([script])
  expect((await ask()).json).toMatchObject({ model: 'm', system_fingerprint: 'fp_1', timings })
})

test('streamed, its mark is on every chunk and its figures are on the last', async () => {
  const { ask } = await startStage([streamed])
  const chunks = eventsOf(await ask({ stream: true, stream_options: { include_usage: true } })).slice(0, -1) as Body[]
  expect(chunks.map((chunk) => chunk['system_fingerprint'])).toEqual(chunks.map(() => 'fp_1'))
  expect(chunks.map((chunk) => chunk['timings'])).toEqual([undefined, undefined, timings, undefined])
})

const format = { type: 'grammar', grammar: { syntax: 'lark', definition: 'start: "a"' } }
const patch = { type: 'custom', custom: { name: 'patch', description: 'Patches.', format } }
const patched = { id: 'call_p', type: 'custom', custom: { name: 'patch', input: 'a "quoted"\nline' } }

test('a custom tool keeps its format on openai', async () => {
  const { ask, bodies } = await startStage([answer({ text: 'No.' })], { ...native, upstream: { flavour: 'openai' } })
  await ask({ tools: [patch] })
  expect(bodies()[0]?.['tools']).toEqual([patch])
})

const functionCall = { name: 'patch', arguments: ['{"inp', 'ut": "a \\"quoted\\"', '\\nline"}'] }

test.each(['llamacpp', 'vllm', 'groq', 'unknown'])(
  '%s, which is known for functions only, gets it as one, and its calls are texts',
  async (flavour) => {
    const script = answer({ calls: [functionCall, { name: 'get_weather', arguments: '{"city":"Paris"}' }] })
    const { ask, bodies } = await startStage([script], { ...native, upstream: { flavour } })
    const messages = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: null, tool_calls: [patched] },
      { role: 'tool', tool_call_id: 'call_p', content: 'Done.' },
    ]
    const wish = { tools: [patch, weather], messages, tool_choice: { type: 'custom', custom: { name: 'patch' } } }
    const { tool_calls: calls } = (await ask({ ...wish, tool_choice: 'auto' })).json.choices[0].message
    expect(calls).toMatchObject([{ ...patched, id: expect.any(String) }, { function: made }])
    const streamed = await ask({ ...wish, stream: true })
    const inputs = [...streamed.text.matchAll(/"custom":\{(?:"name":"patch",)?"input":("(?:[^"\\]|\\.)*")/g)]
    expect(inputs.map(([, input = '']) => JSON.parse(input)).join('')).toBe(patched.custom.input)
    const [sent] = bodies()
    expect(sent?.['tools']).toMatchObject([
      { type: 'function', function: { name: 'patch', parameters: { required: ['input'] } } },
      {},
    ])
    expect(JSON.stringify(sent)).toContain('lark')
    expect((sent?.['messages'] as readonly Body[] | undefined)?.[1]).toMatchObject({
      tool_calls: [
        { type: 'function', function: { name: 'patch', arguments: JSON.stringify({ input: patched.custom.input }) } },
      ],
    })
    expect(JSON.stringify(bodies())).not.toContain('"custom"')
  },
)

const signed = { google: { thought_signature: 'c2lnbmVk' } }
const made = { name: 'get_weather', arguments: '{"city":"Paris"}' }
const details = [
  { type: 'reasoning.text', text: 'Let me', index: 0, format: 'anthropic-claude-v1' },
  { type: 'reasoning.text', text: ' see.', index: 0, signature: 'c2ln' },
  { type: 'reasoning.encrypted', data: 'ZW5j', id: 'rs_1', index: 1 },
]
const joined = [
  { type: 'reasoning.text', text: 'Let me see.', index: 0, format: 'anthropic-claude-v1', signature: 'c2ln' },
  details[2],
]
const thinking = raw([
  ...details.map((detail) => delta({ reasoning_details: [detail] })),
  delta({ tool_calls: [{ index: 0, id: 'call_a', type: 'function', function: made, extra_content: signed }] }),
  delta({}, 'tool_calls'),
  'data: [DONE]\n\n',
])
const result = (id: string) => ({ role: 'tool', tool_call_id: id, content: 'Rain.' })

test('thoughts a service wants back, signed or encrypted, make the round through the client', async () => {
  const { ask, bodies } = await startStage([thinking, answer({ text: 'Rain.' })], native)
  const { message } = (await ask({ tools: [weather] })).json.choices[0]
  expect(message).toMatchObject({ reasoning_details: joined, tool_calls: [{ extra_content: signed, function: made }] })
  const messages = [{ role: 'user', content: 'Hi' }, message, result(message.tool_calls[0].id)]
  await ask({ tools: [weather], messages })
  const sent = (bodies()[1]?.['messages'] as readonly Body[] | undefined)?.[1]
  expect(sent).toMatchObject({ reasoning_details: joined, tool_calls: [{ extra_content: signed, function: made }] })
})

test('streamed, they come whole, and the signature of a call with its beginning', async () => {
  const { ask } = await startStage([thinking], native)
  const chunks = eventsOf(await ask({ stream: true, tools: [weather] })).slice(0, -1) as Body[]
  const deltas = chunks.map((chunk) => (chunk['choices'] as readonly { delta: Body }[])[0]?.delta ?? {})
  expect(deltas.flatMap((one) => ('reasoning_details' in one ? [one['reasoning_details']] : []))).toEqual([joined])
  const [start] = deltas.flatMap((one) => (one['tool_calls'] as readonly Body[] | undefined) ?? [])
  expect(start).toMatchObject({ id: expect.any(String), function: { name: 'get_weather' }, extra_content: signed })
})

test('the official client puts a stream together so that all of it goes back', async () => {
  const { port, bodies } = await startStage([thinking, answer({ text: 'Rain.' })], native)
  const client = new OpenAI({ baseURL: `http://127.0.0.1:${port}/v1`, apiKey: 'any' })
  const asked = { model: 'm', tools: [weather] as OpenAI.ChatCompletionTool[] }
  const question = { role: 'user', content: 'Hi' } as const
  const { choices } = await client.chat.completions.stream({ ...asked, messages: [question] }).finalChatCompletion()
  const said = choices[0]?.message as OpenAI.ChatCompletionMessage
  const answered = { ...result(said.tool_calls?.[0]?.id ?? ''), role: 'tool' } as const
  await client.chat.completions.create({ ...asked, messages: [question, said, answered] })
  const sent = (bodies()[1]?.['messages'] as readonly Body[] | undefined)?.[1]
  expect(sent).toMatchObject({ reasoning_details: joined, tool_calls: [{ extra_content: signed, function: made }] })
})

test.each([
  ['calls that have to be whole', { arguments: 'whole' as const }],
  ['calls that are judged first', { repair: 1 }],
])('%s keep their signature', async (_, model) => {
  const { ask } = await startStage([thinking], { model: { ...model, tools: 'native' } })
  expect((await ask({ tools: [weather] })).json.choices[0].message.tool_calls[0].extra_content).toEqual(signed)
})

const history = [
  { role: 'user', content: 'Hi' },
  {
    role: 'assistant',
    content: null,
    reasoning_details: joined,
    tool_calls: [{ id: 'call_a', type: 'function', function: made, extra_content: signed }],
  },
  result('call_a'),
]

test.each(['groq', 'mistral', 'openai', 'llamacpp'])(
  '%s, which knows nothing of them, does not get them',
  async (flavour) => {
    const { ask, bodies } = await startStage([answer({ text: 'Rain.' })], { ...native, upstream: { flavour } })
    await ask({ tools: [weather], messages: history })
    expect(JSON.stringify(bodies()[0])).not.toMatch(/reasoning_details|extra_content/)
  },
)

test('an unknown service that refuses them is asked without them', async () => {
  const respond = (body: Body) => {
    const text = JSON.stringify(body['messages'])
    const field = ['reasoning_details', 'extra_content'].find((name) => text.includes(name))
    return field
      ? refusal(400, { error: { message: `Unknown parameter: 'messages[1].${field}'.` } })
      : answer({ text: 'Ok.' })
  }
  const { ask, bodies } = await startStage(respond, native)
  expect((await ask({ tools: [weather], messages: history })).status).toBe(200)
  expect(bodies()).toHaveLength(3)
})

test('a history in words has no place for them', async () => {
  const { ask, bodies } = await startStage([answer({ text: 'Rain.' })], { model: { tools: 'prompt' } })
  await ask({ tools: [weather], messages: history })
  expect(JSON.stringify(bodies()[0])).not.toMatch(/reasoning_details|extra_content/)
})

/** As most clients tell it: with nothing they do not know. */
function forgetful(message: { tool_calls: readonly Body[] }): readonly object[] {
  const calls = message.tool_calls.map(({ id, type, function: called }) => ({ id, type, function: called }))
  const [call] = calls
  return [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', content: null, tool_calls: calls },
    result(String(call?.id)),
  ]
}

test.each(['gemini', 'openrouter'])(
  '%s gets back what a client has dropped, in that conversation alone',
  async (flavour) => {
    const scripts = [thinking, answer({ text: 'Rain.' }), answer({ text: 'Hm.' }), answer({ text: 'Hm.' })]
    const { ask, bodies } = await startStage(scripts, { ...native, upstream: { flavour } })
    const as = (key: string) => ({ authorization: `Bearer ${key}` })
    const { message } = (await ask({ tools: [weather] }, as('ada'))).json.choices[0]
    const messages = forgetful(message)
    await ask({ tools: [weather], messages }, as('ada'))
    await ask({ tools: [weather], messages }, as('bob'))
    await ask({ tools: [weather], messages: [{ role: 'user', content: 'Ho' }, ...messages.slice(1)] }, as('ada'))
    const [, own, foreign, other] = bodies().map((body) => (body['messages'] as readonly Body[])[1])
    expect(own).toMatchObject({ reasoning_details: joined, tool_calls: [{ extra_content: signed }] })
    expect(JSON.stringify([foreign, other])).not.toMatch(/reasoning_details|extra_content/)
  },
)

test('of calls made side by side each gets back its own, also where the client has other ids, in its conversation alone', async () => {
  const cities = ['Paris', 'Rome']
  const calls = cities.map((city, index) => ({
    index,
    id: `call_${index}`,
    type: 'function',
    function: { name: 'get_weather', arguments: JSON.stringify({ city }) },
    extra_content: { google: { thought_signature: city } },
  }))
  const both = raw([delta({ tool_calls: calls }), delta({}, 'tool_calls'), 'data: [DONE]\n\n'])
  const later = raw([delta({ tool_calls: calls.slice(0, 1) }), delta({}, 'tool_calls'), 'data: [DONE]\n\n'])
  const fine = answer({ text: 'Fine.' })
  const { ask, bodies } = await startStage([both, later, fine, fine], { ...native, upstream: { flavour: 'gemini' } })
  const inConversation = (name: string) => ({ 'x-conversation-id': name })
  const told = (ids: readonly string[]) => [
    {
      role: 'assistant',
      content: null,
      tool_calls: calls.map((call, at) => ({ ...call, id: ids[at], extra_content: null })),
    },
    ...ids.map(result),
  ]
  const first = [{ role: 'user', content: 'Hi' }, ...told(['x', 'y'])]
  const second = [...first, { role: 'user', content: 'And now?' }, ...told(['z', 'w'])]
  await ask({ tools: [weather] }, inConversation('one'))
  await ask({ tools: [weather], messages: first }, inConversation('one'))
  await ask({ tools: [weather], messages: second }, inConversation('one'))
  await ask({ tools: [weather], messages: second }, inConversation('two'))
  const signatures = bodies().map((body) =>
    [...JSON.stringify(body['messages']).matchAll(/"thought_signature":"(\w+)"/g)].map(([, name]) => name),
  )
  expect(signatures).toEqual([[], cities, [...cities, 'Paris'], []])
})
