import { describe, expect, test } from 'vitest'
import type { Tool } from '../../src/protocol/tool.ts'
import type { Capabilities } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const call = (path: string) => `<tool_call>\n{"name": "read", "arguments": {"path": "${path}"}}\n</tool_call>`

function over(text: string, capabilities: Partial<Capabilities> = {}) {
  const upstream = createScripted([says(text, 5)])
  return { ...upstream, asked: upstream.asked, probe: async () => ({ nativeTools: 'no', ...capabilities }) as const }
}

describe('a tool’s result that the model makes up', () => {
  test.each(['native', 'prompt'] as const)('after a call ends the answer there, in mode %s', async (tools) => {
    const upstream = over(`${call('a')}\n<tool_response>\n{"text": "x"}\n</tool_response>\n${call('b')}`)
    const turn = await turnsOver(upstream, { tools, dialect: 'hermes' }).start(
      toRequest('Go.', { tools: [read] }),
      context,
    )
    const { calls, text, finish, notes } = fold(await collect(turn))
    expect(calls.map(({ arguments: json }) => JSON.parse(json))).toEqual([{ path: 'a' }])
    expect([text.trim(), finish]).toEqual(['', 'tool_calls'])
    expect(notes).toContain('invented_result')
  })

  test('around the whole answer loses its marks, not its words', async () => {
    const turn = await turnsOver(over('<tool_response>\nThe word is x.\n</tool_response>'), {
      dialect: 'hermes',
    }).start(toRequest('Go.', { tools: [read] }), context)
    expect(fold(await collect(turn))).toMatchObject({ text: 'The word is x.', finish: 'stop' })
  })

  test('without tools passes as it is', async () => {
    const text = '<tool_response>1</tool_response>'
    const turn = await turnsOver(over(text)).start(toRequest('Go.'), context)
    expect(fold(await collect(turn)).text).toBe(text)
  })

  const stopOf = async (messages: Parameters<typeof toRequest>[0], stops = 16) => {
    const upstream = over('ok', { stops })
    await collect(
      await turnsOver(upstream, { dialect: 'hermes' }).start(toRequest(messages, { tools: [read] }), context),
    )
    return upstream.asked[0]?.stop
  }

  test('is a stop sequence where the service takes plenty of them', async () => {
    expect(await stopOf('Go.')).toEqual(['<tool_response>'])
    expect(await stopOf('Go.', 4)).toBeUndefined()
  })

  test('is none where the conversation speaks of it, or after a real result', async () => {
    expect(await stopOf('What is <tool_response>?')).toBeUndefined()
    const result = { role: 'tool', callId: 'a', content: 'x' } as const
    expect(await stopOf([{ role: 'user', content: 'Go.' }, result])).toBeUndefined()
  })
})

test('an answer that must call ends before a call it has made already', async () => {
  const upstream = over([call('a'), call('b'), call('a'), call('b')].join('\n'))
  const request = toRequest('Go.', { tools: [read], toolChoice: { mode: 'required' } })
  const { calls, notes, finish } = fold(
    await collect(await turnsOver(upstream, { dialect: 'hermes' }).start(request, context)),
  )
  expect(calls.map(({ arguments: json }) => JSON.parse(json).path)).toEqual(['a', 'b'])
  expect([notes.includes('call_repeated'), finish]).toEqual([true, 'tool_calls'])
})
