import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../../errors.ts'
import type { Event } from '../../../protocol/event.ts'
import { createChunks } from './chunks.ts'
import type { Manner } from './completion.ts'
import { quirksOf } from './completion.ts'

const identity = { id: 'chatcmpl-stream1', created: 1234567894, model: 'qwen3-max' }
const plain: Manner = { includeUsage: false, legacyFunctions: false, customTools: new Set(), quirks: quirksOf('') }

const say = (text: string): Event => ({ type: 'text-delta', text })
const think = (text: string): Event => ({ type: 'reasoning-delta', text })
const begin = (index: number, id: string, name: string): Event => ({ type: 'call-start', index, id, name })
const give = (index: number, json: string): Event => ({ type: 'call-delta', index, json })
const done = (index: number): Event => ({ type: 'call-end', index })
const finish = (reason: 'stop' | 'tool_calls' | 'length' | 'content_filter'): Event => ({ type: 'finish', reason })
const usage: Event = { type: 'usage', promptTokens: 7, completionTokens: 5 }

function print(batches: readonly (readonly Event[])[], manner: Partial<Manner> = {}): string {
  const chunks = createChunks(identity, 1, { ...plain, ...manner })
  return (
    chunks.open({ promptTokens: () => 1 }) + batches.map((events) => chunks.push(0, events)).join('') + chunks.end()
  )
}

interface Chunk {
  choices: { index: number; delta: object; finish_reason: string | null }[]
  usage?: object | null
}

function read(wire: string): Chunk[] {
  const frames = wire.split('\n\n').filter((frame) => frame !== '')
  return frames.filter((frame) => frame !== 'data: [DONE]').map((frame) => JSON.parse(frame.replace(/^data: /, '')))
}

const deltas = (batches: readonly (readonly Event[])[], manner: Partial<Manner> = {}) =>
  read(print(batches, manner)).flatMap(({ choices }) => choices.map(({ delta }) => delta))
const reasons = (batches: readonly (readonly Event[])[], manner: Partial<Manner> = {}) =>
  read(print(batches, manner)).flatMap(({ choices }) => choices.map((choice) => choice.finish_reason))

test('text and a call are printed byte for byte', () => {
  const args = '{"filePath":"/src/app.js"}'
  const batches = [
    [say("I'll ")],
    [say('read ')],
    [say('the ')],
    [say('file.')],
    [begin(0, 'call_4', 'read')],
    [give(0, args), done(0), finish('tool_calls')],
  ]
  const head =
    'data: {"id":"chatcmpl-stream1","object":"chat.completion.chunk","created":1234567894,"model":"qwen3-max","choices":[{"index":0,"delta":'
  expect(print(batches)).toBe(
    [
      `${head}{"role":"assistant","content":""},"finish_reason":null}]}`,
      `${head}{"content":"I'll "},"finish_reason":null}]}`,
      `${head}{"content":"read "},"finish_reason":null}]}`,
      `${head}{"content":"the "},"finish_reason":null}]}`,
      `${head}{"content":"file."},"finish_reason":null}]}`,
      `${head}{"tool_calls":[{"index":0,"id":"call_4","type":"function","function":{"name":"read","arguments":""}}]},"finish_reason":null}]}`,
      `${head}{"tool_calls":[{"index":0,"function":{"arguments":"{\\"filePath\\":\\"/src/app.js\\"}"}}]},"finish_reason":null}]}`,
      `${head}{},"finish_reason":"tool_calls"}]}`,
      'data: [DONE]',
      '',
    ].join('\n\n'),
  )
})

