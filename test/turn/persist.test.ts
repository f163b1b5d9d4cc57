import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { inUsualOrder, type Message, textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const announced = 'Now I will read the file:'
const json = '{"path": "a"}'
const usage: UpstreamEvent = { type: 'usage', promptTokens: 100, completionTokens: 10 }

const calls = (way: 'native' | 'prompt', words = ''): Script =>
  way === 'prompt'
    ? says(`${words}<tool_call>\n{"name": "read", "arguments": ${json}}\n</tool_call>`, 7)
    : [
        [{ type: 'text', text: words }],
        [{ type: 'call', index: 0, id: 'n0', name: 'read', json }],
        [usage, { type: 'finish', reason: 'tool_calls' }],
      ]

interface Options {
  readonly settings?: Partial<ModelSettings>
  readonly request?: Partial<Request>
  readonly messages?: readonly Message[]
}

async function answer(scripts: readonly Script[], { settings = {}, request = {}, messages }: Options = {}) {
  const upstream = createScripted(scripts)
  const turns = turnsOver(upstream, { dialect: 'hermes', tools: 'native', persist: 'auto', ...settings })
  const asked = toRequest(messages ?? 'Read the file.', { tools: [read], ...request })
  const events = await collect(await turns.start(asked, context))
  return { upstream, events, ...fold(events) }
}

describe.each(['native', 'prompt'] as const)('a turn that ends for nothing, in mode %s', (tools) => {
  test.each([
    ['an empty answer', '', ''],
    ['white space', ' \n', ' \n'],
    ['an announced call', announced, announced],
  ])('%s is asked to go on, and the call follows', async (_, said, text) => {
    const result = await answer([says(said, 5), calls(tools, 'Sure, here it is. ')], { settings: { tools } })
    expect(result.calls.map(({ arguments: made }) => JSON.parse(made))).toEqual([{ path: 'a' }])
    expect(result.finish).toBe('tool_calls')
    expect(result.notes).toContain('persisted')
    expect(result.text.startsWith(text)).toBe(true)
    // What is said to the hidden question is not shown behind what was said before.
    if (said === announced) expect(result.text.trim()).toBe(announced)
  })

  test('the question is appended: all that was sent before stays as it was', async () => {
    const { upstream } = await answer([says(announced), calls(tools)], { settings: { tools } })
    const [first, second] = upstream.asked
    expect(second?.messages.slice(0, first?.messages.length)).toEqual(first?.messages)
    expect(second?.messages.slice(first?.messages.length).map(({ role }) => role)).toEqual(['assistant', 'user'])
    expect(second?.tools).toEqual(first?.tools)
    expect(textOf(second?.messages.at(-1)?.content ?? '')).toContain('The request was: Read the file.')
  })

  test('words instead of a call are the answer', async () => {
    const empty = await answer([says(''), says('The word is heron.', 4)], { settings: { tools } })
    expect(empty).toMatchObject({ text: 'The word is heron.', calls: [], finish: 'stop' })
    const after = await answer([says(announced), says('The word is heron.', 4)], { settings: { tools } })
    expect(after.text).toBe(`${announced}\n\nThe word is heron.`)
  })

  test('said twice is shown once, and the model asked as often as the setting says', async () => {
    const { text, upstream, notes, finish } = await answer([says(announced), says(announced), says(announced)], {
      settings: { tools, persist: 2 },
    })
    expect({ text, finish, asked: upstream.asked.length }).toEqual({ text: announced, finish: 'stop', asked: 3 })
    expect(notes).toContain('persist_failed')
  })

  test('without the setting it is only noted', async () => {
    for (const [said, kind] of [
      [announced, 'announced_call'],
      ['', 'empty_answer'],
    ] as const) {
      const { text, notes, upstream } = await answer([says(said)], { settings: { tools, persist: 'off' } })
      expect({ text, asked: upstream.asked.length }).toEqual({ text: said, asked: 1 })
      expect(notes).toContain(kind)
    }
  })
})

test('words leave at once; only the end waits for the second answer', async () => {
  let asked = 0
  const upstream = createScripted([says(announced, 8), calls('native')])
  const counting = {
    ...upstream,
    chat: (...put: Parameters<typeof upstream.chat>) => {
      asked += 1
      return upstream.chat(...put)
    },
  }
  const turns = turnsOver(counting, { tools: 'native', persist: 'auto' })
  const turn = await turns.start(toRequest('Go.', { tools: [read] }), context)
  let early = ''
  for await (const batch of turn.events) {
    for (const event of batch) if (event.type === 'text-delta' && asked === 1) early += event.text
  }
  expect({ early, asked }).toEqual({ early: announced, asked: 2 })
})

test('the thoughts before an announcement go back with it', async () => {
  const first: Script = [
    [{ type: 'reasoning', text: 'The file has it.' }],
    [{ type: 'text', text: announced }],
    [{ type: 'finish', reason: 'stop' }],
  ]
  const { upstream, reasoning } = await answer([first, calls('native')])
  expect(reasoning).toBe('The file has it.')
  expect(upstream.asked[1]?.messages.at(-2)).toEqual({
    role: 'assistant',
    content: inUsualOrder({ content: announced, reasoning: 'The file has it.' }),
  })
})

test('both askings are paid for, and told once', async () => {
  const first: Script = [[{ type: 'text', text: announced }], [usage, { type: 'finish', reason: 'stop' }]]
  const { events } = await answer([first, calls('native')])
  const told = events.filter(({ type }) => type === 'usage' || type === 'finish')
  expect(told).toEqual([
    { type: 'usage', promptTokens: 200, completionTokens: 20 },
    { type: 'finish', reason: 'tool_calls' },
  ])
})

test('a service that refuses the second question leaves the first answer as it is', async () => {
  const refusal = new GatewayError('upstream_error', 'No.')
  const { text, finish, notes } = await answer([says(announced), [refusal]])
  expect({ text, finish }).toEqual({ text: announced, finish: 'stop' })
  expect(notes).toEqual(expect.arrayContaining(['announced_call', 'repair_refused']))
})

const cut: Script = [[{ type: 'text', text: announced }], [{ type: 'finish', reason: 'length' }]]

test.each<readonly [string, Script, Options]>([
  ['conversation', says('Why do programmers prefer dark mode? Because light attracts bugs!'), {}],
  ['an offer', says('I can read the file if you like.'), {}],
  ['a question', says('Which file should I read?'), {}],
  ['an answer cut off by its limit', cut, {}],
  ['an answer that the client’s own stop ended', says(`${announced} END`), { request: { stop: ['END'] } }],
  ['an answer without tools', says(announced), { request: { tools: [] } }],
  ['an answer that may not call', says(announced), { request: { toolChoice: { mode: 'none' } } }],
])('%s is left alone', async (_, script, options) => {
  const { upstream, notes } = await answer([script, says('again')], options)
  expect(upstream.asked).toHaveLength(1)
  expect(notes).not.toContain('announced_call')
})

const result = (content: string): readonly Message[] => [
  { role: 'user', content: 'Fix it.' },
  {
    role: 'assistant',
    content: inUsualOrder({ calls: [{ id: 'c', kind: 'function', name: 'read', arguments: json }] }),
  },
  { role: 'tool', callId: 'c', content },
]
const list = (status: string): readonly Message[] => {
  const todos = JSON.stringify({ todos: [{ content: 'b', status }] })
  return [
    { role: 'user', content: 'Do a and b.' },
    {
      role: 'assistant',
      content: inUsualOrder({ calls: [{ id: 'c', kind: 'function', name: 'TodoWrite', arguments: todos }] }),
    },
    { role: 'tool', callId: 'c', content: 'ok' },
    { role: 'assistant', content: 'a is done.' },
    { role: 'user', content: 'Go on.' },
  ]
}

test.each<readonly [string, readonly Message[], number]>([
  ['without work under way it is talk', [{ role: 'user', content: 'Hi.' }], 1],
  ['after a result it announces a call', result('x'), 2],
  ['with items left on the list it does, too', list('pending'), 2],
  ['with all of them done it does not', list('completed'), 1],
])('"I will fix that.": %s', async (_, messages, times) => {
  const { upstream } = await answer([says('I will fix that.'), says('Done.')], { messages })
  expect(upstream.asked).toHaveLength(times)
})

test.each([
  ['another answer is asked for', calls('prompt'), 1, ''],
  ['but only once', says('<tool_response>\nIt is y.\n</tool_response>'), 0, 'It is y.'],
])('a made-up result at the beginning: %s', async (_, second, made, text) => {
  const first = says('<tool_response>\nIt is x.\n</tool_response>', 4)
  const done = await answer([first, second, says('third')], { settings: { tools: 'prompt', persist: 3 } })
  expect({ calls: done.calls.length, text: done.text, asked: done.upstream.asked.length }).toEqual({
    calls: made,
    text,
    asked: 2,
  })
})

test('with repair, a call that follows is valid before it leaves', async () => {
  const broken = says('<tool_call>\n{"name": "read", "arguments": {"lines": 1}}\n</tool_call>')
  const { calls: made, upstream } = await answer([says(announced), broken, calls('prompt')], {
    settings: { tools: 'prompt', repair: 1 },
  })
  expect(made.map(({ arguments: one }) => JSON.parse(one))).toEqual([{ path: 'a' }])
  expect(upstream.asked).toHaveLength(3)
})
