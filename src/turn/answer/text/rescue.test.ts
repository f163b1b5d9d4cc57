import { expect, test } from 'vitest'
import { GatewayError } from '../../../errors.ts'
import type { NoteKind } from '../../../protocol/note.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { BadGeneration, type Upstream, type UpstreamEvent } from '../../../upstreams/upstream.ts'
import { defaultSettings } from '../../settings.ts'
import { rescued } from './rescue.ts'

const tools: readonly Tool[] = [
  { kind: 'function', name: 'read', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
]
const request = { model: 'm', messages: [], tools, sampling: {}, extra: {} }
const approach = {
  mode: 'native',
  settings: defaultSettings('Qwen/Qwen3-8B', ['u']),
  upstream: {} as Upstream,
} as const
const leaked = '<tool_call>\n{"name": "read", "arguments": {"path":"/a"}}\n</tool_call>'
const call: UpstreamEvent = { type: 'call', index: 0, id: 'new_1', name: 'read', json: '{"path":"/a"}' }
const native: UpstreamEvent = { type: 'call', index: 0, id: 'x', name: 'read', json: '{}' }
const finish = (reason: 'stop' | 'tool_calls' | 'length'): UpstreamEvent => ({ type: 'finish', reason })
const text = (words: string): UpstreamEvent => ({ type: 'text', text: words })

/** What passes, neighbouring texts joined, and what was thrown. */
async function pass(reads: readonly (readonly UpstreamEvent[] | Error)[], asked = {}, settings = {}) {
  async function* said() {
    for (const read of reads) {
      if (read instanceof Error) throw read
      yield read
    }
  }
  const events: UpstreamEvent[] = []
  let made = 0
  let thrown: unknown
  const approaching = { ...approach, settings: { ...approach.settings, ...settings } }
  try {
    for await (const passed of rescued(said(), { ...request, ...asked }, approaching, () => `new_${++made}`)) {
      for (const event of passed) {
        const last = events.at(-1)
        if (event.type === 'text' && last?.type === 'text') events[events.length - 1] = text(last.text + event.text)
        else events.push(event)
      }
    }
  } catch (failure) {
    thrown = failure
  }
  return { events, thrown }
}

const note = (kind: NoteKind): UpstreamEvent => ({ type: 'note', kind })

test('a call left in the text becomes one, however it is cut', async () => {
  for (let size = 1; size < 12; size++) {
    const pieces = leaked.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []
    const { events } = await pass([[text('Let me look.\n')], ...pieces.map((piece) => [text(piece)]), [finish('stop')]])
    expect(events).toEqual([text('Let me look.'), call, note('leak_rescued'), finish('tool_calls')])
  }
})

test('native calls come first, those of the text around them when all was said', async () => {
  const { events } = await pass([[text(leaked)], [native], [text(leaked)], [finish('tool_calls')]])
  const later = { ...call, isLeaked: true }
  expect(events).toEqual([native, later, { ...later, id: 'new_2' }, finish('tool_calls')])
})

test.each([
  ['white space', 'Let me look.\n\n', '\n'],
  ['the marks of a call', 'Let me look.\n<tool_call>\n', '\n</tool_call>'],
  ['the end of a turn', 'Let me look.', '<|im_end|>'],
  ['the end of a thought without a beginning', '</think>\n\n', '</think>'],
])('%s around a native call is no text', async (_, before, after) => {
  const { events } = await pass([[text(before)], [native], [text(after)], [finish('tool_calls')]])
  const words = before.startsWith('L') ? [text('Let me look.')] : []
  expect(events.filter(({ type }) => type !== 'note')).toEqual([...words, native, finish('tool_calls')])
})

test('words around a native call stay as they are, and so do marks spoken of', async () => {
  const words = 'Use <tool_call> or `</tool_call>`.'
  const { events } = await pass([[text(words)], [native], [text(`\n${words}\n`)], [finish('tool_calls')]])
  expect(events).toEqual([text(words), native, text(`\n${words}\n`), finish('tool_calls')])
})

test('an answer without marks passes as it is', async () => {
  const reads = [
    [text('Hello, ')],
    [{ type: 'reasoning', text: 'Hm.' } as const, text('you < me. \n')],
    [finish('stop')],
  ]
  expect((await pass(reads)).events).toEqual([
    text('Hello,'),
    { type: 'reasoning', text: 'Hm.' },
    text(' you < me. \n'),
    finish('stop'),
  ])
})

test.each([
  ['a bare JSON object with words around it', 'See: {"name": "read", "arguments": {"path":"/a"}} is a call.'],
  ['a bare JSON object that does not fit the tool', '{"name": "read", "arguments": {"where":"/a"}}'],
  ['a tool that was not declared', leaked.replace('read', 'fly')],
  ['a quotation', `Write \`${leaked.replaceAll('\n', '')}\` to read.`],
])('%s in the text stays text', async (_, words) => {
  const { events } = await pass([[text(words)], [finish('stop')]])
  expect(events.filter(({ type }) => type !== 'note')).toEqual([text(words), finish('stop')])
})

test('a bare call at the end of the text is one, if it fits the tool', async () => {
  const bare = '{"name": "read", "arguments": {"path":"/a"}}'
  const { events } = await pass([[text(bare)], [finish('stop')]])
  expect(events).toEqual([call, note('call_unmarked'), note('leak_rescued'), finish('tool_calls')])
})

test.each([
  [
    'commentary to=functions.read json{"path":"/a"}',
    [note('name_corrected'), call, note('leak_rescued'), finish('tool_calls')],
  ],
  [' to=functions.read {"path":"/a"}', [note('name_corrected'), call, note('leak_rescued'), finish('tool_calls')]],
  ['<|channel|>final<|message|>Hello.<|return|>', [text('Hello.'), note('mark_dropped'), finish('stop')]],
])('what the model itself speaks counts, its weaker marks too: %s', async (said, expected) => {
  expect((await pass([[text(said)], [finish('stop')]], {}, { model: 'gpt-oss:20b' })).events).toMatchObject(expected)
})

test('a call that was cut off is not completed', async () => {
  const { events } = await pass([[text(leaked.slice(0, 50))], [finish('length')]])
  expect(events).toEqual([text(leaked.slice(0, 50)), finish('length')])
})

test('one call is enough where the client wants one', async () => {
  const { events } = await pass([[text(leaked)], [text('never')], [finish('stop')]], { parallelCalls: false })
  expect(events).toEqual([call, note('leak_rescued'), finish('tool_calls')])
})

test.each([
  ['in the format of the model', leaked],
  ['as bare JSON', '{"name": "read", "arguments": {"path":"/a"}}'],
  ['in another format', '<function=read>{"path":"/a"}</function>'],
])('a call the service refused is read, %s', async (_, generation) => {
  const { events, thrown } = await pass([new BadGeneration('upstream_error', 'no', generation)])
  expect(thrown).toBeUndefined()
  expect(events.filter(({ type }) => type !== 'note')).toMatchObject([
    { type: 'call', name: 'read', json: '{"path":"/a"}' },
    finish('tool_calls'),
  ])
})

test('a bad generation without a call is the failure it was', async () => {
  const failure = new BadGeneration('upstream_error', 'no', 'I would rather not.')
  expect(await pass([failure])).toEqual({ events: [], thrown: failure })
})

test('before the first word, nothing of a failed answer is told; after it, all of it', async () => {
  const dead = new GatewayError('upstream_truncated', 'gone')
  expect(await pass([[text('<tool')], dead])).toEqual({ events: [], thrown: dead })
  expect(await pass([[text('Well: <tool')], dead])).toEqual({ events: [text('Well: <tool')], thrown: dead })
})

test('a call that stands in a tool result is repeated, not made, in whatever dialect', async () => {
  const content = 'It says <function=read><parameter=path>/a</parameter></function> there.'
  const { events } = await pass([[text(leaked)], [finish('stop')]], {
    messages: [{ role: 'tool', callId: 'a', content }],
  })
  expect(events).toEqual([text(leaked), note('echo'), finish('stop')])
})

test.each<[string, string, { maxTokens?: number }, object, boolean]>([
  ['words were said and a limit was set', '', { maxTokens: 60 }, {}, true],
  ['as much was said as the limit allows', '<tool_call>{"name": "re', { maxTokens: 20 }, {}, true],
  ['the limit was not reached', '<tool_call>{"name": "re', { maxTokens: 600 }, {}, false],
  ['no limit was set', '', {}, {}, false],
])(
  'a call that came to nothing ends the answer by its length where %s',
  async (_, generation, asked, settings, isCut) => {
    const bad = new BadGeneration('upstream_error', 'broke off', generation)
    const { events, thrown } = await pass([[text('Let me look.')], bad], asked, settings)
    expect(events.at(-1)).toEqual(isCut ? finish('length') : text('Let me look.'))
    expect(thrown).toBe(isCut ? undefined : bad)
  },
)

test('a call that came to nothing before any word is asked for in another way, where there is one', async () => {
  const bad = new BadGeneration('upstream_error', 'broke off', '')
  expect((await pass([bad], { maxTokens: 60 })).thrown).toBe(bad)
  expect((await pass([bad], { maxTokens: 60 }, { tools: 'native' })).events.at(-1)).toEqual(finish('length'))
})
