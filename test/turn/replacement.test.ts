import { expect, test } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'

const weather: Tool = {
  kind: 'function',
  name: 'get_weather',
  parameters: { type: 'object', properties: { location: { type: 'string' } } },
}
const call = '<tool_call>\n<name>get_weather</name>\n<arguments>{"location": "SF"}</arguments>\n</tool_call>'

const text = (words: string): UpstreamEvent => ({ type: 'text', text: words })
const replace = (words: string): UpstreamEvent => ({ type: 'replace', text: words })

/** What the client gets of a service that says these reads and finishes. */
async function hear(reads: readonly (readonly UpstreamEvent[])[], tools: readonly Tool[]) {
  const upstream: Upstream = {
    name: 'fickle',
    kind: 'fickle',
    async *chat() {
      yield* reads
      yield [{ type: 'finish', reason: 'stop' }]
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
  const turns = createTurns({
    upstreams: new Map([['fickle', upstream]]),
    models: [{ ...defaultSettings('model', ['fickle']), tools: 'prompt', dialect: 'xml-name-args' }],
    newId: () => 'call_1',
  })
  const events: Event[] = []
  let thrown: unknown
  try {
    const request = {
      model: 'model',
      messages: [{ role: 'user', content: 'Hi' } as const],
      tools,
      sampling: {},
      extra: {},
    }
    const turn = await turns.start(request, { signal: new AbortController().signal })
    for await (const batch of turn.events) events.push(...batch)
  } catch (error) {
    thrown = error
  }
  return { ...fold(events), thrown }
}

test.each<[string, readonly (readonly UpstreamEvent[])[], readonly Tool[], object]>([
  ['that goes on from what was said', [[text('Let me')], [replace('Let me see.')]], [], { content: 'Let me see.' }],
  ['of what was held back', [[text('<tool_ca')], [replace('Sunny.')]], [weather], { content: 'Sunny.' }],
  ['of what came in the same read', [[text('Thinking…'), replace('Sunny')], [text('.')]], [], { content: 'Sunny.' }],
  [
    'of several in the same read',
    [[text('One')], [replace('Two'), text('x'), replace('One more')]],
    [],
    { content: 'One more' },
  ],
  [
    'of the part that was held back',
    [[text('Well.\n<tool_call>\n<na')], [replace('Well. ')], [text(`Then:\n${call}`)]],
    [weather],
    { content: 'Well. Then:', calls: [{ name: 'get_weather' }], finish: 'tool_calls' },
  ],
  [
    'that comes to what has left in small steps',
    [[text('Well, yes')], [replace('')], [text('Well')], [text(', ye')], [text('s, sunny.')]],
    [],
    { content: 'Well, yes, sunny.' },
  ],
  [
    'of words that left piece by piece, one of them held back',
    [[text('Well')], [text(', ')], [text('yes')], [text(' <')], [replace('')], [text('Well, yes')], [text(', sunny.')]],
    [weather],
    { content: 'Well, yes, sunny.' },
  ],
  [
    'of one that has not come to what has left',
    [[text('Well, yes')], [replace('')], [text('We')], [replace('')], [text('Well, yes.')]],
    [weather],
    { content: 'Well, yes.' },
  ],
])('a replacement %s is followed', async (_, reads, tools, expected) => {
  expect(await hear(reads, tools)).toMatchObject({ finish: 'stop', thrown: undefined, ...expected })
})

test.each<[string, readonly (readonly UpstreamEvent[])[], readonly Tool[], string]>([
  ['of what has left', [[text('Thinking…')], [replace('Sunny.')]], [], 'Thinking…'],
  ['shorter than what has left', [[text('Sunny, I think.')], [replace('Sunny')]], [], 'Sunny, I think.'],
  ['with a call before what has left', [[text('Thinking')], [replace(call)]], [weather], 'Thinking'],
  [
    'of one that has not come to what has left, by something else,',
    [[text('Well, yes')], [text('!')], [replace('')], [text('We')], [replace('Well, no')]],
    [weather],
    'Well, yes!',
  ],
  ['after a call has begun to leave', [[text(call.slice(0, -5))], [replace('No.')]], [weather], ''],
])('a replacement %s is a failure', async (_, reads, tools, content) => {
  const heard = await hear(reads, tools)
  expect(heard).toMatchObject({ content, finish: undefined, thrown: { code: 'upstream_error' } })
})
