import { describe, expect, test } from 'vitest'
import { checkBody, checkLines } from '../../../test/doors/ollama-checker.ts'
import { readAt } from '../../../test/doors/visit.ts'
import { GatewayError } from '../../errors.ts'
import type { Event } from '../../protocol/event.ts'
import { toAllowed } from '../shared/tools.ts'
import { ollama } from './door.ts'

const say = (text: string): Event => ({ type: 'text-delta', text })
const think = (text: string): Event => ({ type: 'reasoning-delta', text })
const begin = (index: number, name = 'read'): Event => ({ type: 'call-start', index, id: `call_${index}`, name })
const give = (index: number, json: string): Event => ({ type: 'call-delta', index, json })
const end = (index: number): Event => ({ type: 'call-end', index })
const finish = (reason: 'stop' | 'tool_calls' | 'length' | 'content_filter'): Event => ({ type: 'finish', reason })
const usage: Event = { type: 'usage', promptTokens: 7, completionTokens: 5 }
const made = (index: number, given: object, name = 'read') => ({
  id: `call_${index}`,
  function: { index, name, arguments: given },
})

type Batches = readonly (readonly Event[])[]

const asked = {
  chat: { path: '/api/chat', body: { model: 'm:latest', messages: [{ role: 'user', content: 'Hi' }] } },
  generate: { path: '/api/generate', body: { model: 'm:latest', prompt: 'Hi' } },
} as const

interface Line {
  readonly message: { content: string; thinking?: string; tool_calls?: object[] }
  readonly done: boolean
  readonly done_reason?: string
  readonly logprobs?: object[]
}

async function exchangeOf(kind: keyof typeof asked, body: object = {}, now: () => number = () => 1_700_000_000_000) {
  return await readAt(ollama, asked[kind].path, { ...asked[kind].body, ...body }, { now })
}

async function stream(batches: Batches, kind: keyof typeof asked = 'chat', body: object = {}): Promise<string> {
  const printer = (await exchangeOf(kind, body)).createStream()
  expect(printer.contentType).toBe('application/x-ndjson')
  const opened = printer.open({ promptTokens: () => 3 })
  const text = opened + batches.map((events) => printer.push(0, events)).join('') + (await printer.end())
  expect(checkLines(text, kind)).toEqual([])
  return text
}

async function whole(batches: Batches, kind: keyof typeof asked = 'chat', body: object = {}) {
  const text = await (await exchangeOf(kind, { stream: false, ...body })).printBody([batches.flat()])
  expect(checkBody(text, kind)).toEqual([])
  return JSON.parse(text)
}

const read = (text: string): Line[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))

interface Row {
  readonly name: string
  readonly batches: Batches
  /** The messages of the lines before the last. */
  readonly lines: readonly object[]
  readonly reason?: 'length'
}

