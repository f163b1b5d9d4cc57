import { expect, test } from 'vitest'
import { GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { UpstreamEvent } from '../upstream.ts'
import { createOllamaReader, toOllamaBody } from './ollama-chat.ts'

const bare: JsonObject = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], stream: true }
const base = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], stream: true, truncate: false }

test.each<[string, JsonObject, JsonObject]>([
  ['nothing', {}, { options: { num_ctx: 8192 } }],
  [
    'sampling',
    { temperature: 0.5, top_p: 0.9, seed: 7, stop: ['x'], max_tokens: 9, top_k: 3 },
    { options: { temperature: 0.5, top_p: 0.9, seed: 7, stop: ['x'], num_predict: 9, top_k: 3, num_ctx: 8192 } },
  ],
  [
    'a schema',
    { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'object' } } } },
    { format: { type: 'object' }, options: { num_ctx: 8192 } },
  ],
  ['JSON', { response_format: { type: 'json_object' } }, { format: 'json', options: { num_ctx: 8192 } }],
  ['an effort', { reasoning_effort: 'high' }, { think: 'high', options: { num_ctx: 8192 } }],
  ['no effort', { reasoning_effort: 'none' }, { think: false, options: { num_ctx: 8192 } }],
  [
    'tools',
    { tools: [{ type: 'function' }], tool_choice: 'auto' },
    { tools: [{ type: 'function' }], options: { num_ctx: 8192 } },
  ],
])('a request with %s in its words', (_, given, expected) => {
  expect(toOllamaBody({ ...bare, ...given }, 8192)).toEqual({ ...base, ...expected })
})

test('a conversation with calls, results and a picture in its words', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"/a"}' } }
  const url = 'data:image/png;base64,QUJD'
  const messages = [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'See' },
        { type: 'image_url', image_url: { url } },
      ],
    },
    { role: 'assistant', content: null, reasoning_content: 'Hm.', tool_calls: [call] },
    { role: 'tool', tool_call_id: 'c1', content: 'text' },
  ]
  expect(toOllamaBody({ model: 'm', messages }, 512)['messages']).toEqual([
    { role: 'user', content: 'See', images: ['QUJD'] },
    {
      role: 'assistant',
      content: '',
      thinking: 'Hm.',
      tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { path: '/a' } } }],
    },
    { role: 'tool', content: 'text', tool_call_id: 'c1', tool_name: 'read' },
  ])
})

test('a picture behind a link is refused with its place', () => {
  const messages = [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://x/y.png' } }] }]
  expect(() => toOllamaBody({ model: 'm', messages }, 512)).toThrow(
    expect.objectContaining({ code: 'unsupported_parameter', param: 'messages[0].content' }),
  )
})

const line = (value: object) => `${JSON.stringify({ model: 'tiny', ...value })}\n`
const says = (message: object) => line({ message: { role: 'assistant', ...message }, done: false })
const done = (reason: string) => line({ done: true, done_reason: reason, prompt_eval_count: 7, eval_count: 5 })

function read(text: string, size: number): readonly UpstreamEvent[] {
  const reader = createOllamaReader('local', (body) => new GatewayError('upstream_rejected', String(body['error'])))
  const events: UpstreamEvent[] = []
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += size) reader.push(bytes.subarray(at, at + size), events)
  reader.end(events)
  return events
}

const usage = { type: 'usage', promptTokens: 7, completionTokens: 5 }

test.each([1, 3, 1000])('an answer is read in pieces of %i bytes', (size) => {
  const text = says({ thinking: 'Hm.' }) + says({ content: 'Grüße' }) + done('stop')
  expect(read(text, size)).toEqual([
    { type: 'reasoning', text: 'Hm.' },
    { type: 'text', text: 'Grüße' },
    usage,
    { type: 'finish', reason: 'stop' },
  ])
})

test('calls have arguments as JSON and places of their own', () => {
  const made = (path: string) => ({ function: { name: 'read', arguments: { path } } })
  const text = says({ content: '', tool_calls: [made('/a')] }) + says({ tool_calls: [made('/b')] }) + done('stop')
  expect(read(text, 1000)).toEqual([
    { type: 'call', index: 0, name: 'read', json: '{"path":"/a"}' },
    { type: 'call', index: 1, name: 'read', json: '{"path":"/b"}' },
    usage,
    { type: 'finish', reason: 'tool_calls' },
  ])
})

test('an answer that was cut off says so', () => {
  expect(read(says({ content: 'a' }) + done('length'), 7).at(-1)).toEqual({ type: 'finish', reason: 'length' })
})

test.each<[string, string, string]>([
  ['an error in the middle', says({ content: 'a' }) + line({ error: 'no memory' }), 'upstream_rejected'],
  ['an end without one', says({ content: 'a' }), 'upstream_truncated'],
  ['nothing', '', 'upstream_truncated'],
  ['a line that is no JSON', 'oops\n', 'upstream_malformed'],
  ['a line that is no object', '5\n', 'upstream_malformed'],
])('%s is thrown as what it is', (_, text, code) => {
  expect(() => read(text, 5)).toThrow(expect.objectContaining({ code }))
})
