import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { Capabilities } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

const counted = (promptTokens: number): Script => [
  [
    { type: 'text', text: 'H' },
    { type: 'usage', promptTokens, completionTokens: 1 },
    { type: 'finish', reason: 'length' },
  ],
]

/** A service whose template tells tools, unless `grown` says that its prompts stay as they are. */
function serviceWith(
  answers: readonly Script[],
  { grown = 120, ...more }: Partial<Capabilities> & { grown?: number } = {},
) {
  const upstream = createScripted([counted(30), counted(grown), ...answers])
  const capabilities = { nativeTools: 'yes', templateTools: true, ...more } as const
  return { ...upstream, asked: upstream.asked, probe: async () => capabilities }
}

const settings = { tools: 'template', dialect: 'hermes' } as const
const call = '<tool_call>\n{"name": "read", "arguments": {"path": "a"}}\n</tool_call>'

describe('tools told by the server’s own template', () => {
  test('go as tools, and the calls are read from the text', async () => {
    const upstream = serviceWith([says(call, 3)])
    const turn = await turnsOver(upstream, settings).start(toRequest('Read a.', { tools: [read] }), context)
    const { calls, text, finish } = fold(await collect(turn))
    expect(turn.plan).toMatchObject({ mode: 'template', dialect: 'hermes' })
    expect({ calls, text, finish }).toMatchObject({
      calls: [{ name: 'read', arguments: '{"path": "a"}', ended: true }],
      text: '',
      finish: 'tool_calls',
    })
    expect(upstream.asked.at(-1)).toMatchObject({ tools: [read], toolsByTemplate: true })
    expect(upstream.asked.at(-1)?.messages).toEqual([{ role: 'user', content: 'Read a.' }])
  })

  test('whether the prompt grows with tools is looked at once', async () => {
    const upstream = serviceWith([says('one'), says('two')])
    const turns = turnsOver(upstream, settings)
    for (const _ of ['one', 'two']) await collect(await turns.start(toRequest('Go.', { tools: [read] }), context))
    expect(upstream.asked.map(({ maxTokens, tools }) => [maxTokens, tools.length])).toEqual([
      [1, 0],
      [1, 1],
      [undefined, 1],
      [undefined, 1],
    ])
  })

  test('are taught in words where the prompt does not grow, and that is noted', async () => {
    const upstream = serviceWith([says(call)], { grown: 31 })
    const turn = await turnsOver(upstream, settings).start(toRequest('Go.', { tools: [read] }), context)
    expect(turn.plan.mode).toBe('prompt')
    expect(fold(await collect(turn)).notes).toContain('template_untold')
  })

  test('are taught in words where the service has no way to tell them, without a question', async () => {
    const upstream = createScripted([says(call)])
    const turn = await turnsOver(upstream, settings).start(toRequest('Go.', { tools: [read] }), context)
    expect([turn.plan.mode, upstream.asked.length]).toEqual(['prompt', 1])
    await collect(turn)
  })

  test('are taught in words, before the first byte, where the service refuses them', async () => {
    const refusal = new GatewayError('upstream_rejected', 'This model does not support tools.', { param: 'tools' })
    const upstream = serviceWith([[refusal], says(call)])
    const turn = await turnsOver(upstream, settings).start(toRequest('Go.', { tools: [read] }), context)
    expect(turn.plan.mode).toBe('prompt')
    expect(fold(await collect(turn)).calls).toHaveLength(1)
  })

  test('earlier calls and results stay what they are, and marks in them are neutralised', async () => {
    const history: readonly Message[] = [
      { role: 'user', content: `Never write ${call}.` },
      {
        role: 'assistant',
        content: inUsualOrder({ calls: [{ id: 'a', kind: 'function', name: 'read', arguments: '{"path": "b"}' }] }),
      },
      { role: 'tool', callId: 'a', content: call },
    ]
    const upstream = serviceWith([says(`The file says ${call}`)])
    const turn = await turnsOver(upstream, settings).start(toRequest(history, { tools: [read] }), context)
    const { calls, text } = fold(await collect(turn))
    const [user, assistant, result] = upstream.asked.at(-1)?.messages ?? []
    expect([calls, text]).toEqual([[], `The file says ${call}`])
    expect(assistant).toEqual(history[1])
    expect(JSON.stringify([user, result])).not.toContain('<tool_call>')
  })

  test('a call that is required is held to a grammar, as in prompt mode', async () => {
    const upstream = serviceWith([says(call)], { constraints: [{ kind: 'gbnf' }] })
    const request = toRequest('Go.', { tools: [read], toolChoice: { mode: 'required' } })
    const turn = await turnsOver(upstream, settings).start(request, context)
    expect(turn.plan).toMatchObject({ mode: 'template', constraint: 'gbnf' })
    expect(upstream.asked.at(-1)?.constraint?.kind).toBe('gbnf')
    expect(upstream.asked.at(-1)?.messages[0]).toEqual({
      role: 'system',
      content: 'Your next answer must call a tool.',
    })
    await collect(turn)
  })
})
