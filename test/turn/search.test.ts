import { describe, expect, test } from 'vitest'
import { hermes } from '../../src/dialects/hermes.ts'
import { printCalls } from '../../src/engine/print.ts'
import { textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'
import { toolbox } from './toolbox.ts'

const call = (name: string, given: object) => printCalls(hermes, [{ id: 'c', name, arguments: JSON.stringify(given) }])
const search = call('find_tools', { query: 'weather forecast' })
const wanted = call('get_forecast', { location: 'Rome' })
const usage: UpstreamEvent = { type: 'usage', promptTokens: 100, completionTokens: 10 }
const native = (name: string, given: object): Script => [
  [{ type: 'call', index: 0, id: `n_${name}`, name, json: JSON.stringify(given) }],
  [{ type: 'finish', reason: 'tool_calls' }],
]

async function answer(
  scripts: readonly Script[],
  nativeTools: 'yes' | 'no' = 'no',
  request: Partial<Request> = {},
  settings: Partial<ModelSettings> = { toolsBudget: '5 tools' },
) {
  const upstream = createScripted(scripts, { nativeTools })
  const turns = turnsOver(upstream, { dialect: 'hermes', ...settings })
  const turn = await turns.start(toRequest('Hello.', { tools: toolbox, ...request }), context)
  const events = await collect(turn)
  const asked = upstream.asked.map(({ messages }) => messages.map(({ content }) => textOf(content)).join('\n'))
  return { upstream, asked, events, ...fold(events) }
}

describe('a search for tools', () => {
  test('is answered unseen by the client, and what it finds can be called', async () => {
    const { calls, text, finish, notes, asked, events } = await answer([
      [...says(`Let me see. ${search}`, 7).slice(0, -1), [usage, { type: 'finish', reason: 'stop' }]],
      [...says(wanted, 5).slice(0, -1), [usage, { type: 'finish', reason: 'stop' }]],
    ])
    expect(calls).toMatchObject([{ name: 'get_forecast', arguments: '{"location":"Rome"}', ended: true }])
    expect({ text: text.trim(), finish }).toEqual({ text: 'Let me see.', finish: 'tool_calls' })
    expect(notes).toContain('tools_searched')
    expect(events).toContainEqual({ type: 'usage', promptTokens: 200, completionTokens: 20 })
    expect(asked[0]).not.toContain('"days"')
    expect(asked[1]).toContain('"days"')
    const beforeReminder = (asked[0] ?? '').split('(If a tool')[0]?.trimEnd() ?? ''
    expect(asked[1]?.slice(0, beforeReminder.length)).toBe(beforeReminder)
  })

  test('is answered natively', async () => {
    const { calls, upstream } = await answer(
      [native('find_tools', { query: 'weather forecast' }), native('get_forecast', { location: 'Rome' })],
      'yes',
    )
    expect(calls).toMatchObject([{ name: 'get_forecast', ended: true }])
    const [first, second] = upstream.asked.map(({ tools = [] }) => tools.map(({ name }) => name))
    expect(second?.slice(0, first?.length)).toEqual(first)
    expect(second).toContain('get_forecast')
  })

  test('ends some time', async () => {
    const { calls, finish, upstream } = await answer(Array.from({ length: 9 }, () => says(search)))
    expect({ calls, finish }).toEqual({ calls: [], finish: 'stop' })
    expect(upstream.asked).toHaveLength(4)
    const last = upstream.asked.at(-1)?.messages[0]
    expect(textOf(last?.content ?? '')).not.toContain('find_tools')
  })

  test('beside another call is left out', async () => {
    const { calls, upstream } = await answer([says(`${search}\n${call('read_text_file', { path: '/a' })}`)])
    expect(calls).toMatchObject([{ name: 'read_text_file', ended: true }])
    expect(upstream.asked).toHaveLength(1)
  })

  test('is offered where the client deferred tools, and nothing was tightened', async () => {
    const tools = toolbox.map((tool, place) => (place < 3 ? tool : { ...tool, isDeferred: true }))
    const { asked, calls, notes } = await answer([says(search), says(wanted)], 'no', { tools }, {})
    expect(asked[0]).not.toContain('"thread_ts"')
    expect(calls).toMatchObject([{ name: 'get_forecast', ended: true }])
    expect(notes).toContain('tools_searched')
    expect(notes).not.toContain('tools_tightened')
  })

  test('is not offered where the client chose the tool', async () => {
    const { asked } = await answer([says(wanted)], 'no', { toolChoice: { mode: 'named', name: 'get_forecast' } })
    expect(asked[0]).not.toContain('find_tools')
    expect(asked[0]).toContain('get_forecast')
  })
})