const rows: readonly Row[] = [
  {
    name: 'text, what arrived together in one line',
    batches: [[say('Hel'), say('lo')], [say(' you')], [usage, finish('stop')]],
    lines: [{ content: 'Hello' }, { content: ' you' }],
  },
  {
    name: 'thoughts before text',
    batches: [
      [think('Hm'), think('.')],
      [think('So'), say('Yes')],
      [finish('stop'), usage],
    ],
    lines: [{ content: '', thinking: 'Hm.' }, { content: '', thinking: 'So' }, { content: 'Yes' }],
  },
  {
    name: 'a call is told when it is complete',
    batches: [
      [say('Reading.'), begin(0)],
      [give(0, '{"path":')],
      [give(0, '"/a"}')],
      [end(0)],
      [usage, finish('tool_calls')],
    ],
    lines: [{ content: 'Reading.' }, { content: '', tool_calls: [made(0, { path: '/a' })] }],
  },
  {
    name: 'several calls, one line each',
    batches: [
      [begin(0), give(0, '{}'), end(0), begin(1, 'list'), give(1, '{"a":[1]}'), end(1)],
      [usage, finish('tool_calls')],
    ],
    lines: [
      { content: '', tool_calls: [made(0, {})] },
      { content: '', tool_calls: [made(1, { a: [1] }, 'list')] },
    ],
  },
  {
    name: 'a call without arguments',
    batches: [[begin(0), end(0), usage, finish('tool_calls')]],
    lines: [{ content: '', tool_calls: [made(0, {})] }],
  },
  {
    name: 'arguments over several lines',
    batches: [[begin(0), give(0, '{\n  "path": "a\\nb"\r\n}'), end(0), usage, finish('tool_calls')]],
    lines: [{ content: '', tool_calls: [made(0, { path: 'a\nb' })] }],
  },
  {
    name: 'a call that was cut off is text, and the end says so',
    batches: [
      [say('I '), begin(0), give(0, '{"path":"/a')],
      [{ type: 'call-error', index: 0, raw: '<tool_call>{"path":"/a', reason: 'cut-off' }],
      [usage, finish('length')],
    ],
    lines: [{ content: 'I ' }, { content: '<tool_call>{"path":"/a' }],
    reason: 'length',
  },
  {
    name: 'a call that was cut off after one that was not',
    batches: [
      [begin(0), give(0, '{}'), end(0), begin(1), give(1, '{"a"')],
      [{ type: 'call-error', index: 1, raw: 'read({"a"', reason: 'cut-off' }, usage, finish('length')],
    ],
    lines: [{ content: '', tool_calls: [made(0, {})] }, { content: 'read({"a"' }],
    reason: 'length',
  },
  {
    name: 'an index counts the calls that are told',
    batches: [
      [begin(0), { type: 'call-error', index: 0, raw: 'bad', reason: 'unreadable' }],
      [begin(1), give(1, '{}'), end(1), usage, finish('tool_calls')],
    ],
    lines: [{ content: 'bad' }, { content: '', tool_calls: [{ ...made(0, {}), id: 'call_1' }] }],
  },
  {
    name: 'arguments that are no object are not lost',
    batches: [[begin(0), give(0, '[1]'), end(0), usage, finish('tool_calls')]],
    lines: [{ content: '[1]' }],
  },
  {
    name: 'a refusal is text',
    batches: [[{ type: 'refusal-delta', text: 'No.' }, usage, finish('stop')]],
    lines: [{ content: 'No.' }],
  },
  {
    name: 'a filtered answer ends like others',
    batches: [[say('x'), usage, finish('content_filter')]],
    lines: [{ content: 'x' }],
  },
  {
    name: 'nothing at all',
    batches: [[{ type: 'note', kind: 'queued' }], [usage, finish('stop')]],
    lines: [],
  },
]

describe.each(rows)('$name', ({ batches, lines, reason = 'stop' }) => {
  test('in lines', async () => {
    const told = read(await stream(batches))
    expect(told.slice(0, -1).map(({ message }) => message)).toEqual(
      lines.map((line) => ({ role: 'assistant', ...line })),
    )
    expect(told.at(-1)).toMatchObject({ done: true, done_reason: reason, message: { role: 'assistant', content: '' } })
  })

  test('in one piece it is what the lines add up to', async () => {
    const told = read(await stream(batches))
    const { message, ...facts } = await whole(batches)
    const { message: _, ...last } = told.at(-1) as Line
    expect(message.content).toBe(told.map((line) => line.message.content).join(''))
    expect(message.thinking ?? '').toBe(told.map((line) => line.message.thinking ?? '').join(''))
    expect(message.tool_calls ?? []).toEqual(told.flatMap((line) => line.message.tool_calls ?? []))
    expect({ ...facts, prompt_eval_duration: 1 }).toEqual({ ...last, prompt_eval_duration: 1 })
  })
})

test('an answer is printed byte for byte', async () => {
  const head = '{"model":"m:latest","created_at":"2023-11-14T22:13:20.000Z",'
  const batches = [
    [say('Hi')],
    [begin(0), give(0, '{"n":12345678901234567890}'), end(0)],
    [usage, finish('tool_calls')],
  ]
  expect(await stream(batches)).toBe(
    [
      `${head}"message":{"role":"assistant","content":"Hi"},"done":false}\n`,
      `${head}"message":{"role":"assistant","content":"","tool_calls":[{"id":"call_0","function":{"index":0,"name":"read","arguments":{"n":12345678901234567890}}}]},"done":false}\n`,
      `${head}"message":{"role":"assistant","content":""},"done":true,"done_reason":"stop","total_duration":1,"load_duration":1,"prompt_eval_count":7,"prompt_eval_duration":1,"eval_count":5,"eval_duration":1}\n`,
    ].join(''),
  )
})

