import { describe, expect, test, vi } from 'vitest'
import {
  answer,
  cutInto,
  ending,
  event,
  json,
  raw,
  refusal,
  type Script,
  silence,
} from '../../../test/doubles/openai-compat.ts'
import { listen, startBoth, timeouts } from '../../../test/doubles/openai-upstream.ts'
import { GatewayError } from '../../errors.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { AnswerReader } from './answer.ts'

const usage = { type: 'usage', promptTokens: 7, completionTokens: 5 }
const stop = { type: 'finish', reason: 'stop' }

function delta(fields: object, finish: string | null = null): string {
  return event({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
}

describe('an answer is heard', () => {
  const cases: [string, Script, object[]][] = [
    [
      'as text, usage and finish',
      answer({ text: ['Hel', 'lo'] }),
      [{ type: 'text', text: 'Hel' }, { type: 'text', text: 'lo' }, usage, stop],
    ],
    [
      'with reasoning under its older name',
      answer({ reasoning: 'hm', text: 'Hi' }),
      [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Hi' }, usage, stop],
    ],
    [
      'with reasoning under its newer name',
      answer({ reasoning: 'hm', reasoningField: 'reasoning', text: 'Hi' }),
      [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Hi' }, usage, stop],
    ],
    [
      'with reasoning under both names once',
      raw([delta({ reasoning: 'hm', reasoning_content: 'hm' }), delta({}, 'stop')]),
      [{ type: 'reasoning', text: 'hm' }, stop],
    ],
    [
      'with calls that lack the object around their name',
      raw([
        delta({ tool_calls: { index: '1', id: 'a', name: 'f', arguments: '{}' } }),
        delta({ tool_calls: [{ id: 'b', function: 'g', arguments: { x: 1 } }] }, 'tool_calls'),
      ]),
      [
        { type: 'call', index: 1, id: 'a', name: 'f', json: '{}' },
        { type: 'call', id: 'b', name: 'g', json: '{"x":1}' },
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'as cut off, whatever is said after that',
      raw([delta({ content: 'Hi' }, 'length'), delta({}, 'stop')]),
      [
        { type: 'text', text: 'Hi' },
        { type: 'finish', reason: 'length' },
      ],
    ],
    [
      'with reasoning as parts of the content',
      raw([
        delta({
          content: [
            { type: 'thinking', thinking: [{ type: 'text', text: 'hm' }] },
            { type: 'text', text: 'Hi' },
          ],
        }),
        delta({}, 'stop'),
      ]),
      [{ type: 'reasoning', text: 'hm' }, { type: 'text', text: 'Hi' }, stop],
    ],
    [
      'with calls in pieces',
      answer({
        calls: [
          { id: 'a', name: 'f', arguments: ['{"x"', ':1}'] },
          { id: 'b', name: 'g', arguments: '{}' },
        ],
      }),
      [
        { type: 'call', index: 0, id: 'a', name: 'f' },
        { type: 'call', index: 0, json: '{"x"' },
        { type: 'call', index: 0, json: ':1}' },
        { type: 'call', index: 1, id: 'b', name: 'g' },
        { type: 'call', index: 1, json: '{}' },
        usage,
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'with arguments as an object, without index and id',
      raw([delta({ tool_calls: [{ function: { name: 'f', arguments: { x: [1] } } }] }, 'tool_calls')]),
      [
        { type: 'call', name: 'f', json: '{"x":[1]}' },
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'with a custom call',
      raw([delta({ tool_calls: [{ index: 0, id: 'a', custom: { name: 'f', input: 'x' } }] }, 'tool_calls')]),
      [
        { type: 'call', index: 0, id: 'a', name: 'f', json: 'x', isText: true },
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'with a call in the old style',
      raw([delta({ function_call: { name: 'f', arguments: '{}' } }, 'function_call')]),
      [
        { type: 'call', index: 0, name: 'f', json: '{}' },
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'with the last of several usages, details and all',
      raw([
        event({ choices: [], usage: { prompt_tokens: 1, completion_tokens: 0 } }),
        delta({}, 'stop'),
        event({
          choices: [],
          usage: {
            prompt_tokens: 9,
            completion_tokens: 4,
            prompt_tokens_details: { cached_tokens: 8 },
            completion_tokens_details: { reasoning_tokens: 3 },
          },
        }),
      ]),
      [{ type: 'usage', promptTokens: 9, completionTokens: 4, cachedTokens: 8, reasoningTokens: 3 }, stop],
    ],
    [
      "with Groq's usage",
      raw([
        event({
          choices: [{ index: 0, delta: {}, finish_reason: 'stop' }],
          x_groq: { usage: { prompt_tokens: 2, completion_tokens: 1 } },
        }),
      ]),
      [{ type: 'usage', promptTokens: 2, completionTokens: 1 }, stop],
    ],
    [
      'past comments and empty events',
      raw([': OPENROUTER PROCESSING\n\n', 'data:\n\n', delta({ content: 'x' }, 'stop')]),
      [{ type: 'text', text: 'x' }, stop],
    ],
    [
      'of the first choice only',
      raw([event({ choices: [{ index: 1, delta: { content: 'no' } }] }), delta({ content: 'x' }, 'stop')]),
      [{ type: 'text', text: 'x' }, stop],
    ],
    [
      'without [DONE] when it has a finish reason',
      answer({ text: 'x', done: false }),
      [{ type: 'text', text: 'x' }, usage, stop],
    ],
    [
      'when the connection is cut after its finish reason',
      ending(answer({ text: 'x', usage: null, done: false }), 'drop'),
      [{ type: 'text', text: 'x' }, stop],
    ],
    [
      'without a finish reason when [DONE] came',
      answer({ text: 'x', finish: null }),
      [{ type: 'text', text: 'x' }, usage, { type: 'finish', reason: 'stop', assumed: true }],
    ],
    [
      'when [DONE] lacks its blank line',
      raw([delta({ content: 'x' }), 'data: [DONE]']),
      [
        { type: 'text', text: 'x' },
        { type: 'finish', reason: 'stop', assumed: true },
      ],
    ],
    [
      'up to [DONE] and no further',
      raw([delta({ content: 'x' }, 'stop'), 'data: [DONE]\n\n', delta({ content: 'y' })]),
      [{ type: 'text', text: 'x' }, stop],
    ],
    [
      'although it is no stream but one completion',
      json({
        choices: [
          {
            index: 0,
            message: {
              role: 'assistant',
              content: 'x',
              tool_calls: [{ id: 'a', type: 'function', function: { name: 'f', arguments: '{}' } }],
            },
            finish_reason: 'tool_calls',
          },
        ],
        usage: { prompt_tokens: 7, completion_tokens: 5 },
      }),
      [
        { type: 'text', text: 'x' },
        { type: 'call', id: 'a', name: 'f', json: '{}' },
        usage,
        { type: 'finish', reason: 'tool_calls' },
      ],
    ],
    [
      'although a stream is declared as JSON',
      { ...answer({ text: 'x' }), headers: { 'content-type': 'application/json' } },
      [{ type: 'text', text: 'x' }, usage, stop],
    ],
  ]
  test.each(cases)('%s', async (_, script, expected) => {
    const { upstream } = await startBoth([script])
    const { events, thrown } = await listen(upstream)
    expect(thrown).toBeUndefined()
    expect(events).toEqual(expected)
  })
})

test.each([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['STOP', 'stop'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['tool_use', 'tool_calls'],
  ['content_filter', 'content_filter'],
])('finish reason %s is %s', async (word, reason) => {
  const { upstream } = await startBoth([answer({ finish: word, usage: null })])
  expect((await listen(upstream)).events).toEqual([{ type: 'finish', reason }])
})

test('an unknown finish reason is a stop, and noted', async () => {
  const { upstream } = await startBoth([answer({ finish: 'sunset', usage: null })])
  expect((await listen(upstream)).events).toEqual([
    { type: 'note', kind: 'unknown_finish_reason', detail: 'sunset' },
    stop,
  ])
})

test.each([1, 2, 3, 5, 11, 'one'] as const)('packets of %s bytes change nothing', async (size) => {
  const script = answer({
    reasoning: 'hm – 漢',
    text: ['grün ', '🐉', '…'],
    calls: [{ name: 'f', arguments: '{"x":"🐉"}' }],
  })
  const { upstream } = await startBoth([script, cutInto(script, size)])
  const expected = (await listen(upstream)).events
  expect(expected.length).toBeGreaterThan(5)
  expect((await listen(upstream)).events).toEqual(expected)
})

test.each([
  ['in one HTTP chunk', cutInto(answer({ text: ['a', 'b', 'c'] }), 'one')],
  ['in several HTTP chunks', { ...answer({ text: ['a', 'b', 'c'] }), together: true }],
])('what arrives in one packet, %s, comes in one piece, its end included', async (_, script) => {
  const { upstream } = await startBoth([script])
  const { reads } = await listen(upstream)
  expect(reads.map((read) => read.map((item) => item.type))).toEqual([['text', 'text', 'text', 'usage', 'finish']])
})

test.each([
  ['[DONE]', answer({ text: 'x' })],
  ['a finish reason', answer({ text: 'x', done: false })],
])('who stays silent after %s is not waited for', async (_, script) => {
  const { upstream, double } = await startBoth([ending(script, 'hang')], { timeouts: { ...timeouts, idleMs: 30 } })
  const { events, thrown } = await listen(upstream)
  expect([thrown, events.at(-1)]).toEqual([undefined, stop])
  expect(await double.requests[0]?.over).toBe('aborted')
})

describe('a failure is thrown as what it is', () => {
  const page = { ...raw('<!doctype html><html></html>'), headers: { 'content-type': 'text/html' } }
  const cases: [string, Script, string][] = [
    ['a web page', page, 'upstream_malformed'],
    ['text that is no stream', raw('Hello there'), 'upstream_malformed'],
    ['lines of JSON', raw('{"message":{"content":"a"}}\n{"done":true}\n'), 'upstream_malformed'],
    ['an event that is no JSON', raw(['data: {"choices":[\n\n']), 'upstream_malformed'],
    ['an event that is no object', raw(['data: 7\n\n']), 'upstream_malformed'],
    ['unasked compression', { ...answer(), headers: { 'content-encoding': 'gzip' } }, 'upstream_malformed'],
    ['an empty body', raw([]), 'upstream_truncated'],
    ['an end without [DONE] and finish reason', answer({ text: 'x', finish: null, done: false }), 'upstream_truncated'],
    [
      'a connection cut inside an event',
      ending(raw([delta({ content: 'x' }), 'data: {"cho']), 'drop'),
      'upstream_truncated',
    ],
    ['a connection cut before the answer', ending(silence, 'drop'), 'upstream_unreachable'],
    [
      'an error inside the stream',
      raw(['data: {"error":{"message":"boom","code":500}}\n\n', 'data: [DONE]\n\n']),
      'upstream_error',
    ],
    [
      'a flat error inside the stream',
      raw(['data: {"object":"error","message":"maximum context length","code":400}\n\n']),
      'context_length_exceeded',
    ],
    ['an error as JSON with status 200', json({ error: { message: 'slow down', code: 429 } }), 'rate_limit_exceeded'],
    ['a finish reason that means it broke off', answer({ finish: 'abort' }), 'upstream_error'],
    ['a redirect', refusal(302, '', { location: 'http://127.0.0.1:1/' }), 'upstream_error'],
    ['an HTTP error', refusal(400, { error: { message: 'no' } }), 'upstream_rejected'],
    ['an HTTP error that never ends its words', ending(refusal(503, 'no'), 'drop'), 'upstream_overloaded'],
    ['headers without end', { ...answer(), headers: { 'x-much': 'x'.repeat(40_000) } }, 'upstream_malformed'],
  ]
  test.each(cases)('%s', async (_, script, code) => {
    const { upstream, double } = await startBoth([script])
    const { thrown } = await listen(upstream)
    expect(thrown).toMatchObject({ name: 'GatewayError', code })
    expect(double.requests).toHaveLength(1)
  })

  test('nobody is listening', async () => {
    const { double, upstream } = await startBoth([])
    await double.close()
    expect((await listen(upstream)).thrown).toMatchObject({ code: 'upstream_unreachable' })
  })

  test('after what was said before it', async () => {
    const { upstream } = await startBoth([cutInto(raw([delta({ content: 'x' }), 'data: {"error":"boom"}\n\n']), 'one')])
    const { events, thrown } = await listen(upstream)
    expect(events).toEqual([{ type: 'text', text: 'x' }])
    expect(thrown).toMatchObject({ code: 'upstream_error', message: 'local: boom' })
  })

  test('with its patience and without the key', async () => {
    const script = refusal(429, { error: { message: 'Key secret-key-1 is slow' } }, { 'retry-after': '9' })
    const { upstream } = await startBoth([script], { key: 'secret-key-1' })
    const { thrown } = await listen(upstream)
    expect(thrown).toMatchObject({
      code: 'rate_limit_exceeded',
      message: 'local: Key [redacted] is slow',
      retryAfterSeconds: 9,
    })
  })
})

test.each([1_000, 4_096, 65_536])(
  'events that differ in one string are not parsed one by one, where reads of %i bytes cut them too',
  (size) => {
    const words = Array.from({ length: 2000 }, (_, n) => ` word${n}`)
    const bytes = Buffer.from(words.map((content) => delta({ content })).join(''))
    const reader = new AnswerReader('local', () => new GatewayError('upstream_error', 'it said so'))
    const parse = vi.spyOn(JSON, 'parse')
    const events: UpstreamEvent[] = []
    for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size), events)
    const parsed = parse.mock.calls.length
    parse.mockRestore()
    expect(events).toEqual(words.map((text) => ({ type: 'text', text })))
    // One for each that was cut, and a few to learn how they look.
    expect(parsed).toBeLessThan(bytes.length / size + 20)
  },
)
