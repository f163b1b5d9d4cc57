import { describe, expect, test } from 'vitest'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
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

  test('is none beside as many of the client’s own as there may be, nor where its mark is a common word', async () => {
    const stop = Array.from({ length: 16 }, (_, index) => `s${index}`)
    const of = async (settings: object, request: object) => {
      const upstream = over('ok', { stops: 16 })
      await collect(await turnsOver(upstream, settings).start(toRequest('Go.', { tools: [read], ...request }), context))
      return upstream.asked[0]?.stop
    }
    expect(await of({ dialect: 'hermes' }, { stop })).toEqual(stop)
    expect(await of({ dialect: 'minimax-m2' }, {})).toBeUndefined()
  })

  test('that a service stops at right away is asked for again without that stop', async () => {
    const upstream = createScripted([says(''), says('<tool_response>\nThe word is x.\n</tool_response>', 3)])
    const stopping = {
      ...upstream,
      asked: upstream.asked,
      probe: async () => ({ nativeTools: 'no', stops: 16 }) as const,
    }
    const turn = await turnsOver(stopping, { dialect: 'hermes' }).start(toRequest('Go.', { tools: [read] }), context)
    const { text, finish, notes } = fold(await collect(turn))
    expect({ text, finish }).toEqual({ text: 'The word is x.', finish: 'stop' })
    expect(notes).toContain('invented_result')
    expect(upstream.asked.map(({ stop }) => stop)).toEqual([['<tool_response>'], []])
  })

  test.each([
    ['another answer is asked for', says(call('a')), [{ name: 'read' }], ''],
    ['but only once', says('<tool_response>\nIt is y.\n</tool_response>'), [], 'It is y.'],
  ])('at the beginning, where repair allows: %s', async (_, second, calls, text) => {
    const upstream = createScripted([says('<tool_response>\nIt is x.\n</tool_response>', 4), second, says('third')])
    const turns = turnsOver(upstream, { dialect: 'hermes', repair: 3 })
    const answer = fold(await collect(await turns.start(toRequest('Go.', { tools: [read] }), context)))
    expect(answer).toMatchObject({ calls, text })
    expect(upstream.asked).toHaveLength(2)
  })

  test('is none where the conversation speaks of it, or after a real result', async () => {
    expect(await stopOf('What is <tool_response>?')).toBeUndefined()
    const result = { role: 'tool', callId: 'a', content: 'x' } as const
    expect(await stopOf([{ role: 'user', content: 'Go.' }, result])).toBeUndefined()
  })
})

describe.each(dialects.map((dialect) => [dialect.name, dialect] as const))(
  'a made-up result in the marks of %s',
  (_, dialect) => {
    const printed = printCalls(dialect, [{ id: 'call_1', name: 'read', arguments: '{"path": "a"}' }], [read])
    const { result } = dialect.teaching
    const invented = result.replaceAll('{name}', 'read').replaceAll('{id}', 'call_1').replace('{content}', 'MADE UP')

    test.each([
      ['after a call', `${printed}\n${invented}\nMADE UP, too`],
      ['right behind it', `${printed}${invented}`],
      ['after words and a call', `Let me look.\n\n${printed}\n${invented}\nMADE UP, too`],
      ['before another call', `${printed}\n${invented}\n${printed.replace('a', 'b')}`],
    ])('%s is cut off with all that follows', async (_what, said) => {
      for (const size of [1, 4, 1_000]) {
        const upstream = createScripted([says(said, size)])
        const turn = await turnsOver(upstream, { dialect: dialect.name }).start(
          toRequest('Go.', { tools: [read] }),
          context,
        )
        const { text, calls, finish } = fold(await collect(turn))
        expect({ calls: calls.length, finish }).toEqual({ calls: 1, finish: 'tool_calls' })
        expect(text.replace('Let me look.', '').trim()).toBe('')
      }
    })
  },
)

test('an answer that must call ends before a call it has made already', async () => {
  const upstream = over([call('a'), call('b'), call('a'), call('b')].join('\n'))
  const request = toRequest('Go.', { tools: [read], toolChoice: { mode: 'required' } })
  const { calls, notes, finish } = fold(
    await collect(await turnsOver(upstream, { dialect: 'hermes' }).start(request, context)),
  )
  expect(calls.map(({ arguments: json }) => JSON.parse(json).path)).toEqual(['a', 'b'])
  expect([notes.includes('call_repeated'), finish]).toEqual([true, 'tool_calls'])
})
