import { describe, expect, test } from 'vitest'
import { checkBody, checkStream } from '../../../../test/doors/responses-checker.ts'
import { readAt } from '../../../../test/doors/visit.ts'
import { GatewayError } from '../../../errors.ts'
import type { Event } from '../../../protocol/event.ts'
import { openaiResponses } from '../door.ts'

const tools = [
  { type: 'function', name: 'look', parameters: { type: 'object', properties: { at: { type: 'string' } } } },
  { type: 'custom', name: 'apply_patch', format: { type: 'grammar', syntax: 'lark', definition: 'start: /.+/' } },
  { type: 'tool_search', execution: 'client', description: 'Finds tools.', parameters: { type: 'object' } },
  { type: 'namespace', name: 'mcp__srv', description: 'A server.', tools: [{ type: 'function', name: 'create' }] },
  {
    type: 'namespace',
    name: 'functions',
    description: '',
    tools: [{ type: 'custom', name: 'exec' }],
  },
]

const say = (text: string): Event => ({ type: 'text-delta', text })
const think = (text: string): Event => ({ type: 'reasoning-delta', text })
const refuse = (text: string): Event => ({ type: 'refusal-delta', text })
const usage: Event = { type: 'usage', promptTokens: 3, completionTokens: 4, cachedTokens: 2, reasoningTokens: 1 }
const finish = (reason: Extract<Event, { type: 'finish' }>['reason'] = 'stop'): Event => ({ type: 'finish', reason })
const call = (index: number, name: string, ...json: readonly string[]): readonly Event[] => [
  { type: 'call-start', index, id: `call_${index}`, name },
  ...json.map((piece): Event => ({ type: 'call-delta', index, json: piece })),
]
const end = (index: number): Event => ({ type: 'call-end', index })
const broken = (index: number, raw: string): Event => ({ type: 'call-error', index, raw, reason: 'cut-off' })

interface Asked {
  readonly body?: object
  readonly agent?: string
}

async function exchangeFor({ body = {}, agent = '' }: Asked = {}) {
  const header = (name: string) => (name === 'user-agent' ? agent : undefined)
  return await readAt(openaiResponses, '/v1/responses', { model: 'm', input: 'Go.', tools, ...body }, { header })
}

type Item = Record<string, unknown>

async function stream(events: readonly Event[], asked: Asked = {}): Promise<string> {
  const printer = (await exchangeFor(asked)).createStream()
  let text = printer.open({ promptTokens: () => 1 })
  for (const event of events) text += printer.push(0, [event])
  return text + (await printer.end())
}

/** What a client gets, streamed piece by piece, all at once, and whole: always the same. */
async function respond(events: readonly Event[], asked: Asked = {}) {
  const streamed = checkStream(await stream(events, asked))
  const together = (await exchangeFor(asked)).createStream()
  const atOnce = checkStream(together.push(0, events) + (await together.end()))
  const whole = JSON.parse(await (await exchangeFor(asked)).printBody([events]))
  checkBody(whole)
  expect(withoutIds(atOnce)).toEqual(withoutIds(streamed))
  expect(withoutIds(whole)).toEqual(withoutIds(streamed))
  return { ...streamed, output: streamed['output'] as Item[] } as Item & { output: Item[] }
}

/** Ids are counted, and items that were never closed have one, too. */
function withoutIds(response: Item): unknown {
  return JSON.parse(JSON.stringify(response, (name, value) => (name === 'id' ? undefined : value)))
}

const shortOf = ({ id: _, ...item }: Item): Item => item