test('what arrived in one read leaves as one chunk per kind, in the order it was said', () => {
  const batch = [
    think('a'),
    think('b'),
    say('c'),
    say(''),
    say('d'),
    begin(0, 'x', 'f'),
    give(0, '{"a"'),
    give(0, ':1}'),
    done(0),
    say('e'),
    finish('tool_calls'),
  ]
  expect(deltas([batch])).toEqual([
    { role: 'assistant', content: '' },
    { reasoning_content: 'ab', reasoning: 'ab' },
    { content: 'cd' },
    { tool_calls: [{ index: 0, id: 'x', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{"a":1}' } }] },
    { content: 'e' },
    {},
  ])
})

test('calls that interleave keep their own index, counted from 0 whatever the events count from', () => {
  const batch = [begin(3, 'a', 'f'), begin(5, 'b', 'g'), give(3, '{'), give(5, '{}'), give(3, '}'), done(3), done(5)]
  expect(deltas([[...batch, finish('tool_calls')]]).slice(1, -1)).toEqual([
    { tool_calls: [{ index: 0, id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 1, id: 'b', type: 'function', function: { name: 'g', arguments: '' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '{' } }] },
    { tool_calls: [{ index: 1, function: { arguments: '{}' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
  ])
})

test('a call without arguments gets an empty object', () => {
  expect(deltas([[begin(0, 'a', 'f'), done(0), finish('tool_calls')]])[2]).toEqual({
    tool_calls: [{ index: 0, function: { arguments: '{}' } }],
  })
})

describe('the finish reason', () => {
  const call = [begin(0, 'a', 'f'), give(0, '{}'), done(0)]
  const broken: Event[] = [
    begin(0, 'a', 'f'),
    give(0, '{"x'),
    { type: 'call-error', index: 0, raw: '<f>', reason: 'cut' },
  ]
  test.each<[string, Event[], string]>([
    ['is tool_calls when there is a call, whatever was said', [...call, finish('stop')], 'tool_calls'],
    ['is stop when tool_calls was said without a call', [say('x'), finish('tool_calls')], 'stop'],
    ['stays length for a call cut off', [...broken, finish('length')], 'length'],
    ['stays length beside a complete call', [...call, finish('length')], 'length'],
    ['is stop when the only call failed', [...broken, finish('tool_calls')], 'stop'],
    ['stays content_filter', [finish('content_filter')], 'content_filter'],
    ['is said once', [finish('stop'), finish('stop')], 'stop'],
  ])('%s', (_name, events, reason) => {
    expect(reasons([events]).filter((each) => each !== null)).toEqual([reason])
  })

  test('must have been said before the stream can end', () => {
    const chunks = createChunks(identity, 1, plain)
    chunks.push(0, [say('x')])
    expect(() => chunks.end()).toThrow(GatewayError)
  })
})

describe('usage', () => {
  test('has its own chunk at the end when asked for, and null before', () => {
    const chunks = read(print([[say('x'), usage, finish('stop')]], { includeUsage: true }))
    expect(chunks.slice(0, -1).map((chunk) => chunk.usage)).toEqual([null, null, null])
    expect(chunks.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    })
  })

  test('is not mentioned when not asked for', () => {
    expect(print([[say('x'), usage, finish('stop')]])).not.toContain('usage')
  })
})

test('a custom tool is called with its text', () => {
  const events = [begin(0, 'a', 'sql'), give(0, 'select '), give(0, '"1"'), done(0), finish('tool_calls')]
  expect(deltas([events], { customTools: new Set(['sql']) }).slice(1)).toEqual([
    { tool_calls: [{ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: '' } }] },
    { tool_calls: [{ index: 0, custom: { input: 'select "1"' } }] },
    {},
  ])
})

test('a client of the older functions gets its one call as function_call', () => {
  const events = [begin(0, 'a', 'f'), give(0, '{}'), done(0), begin(1, 'b', 'g'), give(1, '{}'), done(1)]
  const batches = [[...events, finish('tool_calls')]]
  expect(deltas(batches, { legacyFunctions: true }).slice(1)).toEqual([
    { function_call: { name: 'f', arguments: '' } },
    { function_call: { arguments: '{}' } },
    {},
  ])
  expect(reasons(batches, { legacyFunctions: true }).at(-1)).toBe('function_call')
})

test('older Cline gets call_id beside the id and on the first arguments', () => {
  const batches = [
    [begin(0, 'a', 'f'), give(0, '{')],
    [give(0, '}'), done(0), finish('tool_calls')],
  ]
  expect(deltas(batches, { quirks: quirksOf('Cline/3.82.0') }).slice(1)).toEqual([
    { tool_calls: [{ index: 0, id: 'a', call_id: 'a', type: 'function', function: { name: 'f', arguments: '' } }] },
    { tool_calls: [{ index: 0, call_id: 'a', function: { arguments: '{' } }] },
    { tool_calls: [{ index: 0, function: { arguments: '}' } }] },
    {},
  ])
})

test('several choices share the envelope and the usage chunk', () => {
  const chunks = createChunks(identity, 2, { ...plain, includeUsage: true })
  const wire =
    chunks.open({ promptTokens: () => 1 }) +
    chunks.push(1, [say('b'), usage, finish('stop')]) +
    chunks.push(0, [say('a'), usage, finish('stop')])
  const read1 = read(wire + chunks.end())
  expect(read1.flatMap(({ choices }) => choices.map(({ index }) => index))).toEqual([0, 1, 1, 1, 0, 0])
  expect(read1.at(-1)?.usage).toEqual({ prompt_tokens: 14, completion_tokens: 10, total_tokens: 24 })
})

test('a failure is one error event and nothing that looks like an end', () => {
  const wire = createChunks(identity, 1, plain).fail(new GatewayError('upstream_truncated', 'It "died".\n'))
  expect(wire).toBe(
    'data: {"error":{"message":"It \\"died\\".\\n","type":"server_error","param":null,"code":"upstream_truncated"}}\n\n',
  )
})

test('whatever the model says stays inside its frame', () => {
  const nasty = 'a\n\ndata: [DONE]\r\n\u2028"\\\ud83d\u0000'
  expect(deltas([[say(nasty), finish('stop')]])[1]).toEqual({ content: nasty })
})

test('log probabilities leave in a chunk of their own, before the finish', () => {
  const content = [{ token: 'Hi', logprob: -0.5, bytes: null, top_logprobs: [] }]
  const chunks = read(print([[say('Hi'), { type: 'logprobs', content }], [finish('stop')]]))
  expect(chunks.map(({ choices }) => choices[0])).toMatchObject([
    { delta: { role: 'assistant' } },
    { delta: { content: 'Hi' } },
    { delta: {}, logprobs: { content, refusal: null }, finish_reason: null },
    { finish_reason: 'stop' },
  ])
})