test('a tool is called by the name its client gave it', async () => {
  const tools = [{ type: 'function', function: { name: 'fs.read' } }]
  const batches = [[begin(0, toAllowed('fs.read')), give(0, '{}'), end(0), usage, finish('tool_calls')]]
  const calls = [made(0, {}, 'fs.read')]
  expect(read(await stream(batches, 'chat', { tools }))[0]).toMatchObject({ message: { tool_calls: calls } })
  expect(await whole(batches, 'chat', { tools })).toMatchObject({ message: { tool_calls: calls } })
})

test('logprobs stand beside the message', async () => {
  const items = [{ token: 'a', logprob: -1 }]
  const batches: Batches = [
    [say('a'), { type: 'logprobs', content: items }],
    [usage, finish('stop')],
  ]
  expect(read(await stream(batches)).map(({ logprobs }) => logprobs)).toEqual([undefined, items, undefined])
  expect(await whole(batches)).toMatchObject({ message: { content: 'a' }, logprobs: items })
})

describe('generate', () => {
  const batches = [[think('Hm')], [say('Yes')], [usage, finish('length')]]

  test('in lines', async () => {
    expect(read(await stream(batches, 'generate'))).toMatchObject([
      { response: '', thinking: 'Hm', done: false },
      { response: 'Yes', done: false },
      { response: '', done: true, done_reason: 'length', eval_count: 5 },
    ])
  })

  test('in one piece', async () => {
    expect(await whole(batches, 'generate')).toMatchObject({ response: 'Yes', thinking: 'Hm', done_reason: 'length' })
  })
})

test('durations are nanoseconds', async () => {
  let now = 1_700_000_000_000
  const printer = (await exchangeOf('chat', {}, () => now)).createStream()
  printer.open({ promptTokens: () => 3 })
  now += 250
  printer.push(0, [say('a')])
  now += 750
  printer.push(0, [usage, finish('stop')])
  expect(JSON.parse(await printer.end())).toMatchObject({
    created_at: '2023-11-14T22:13:21.000Z',
    total_duration: 1_000_000_000,
    prompt_eval_duration: 250_000_000,
    eval_duration: 750_000_000,
  })
})

test('an answer without an end is none', async () => {
  const printer = (await exchangeOf('chat')).createStream()
  printer.push(0, [say('half')])
  expect(() => printer.end()).toThrow(expect.objectContaining({ code: 'upstream_truncated' }))
  const exchange = await exchangeOf('chat', { stream: false })
  expect(() => exchange.printBody([[say('half')]])).toThrow(expect.objectContaining({ code: 'upstream_truncated' }))
})

test('a failure after the first byte is a line with a text', async () => {
  const printer = (await exchangeOf('chat')).createStream()
  const said = printer.push(0, [say('half')])
  const text = said + printer.fail(new GatewayError('upstream_unreachable', 'gone'))
  expect(checkLines(text)).toEqual([])
  expect(text.endsWith('\n{"error":"gone"}\n')).toBe(true)
})

test.each<[string, GatewayError, number, string]>([
  [
    'an unknown model',
    new GatewayError('model_not_found', "The model 'x y' does not exist. Did you mean 'x'?"),
    404,
    "model 'x y' not found. Did you mean 'x'?",
  ],
  ['a model without a service', new GatewayError('model_not_found', 'Nobody serves x.'), 404, 'Nobody serves x.'],
  ['a missing key', new GatewayError('invalid_api_key', "You didn't provide an API key."), 401, 'unauthorized'],
  ['a full queue', new GatewayError('queue_full', 'Too many.'), 429, 'Too many.'],
])('%s in the words clients look for', (_, error, status, words) => {
  expect(ollama.printError(error, 'req_1')).toEqual({ status, body: JSON.stringify({ error: words }) })
})