const cases: readonly (readonly [name: string, events: readonly Event[], output: readonly Item[], status?: string])[] =
  [
    [
      'text',
      [say('Hel'), say('lo.')],
      [{ type: 'message', content: [{ type: 'output_text', text: 'Hello.', annotations: [], logprobs: [] }] }],
    ],
    [
      'a call',
      [...call(0, 'look', '{"at"', ':"x"}'), end(0)],
      [{ type: 'function_call', call_id: 'call_0', name: 'look', arguments: '{"at":"x"}', status: 'completed' }],
    ],
    ['a call without arguments', [...call(0, 'look'), end(0)], [{ type: 'function_call', arguments: '{}' }]],
    [
      'a call of a namespace, under its two names',
      [...call(0, 'mcp__srv__create', '{}'), end(0)],
      [{ type: 'function_call', name: 'create', namespace: 'mcp__srv' }],
    ],
    [
      'a call whose namespace the model left out',
      [...call(0, 'create', '{}'), end(0)],
      [{ type: 'function_call', name: 'create', namespace: 'mcp__srv' }],
    ],
    [
      'a call of a tool that was not offered',
      [...call(0, 'mcp__other__x', '{}'), end(0)],
      [{ type: 'function_call', name: 'mcp__other__x', arguments: '{}' }],
    ],
    [
      'a custom call',
      [...call(0, 'apply_patch', '*** Begin', '\n+"a" 😀'), end(0)],
      [{ type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin\n+"a" 😀', status: 'completed' }],
    ],
    [
      'a custom call in the namespace of bare names',
      [...call(0, 'exec', 'text(1)'), end(0)],
      [{ type: 'custom_tool_call', name: 'exec', namespace: 'functions', input: 'text(1)' }],
    ],
    [
      'a search, its arguments an object',
      [...call(0, 'tool_search', '{"query"', ':"x"}'), end(0)],
      [{ type: 'tool_search_call', execution: 'client', call_id: 'call_0', arguments: { query: 'x' } }],
    ],
    [
      'text, then two calls',
      [say('Look:\n'), ...call(0, 'look', '{}'), end(0), say('\n'), ...call(1, 'look', '{}'), end(1)],
      [{ type: 'message' }, { type: 'function_call', call_id: 'call_0' }, { type: 'function_call', call_id: 'call_1' }],
    ],
    [
      'thoughts, as a summary',
      [think('Let me '), think('think.'), say('Yes.')],
      [{ type: 'reasoning', summary: [{ type: 'summary_text', text: 'Let me think.' }] }, { type: 'message' }],
    ],
    [
      'a refusal beside words',
      [say('Well. '), refuse('I will '), refuse('not.')],
      [
        {
          type: 'message',
          content: [
            { type: 'output_text', text: 'Well. ', annotations: [], logprobs: [] },
            { type: 'refusal', refusal: 'I will not.' },
          ],
        },
      ],
    ],
    ['nothing but white space', [say('\n\n')], [{ type: 'message' }]],
    ['nothing', [], []],
    [
      'text that is cut off',
      [say('Once upon'), usage, finish('length')],
      [{ type: 'message', status: 'incomplete' }],
      'incomplete',
    ],
    [
      'text that was filtered',
      [say('Once upon'), usage, finish('content_filter')],
      [{ type: 'message', status: 'incomplete' }],
      'incomplete',
    ],
    [
      'a call that is cut off: listed, never closed',
      [say('Look.'), ...call(0, 'look', '{"at":"a'), broken(0, '<look>a'), usage, finish('length')],
      [
        { type: 'message', status: 'completed' },
        { type: 'function_call', status: 'incomplete', arguments: '{"at":"a' },
      ],
      'incomplete',
    ],
    [
      'a custom call that is cut off',
      [...call(0, 'apply_patch', '*** Be'), broken(0, 'raw'), usage, finish('length')],
      [{ type: 'custom_tool_call', status: 'incomplete', input: '*** Be' }],
      'incomplete',
    ],
    [
      'a search that is cut off',
      [...call(0, 'tool_search', '{"que'), broken(0, 'raw'), usage, finish('length')],
      [{ type: 'tool_search_call', status: 'incomplete', arguments: {} }],
      'incomplete',
    ],
    [
      'a whole call before one that is cut off',
      [...call(0, 'look', '{}'), end(0), ...call(1, 'look', '{'), broken(1, 'raw'), usage, finish('length')],
      [
        { type: 'function_call', status: 'completed' },
        { type: 'function_call', status: 'incomplete' },
      ],
      'incomplete',
    ],
    [
      'a call that broke before the model went on: words',
      [...call(0, 'look', '{"at":'), broken(0, '<look>a'), say(' or so')],
      [{ type: 'message', content: [{ type: 'output_text', text: '<look>a or so', annotations: [], logprobs: [] }] }],
    ],
    [
      'a call that broke at the end of an answer that was not cut off: words',
      [...call(0, 'look', '{"at":'), broken(0, '<look>a')],
      [{ type: 'message', content: [{ type: 'output_text', text: '<look>a', annotations: [], logprobs: [] }] }],
    ],
  ]

describe('what a model says becomes items, streamed and whole', () => {
  const told = cases.map(([name, events, output, status = 'completed']) => [name, events, output, status] as const)
  test.each(told)('%s', async (_name, events, output, status) => {
    const isOver = events.some(({ type }) => type === 'finish')
    const response = await respond(isOver ? events : [...events, usage, finish()])
    expect(response).toMatchObject({ status, output })
    expect(response.output).toHaveLength(output.length)
    expect(response['usage']).toEqual({
      input_tokens: 3,
      input_tokens_details: { cached_tokens: 2 },
      output_tokens: 4,
      output_tokens_details: { reasoning_tokens: 1 },
      total_tokens: 7,
    })
  })
})

test('why an answer is incomplete is said in its own words', async () => {
  const cut = await respond([say('x'), usage, finish('length')])
  expect(cut['incomplete_details']).toEqual({ reason: 'max_output_tokens' })
  const filtered = await respond([say('x'), usage, finish('content_filter')])
  expect(filtered['incomplete_details']).toEqual({ reason: 'content_filter' })
})

test('a custom text is told while it comes', async () => {
  const text = await stream([...call(0, 'apply_patch', 'ab', 'c', '\nd'), end(0), usage, finish()])
  const deltas = [...text.matchAll(/custom_tool_call_input\.delta".*"delta":("(?:[^"\\]|\\.)*")/g)].map(
    ([, one = '']) => JSON.parse(one),
  )
  expect(deltas).toEqual(['ab', 'c', '\nd'])
})

test.each([
  ['what was asked for', {}, 'refusal'],
  ['words, for who can read nothing else', { agent: 'codex_exec/0.166.0 (Debian)' }, 'output_text'],
])('a refusal is %s', async (_name, asked, type) => {
  const { output } = await respond([refuse('No.'), usage, finish()], asked)
  expect(output[0]?.['content']).toMatchObject([{ type }])
})

test('thoughts are sealed where they are asked for, and not shown where they are not', async () => {
  const events = [think('Deep.'), say('Yes.'), usage, finish()]
  const plain = await respond(events)
  expect(plain.output[0]).not.toHaveProperty('encrypted_content')
  const sealed = await respond(events, { body: { include: ['reasoning.encrypted_content'] } })
  expect(sealed.output[0]).toMatchObject({ summary: [{ text: 'Deep.' }], encrypted_content: expect.any(String) })
  const hidden = await respond(events, { body: { reasoning: { summary: 'none' } } })
  expect(hidden.output.map(shortOf)[0]).toEqual({ type: 'reasoning', summary: [] })
})

test('how sure the model was stands beside its text', async () => {
  const logprobs = [{ token: 'Yes', logprob: -0.1, bytes: null, top_logprobs: [] }]
  const { output } = await respond([say('Yes'), { type: 'logprobs', content: logprobs }, usage, finish()])
  expect(output[0]?.['content']).toMatchObject([{ logprobs }])
})

test('nothing is sent before the model has said something', async () => {
  const printer = (await exchangeFor()).createStream()
  expect(printer.push(0, [{ type: 'note', kind: 'id_added' }])).toBe('')
})

describe('failures', () => {
  test.each([
    ['upstream_error', 'Gone.', 'server_error', 'Gone.'],
    ['upstream_overloaded', 'Busy.', 'server_error', 'Busy.'],
    ['insufficient_quota', 'Paid?', 'insufficient_quota', 'Paid?'],
    ['context_length_exceeded', 'Too long.', 'context_length_exceeded', 'Too long.'],
    ['upstream_rejected', 'No.', 'invalid_prompt', 'No.'],
    ['rate_limit_exceeded', 'Slow down.', 'rate_limit_exceeded', 'Slow down. Please try again in 1s.'],
  ] as const)('%s after the first byte', async (code, message, said, words) => {
    const printer = (await exchangeFor()).createStream()
    const begun = printer.push(0, [
      say('Once '),
      ...call(0, 'look', '{}'),
      end(0),
      say('upon'),
      ...call(1, 'look', '{'),
    ])
    const text = begun + printer.fail(new GatewayError(code, message))
    const response = checkStream(text)
    expect(response).toMatchObject({ status: 'failed', error: { code: said, message: words } })
    expect(response['output']).toMatchObject([
      { type: 'message' },
      { type: 'function_call', call_id: 'call_0', status: 'completed' },
      { type: 'message', content: [{ text: 'upon' }] },
    ])
  })

  test('a conversation that is too long fails inside a stream; everything else is a status', async () => {
    const printer = (await exchangeFor()).createStream()
    expect(printer.refuse?.(new GatewayError('upstream_error', 'Gone.'))).toBeUndefined()
    const refused = printer.refuse?.(new GatewayError('context_length_exceeded', 'Too long.')) ?? ''
    expect(checkStream(refused)).toMatchObject({
      status: 'failed',
      error: { code: 'context_length_exceeded' },
      output: [],
    })
  })

  test('a failure while the client waits for the first byte is a whole stream, too', async () => {
    const printer = (await exchangeFor()).createStream()
    expect(checkStream(printer.fail(new GatewayError('upstream_timeout', 'Late.')))).toMatchObject({ status: 'failed' })
  })

  test('a model that never finished did not answer', async () => {
    const printer = (await exchangeFor()).createStream()
    printer.push(0, [say('Once')])
    await expect((async () => printer.end())()).rejects.toMatchObject({ code: 'upstream_truncated' })
    await expect((await exchangeFor()).printBody([[say('Once')]])).rejects.toMatchObject({ code: 'upstream_truncated' })
  })
})

test('a response repeats what was asked', async () => {
  const body = {
    instructions: 'Be short.',
    max_output_tokens: 99,
    metadata: { a: 'b' },
    parallel_tool_calls: false,
    reasoning: { effort: 'low' },
    store: false,
    temperature: 0.2,
    top_p: 0.9,
    user: 'u',
    text: { format: { type: 'json_object' }, verbosity: 'low' },
    truncation: 'auto',
    tool_choice: 'none',
  }
  const response = await respond([say('x'), usage, finish()], { body })
  expect(response).toMatchObject({ ...body, model: 'm', tools, reasoning: { effort: 'low', summary: null } })
})
