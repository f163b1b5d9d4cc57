import { describe, expect, test } from 'vitest'
import type { Beat } from '../../src/traces/exchange.ts'
import { marksOfSpans } from './calls/marks.ts'
import { toCurl } from './curl.ts'
import { bucketsOf, holdsOf } from './figures/flow.ts'
import { blocksOf, settingsOf, toolsOf } from './panes/blocks.ts'

const parameters = { type: 'object' }

describe('a request of any API is a list of messages', () => {
  test.each<[string, object]>([
    [
      "OpenAI's chat",
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: [{ type: 'text', text: 'Read a.' }] },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'c1', type: 'function', function: { name: 'read', arguments: '{"path":"a"}' } }],
          },
          { role: 'tool', tool_call_id: 'c1', content: 'A!' },
        ],
      },
    ],
    [
      'Responses',
      {
        instructions: 'Be brief.',
        input: [
          { role: 'user', content: [{ type: 'input_text', text: 'Read a.' }] },
          { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{"path":"a"}' },
          { type: 'function_call_output', call_id: 'c1', output: 'A!' },
        ],
      },
    ],
    [
      'Messages',
      {
        system: [{ type: 'text', text: 'Be brief.' }],
        messages: [
          { role: 'user', content: 'Read a.' },
          { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'read', input: { path: 'a' } }] },
          { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'c1', content: 'A!' }] },
        ],
      },
    ],
    [
      "Ollama's",
      {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Read a.' },
          {
            role: 'assistant',
            content: '',
            tool_calls: [{ id: 'c1', function: { name: 'read', arguments: { path: 'a' } } }],
          },
          { role: 'tool', tool_name: 'c1', content: 'A!' },
        ],
      },
    ],
  ])('%s', (_api, body) => {
    expect(blocksOf(body).map(({ role, text, turn }) => [role, text, turn])).toEqual([
      ['system', 'Be brief.', 0],
      ['user', 'Read a.', 0],
      ['assistant', '', 0],
      ['tool', 'A!', 1],
    ])
    expect(blocksOf(body)[2]?.calls).toEqual([{ id: 'c1', name: 'read', arguments: '{"path":"a"}' }])
    expect(blocksOf(body)[3]?.callId).toBe('c1')
  })

  test.each<[unknown]>([[undefined], [null], ['text'], [[]], [{ messages: 'no' }], [{ messages: [null, 4] }]])(
    '%j has none',
    (body) => {
      expect(blocksOf(body)).toEqual([])
    },
  )

  test('an image is named, not shown', () => {
    const body = {
      messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'http://x/y.png' } }] }],
    }
    expect(blocksOf(body)[0]?.text).toBe('[image_url]')
  })
})

test.each<[string, object]>([
  ['chat', { type: 'function', function: { name: 'read', description: 'Reads', parameters } }],
  ['responses', { type: 'function', name: 'read', description: 'Reads', parameters }],
  ['messages', { name: 'read', description: 'Reads', input_schema: parameters }],
])('a tool of %s, with what it takes', (_api, tool) => {
  expect(toolsOf({ tools: [tool] })).toMatchObject([{ name: 'read', description: 'Reads', value: parameters }])
  expect(toolsOf({ tools: [tool, { ...tool, more: 'x'.repeat(390) }] })[1]?.tokens).toBe(
    100 + Math.round(JSON.stringify(tool).length / 4),
  )
})

test('the rest of a request is its settings', () => {
  expect(settingsOf({ model: 'm', messages: [], tools: [], stream: true })).toEqual([
    ['model', 'm'],
    ['stream', true],
  ])
})

test('a curl command survives quotes, and leaves out what curl writes itself', () => {
  const headers = [
    { name: 'Host', value: 'x' },
    { name: 'content-type', value: 'application/json' },
    { name: 'sec-fetch-site', value: 'same-origin' },
  ]
  const text = `{"content": "it's $HOME \`x\`"}`
  const asked = {
    method: 'POST',
    url: '/v1/chat/completions',
    headers,
    tools: [],
    body: { text, length: 1, isTruncated: false },
  }
  expect(toCurl(asked, 'http://127.0.0.1:8484')).toBe(
    [
      "curl 'http://127.0.0.1:8484/v1/chat/completions'",
      "-H 'content-type: application/json'",
      `--data-raw '{"content": "it'\\''s $HOME \`x\`"}'`,
    ].join(' \\\n  '),
  )
})

test.each<[string, readonly Beat[], readonly Beat[], readonly (readonly [number, number, number])[]]>([
  [
    'all passes at once',
    [
      [10, 4],
      [20, 4],
    ],
    [
      [11, 9],
      [21, 9],
    ],
    [],
  ],
  [
    'one stretch is held',
    [
      [10, 4],
      [20, 4],
      [90, 4],
      [100, 4],
    ],
    [
      [11, 9],
      [101, 9],
    ],
    [[20, 101, 12]],
  ],
  [
    'held to the end',
    [
      [10, 4],
      [20, 4],
      [90, 4],
    ],
    [[11, 9]],
    [[20, 90, 8]],
  ],
  ['nothing came', [], [[1, 9]], []],
  [
    'the client got nothing',
    [
      [10, 4],
      [90, 4],
    ],
    [],
    [[10, 90, 8]],
  ],
])('%s', (_what, said, got, expected) => {
  expect(holdsOf(said, got).map(({ from, to, length }) => [from, to, length])).toEqual(expected)
})

test('what came is counted in stretches of time, the last moment included', () => {
  expect(
    bucketsOf(
      [
        [0, 1],
        [49, 2],
        [50, 4],
        [100, 8],
      ],
      100,
      2,
    ),
  ).toEqual([3, 12])
})

test('spans become marks; plain words and white space do not', () => {
  const text = 'Hi  <x>{}</x> <y>'
  const marks = marksOfSpans(text, [
    { kind: 'text', from: 0, to: 2 },
    { kind: 'dropped', from: 2, to: 4, why: 'edge' },
    { kind: 'call', from: 4, to: 13, index: 0 },
    { kind: 'text', from: 13, to: 17, why: 'no-call' },
  ])
  expect(marks.map(({ kind, label, call }) => [kind, label, call])).toEqual([
    ['call', 'call 1', 0],
    ['refused', '≠ only a mark', undefined],
  ])
})
