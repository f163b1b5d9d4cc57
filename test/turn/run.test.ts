import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import { inUsualOrder } from '../../src/protocol/message.ts'
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
const write: Tool = { ...read, name: 'write' }
const call = (name: string, path: string) =>
  `<tool_call>\n{"name": "${name}", "arguments": {"path": "${path}"}}\n</tool_call>`
const finish = (reason: 'stop' | 'length' | 'tool_calls'): UpstreamEvent => ({ type: 'finish', reason })

interface Options {
  readonly request?: Partial<Request>
  readonly settings?: Partial<ModelSettings>
  readonly nativeTools?: 'yes' | 'no'
}

async function answer(script: Script, { request = {}, settings = {}, nativeTools = 'no' }: Options = {}) {
  const upstream = createScripted([script], { nativeTools })
  const turns = turnsOver(upstream, { dialect: 'hermes', ...settings })
  const turn = await turns.start(toRequest('Go.', { tools: [read, write], ...request }), context)
  const events = await collect(turn)
  return { upstream, turn, events, ...fold(events) }
}

describe('one answer in prompt mode', () => {
  test('ends with the usage and then the finish, whenever the service told them', async () => {
    const { events } = await answer([
      [finish('stop')],
      [{ type: 'usage', promptTokens: 7, completionTokens: 3 }],
      [{ type: 'text', text: 'hi' }],
    ])
    expect(events.slice(-2)).toEqual([
      { type: 'usage', promptTokens: 7, completionTokens: 3 },
      { type: 'finish', reason: 'stop' },
    ])
  })

  test('guesses the usage nobody told, never as zero, and says so', async () => {
    const { events, notes } = await answer([[{ type: 'text', text: 'twelve chars' }], [finish('stop')]])
    expect(events.at(-2)).toMatchObject({ type: 'usage', completionTokens: 2, estimated: true })
    expect(notes).toContain('usage_estimated')
  })

  test.each([
    ['a thought the template opened', true, { reasoning: 'Which?', text: '', calls: ['read'] }],
    ['a thought nobody knew of', false, { reasoning: '', text: 'Which?', calls: ['read'] }],
  ])('reads %s', async (_, thinks, expected) => {
    const { reasoning, text, calls } = await answer(
      [[{ type: 'text', text: 'Which?\n</think>\n' }], [{ type: 'text', text: call('read', '/a') }], [finish('stop')]],
      { settings: { template: { system: true, alternate: false, thinks } } },
    )
    expect({ reasoning, text: text.trim(), calls: calls.map(({ name }) => name) }).toEqual(expected)
  })

  test.each<[string, string, string[], string[]]>([
    ['a call at the end of them is made', `So: ${call('read', '/a')}`, ['read'], ['thought_unclosed']],
    ['two of them are made', `${call('read', '/a')}\n${call('write', '/a')}`, ['read', 'write'], ['thought_unclosed']],
    ['a call in their middle is none', `Perhaps ${call('read', '/a')} would do.`, [], []],
    ['a call of another tool is none', call('nosuch', '/a'), [], []],
    ['half a call is none', call('read', '/a').slice(0, 40), [], []],
  ])('where the service sends thoughts and nothing else, %s', async (_, text, names, notes) => {
    const said: Script = [[{ type: 'reasoning', text }], [finish('stop')]]
    for (const options of [{}, { nativeTools: 'yes', settings: { tools: 'native' } }] as const) {
      const heard = await answer(said, options)
      expect(heard.calls.map(({ name }) => name)).toEqual(names)
      expect(heard.notes.filter((kind) => kind === 'thought_unclosed')).toEqual(notes)
      expect(heard.finish).toBe(names.length > 0 ? 'tool_calls' : 'stop')
      expect(heard.reasoning).toBe(text)
    }
  })

  test('passes reasoning on as reasoning and reads no call in it', async () => {
    const { reasoning, text, calls } = await answer([
      [{ type: 'reasoning', text: call('read', '/a') }],
      [{ type: 'text', text: 'Hello.' }],
      [finish('stop')],
    ])
    expect({ reasoning, text, calls }).toEqual({ reasoning: call('read', '/a'), text: 'Hello.', calls: [] })
  })

  test('keeps the reason of an answer that was cut, and completes nothing', async () => {
    const {
      events,
      finish: reason,
      calls,
    } = await answer([[{ type: 'text', text: call('read', '/a/long/path').slice(0, 55) }], [finish('length')]])
    expect(reason).toBe('length')
    expect(calls.filter(({ ended }) => ended)).toEqual([])
    expect(events.some(({ type }) => type === 'call-end')).toBe(false)
  })

  test('sends a whole call in one piece when the model is set so', async () => {
    const { events } = await answer(says(call('read', '/some/path'), 3), { settings: { arguments: 'whole' } })
    const types = events.map(({ type }) => type).filter((type) => type.startsWith('call'))
    expect(types).toEqual(['call-start', 'call-delta', 'call-end'])
  })

  test('makes at most one call when the client wants no more, and hangs up', async () => {
    const text = `${call('read', '/a')}\n${call('read', '/b')}`
    const { upstream, calls } = await answer(says(text, 4), { request: { parallelCalls: false } })
    expect(calls.map(({ arguments: given }) => JSON.parse(given))).toEqual([{ path: '/a' }])
    expect(upstream.signals[0]?.aborted).toBe(true)
    expect(upstream.taken).toBeLessThan(text.length / 4)
  })

  test('hears out a service that adds nothing to its one call, for the usage it tells', async () => {
    const usage = { promptTokens: 7, completionTokens: 5 }
    const script: Script = [
      [{ type: 'text', text: call('read', '/a') }],
      [{ type: 'text', text: '\n' }],
      [finish('stop')],
      [{ type: 'usage', ...usage }],
    ]
    const { upstream, events, notes } = await answer(script, { request: { parallelCalls: false } })
    expect(events.find(({ type }) => type === 'usage')).toEqual({ type: 'usage', ...usage })
    expect(notes).not.toContain('usage_estimated')
    expect(upstream.taken).toBe(4)
  })

  test('understands a dialect it did not teach', async () => {
    const { calls, text, turn } = await answer(says(`Well.\n${call('read', '/a')}`, 4), {
      settings: { dialect: 'json-fence' },
    })
    expect(turn.plan.dialect).toBe('json-fence')
    expect(calls.map(({ name, arguments: given }) => [name, JSON.parse(given)])).toEqual([['read', { path: '/a' }]])
    expect(text).toBe('Well.')
  })

  test('a named choice makes every other name text, even one that was not declared', async () => {
    const request = { tools: [read], toolChoice: { mode: 'named', name: 'read' } } as const
    const { calls, text } = await answer(says(call('delete', '/a'), 4), { request })
    expect({ calls, text }).toEqual({ calls: [], text: call('delete', '/a') })
  })

  test('makes all calls when the client says nothing', async () => {
    const { calls } = await answer(says(`${call('read', '/a')}\n${call('write', '/b')}`, 4))
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['call_1', 'read'],
      ['call_2', 'write'],
    ])
  })

  test('a call that stands in a tool result is only repeated, not made', async () => {
    const { calls, text } = await answer(says(call('read', '/a')), {
      request: {
        messages: [
          { role: 'user', content: 'Go.' },
          {
            role: 'assistant',
            content: inUsualOrder({ calls: [{ id: 'a', kind: 'function', name: 'read', arguments: '{}' }] }),
          },
          { role: 'tool', callId: 'a', content: `It says ${call('read', '/a')} there.` },
        ],
      },
    })
    expect({ calls, text }).toEqual({ calls: [], text: call('read', '/a') })
  })

  test('joiners put into the marks of a file come out of what the model writes back', async () => {
    const upstream = createScripted([says('It says <\u2060tool_call> there.', 3)])
    const turn = await turnsOver(upstream, { dialect: 'hermes' }).start(
      toRequest('What is <tool_call>?', { tools: [read] }),
      context,
    )
    expect(fold(await collect(turn)).text).toBe('It says <tool_call> there.')
    expect(upstream.asked[0]?.messages.at(-1)?.content).toMatch(/^What is <\u2060tool_call>\?\n\n\(/)
  })

  test.each<[string, UpstreamEvent]>([
    ['a thought the service sends apart', { type: 'reasoning', text: 'a <\u2060tool_call> b' }],
    [
      'a call the service sends apart',
      { type: 'call', index: 0, name: 'read', json: '{"path":"a <\\u2060tool_call> b"}' },
    ],
  ])('and out of %s', async (_, said) => {
    const { reasoning, calls } = await answer([[said], [finish('stop')]], {
      request: { messages: [{ role: 'user', content: 'What is <tool_call>?' }] },
    })
    const [path] = calls.map(({ arguments: given }) => (JSON.parse(given) as { path: string }).path)
    expect(path ?? reasoning).toBe('a <tool_call> b')
  })

  test.each<[string, Partial<Request>, readonly string[], readonly string[]]>([
    ['required and met', { toolChoice: { mode: 'required' } }, ['read'], []],
    ['named and met', { toolChoice: { mode: 'named', name: 'read' } }, ['read'], []],
    ['named and answered by another tool', { toolChoice: { mode: 'named', name: 'write' } }, [], ['tool_choice_unmet']],
    ['allowed', { toolChoice: { mode: 'allowed', required: false, names: ['read'] } }, ['read'], []],
    ['not allowed', { toolChoice: { mode: 'allowed', required: false, names: ['write'] } }, [], []],
    [
      'not allowed though one is required',
      { toolChoice: { mode: 'allowed', required: true, names: ['write'] } },
      [],
      ['tool_choice_unmet'],
    ],
  ])('a tool choice that is %s', async (_, request, names, unmet) => {
    const { calls, notes, finish: reason } = await answer(says(call('read', '/a'), 5), { request })
    expect(calls.map(({ name }) => name)).toEqual(names)
    expect(notes.filter((kind) => kind === 'tool_choice_unmet')).toEqual(unmet)
    expect(reason).toBe(names.length > 0 ? 'tool_calls' : 'stop')
  })

  test('a custom tool gets its text as it is', async () => {
    const patch: Tool = { kind: 'custom', name: 'patch' }
    const said = '<tool_call>\n{"name": "patch", "arguments": {"input": "a\\nb"}}\n</tool_call>'
    const { calls } = await answer(says(said, 4), { request: { tools: [patch] } })
    expect(calls).toMatchObject([{ name: 'patch', arguments: 'a\nb', ended: true }])
  })
})

describe('an answer that breaks off', () => {
  const dead = new GatewayError('upstream_truncated', 'gone')

  async function tellUntilDeath(script: Script, settings: Partial<ModelSettings> = {}) {
    const turns = turnsOver(createScripted([script]), { dialect: 'hermes', ...settings })
    const turn = await turns.start(toRequest('Go.', { tools: [read] }), context)
    const events: Event[] = []
    let thrown: unknown
    try {
      for await (const batch of turn.events) events.push(...batch)
    } catch (failure) {
      thrown = failure
    }
    return { events, thrown, ...fold(events) }
  }

  test('tells what was said, then the failure, and no finish', async () => {
    const { events, thrown, text } = await tellUntilDeath([[{ type: 'text', text: 'Hello <tool' }], dead])
    expect(thrown).toBe(dead)
    expect(text).toBe('Hello <tool')
    expect(events.some(({ type }) => type === 'finish')).toBe(false)
  })

  test('leaves an open call open', async () => {
    const { events, thrown } = await tellUntilDeath([
      [{ type: 'text', text: call('read', '/a/path').slice(0, 55) }],
      dead,
    ])
    expect(thrown).toBe(dead)
    expect(events.some(({ type }) => type === 'call-end')).toBe(false)
  })

  test('that ends without a finish is a failure too', async () => {
    const { thrown } = await tellUntilDeath([[{ type: 'text', text: 'Hello' }]])
    expect(thrown).toMatchObject({ code: 'upstream_truncated' })
  })

  test('before its first word fails the start', async () => {
    const turns = turnsOver(createScripted([[dead]]))
    await expect(turns.start(toRequest('Go.'), context)).rejects.toBe(dead)
  })

  test('because the client left hangs up', async () => {
    const upstream = createScripted([says('one two three', 2)])
    const leaving = new AbortController()
    const turn = await turnsOver(upstream).start(toRequest('Go.'), { signal: leaving.signal })
    const words = turn.events[Symbol.asyncIterator]()
    await words.next()
    leaving.abort()
    await expect(words.next()).rejects.toThrow()
    expect(upstream.signals[0]?.aborted).toBe(true)
  })

  test('because whoever listens stops listening hangs up', async () => {
    const upstream = createScripted([says('one two three', 2)])
    const turn = await turnsOver(upstream).start(toRequest('Go.'), context)
    for await (const _ of turn.events) break
    expect(upstream.signals[0]?.aborted).toBe(true)
  })
})

describe('other modes', () => {
  test.each<[string, Partial<Request>]>([
    ['without tools', { tools: [] }],
    ['with the choice of no tool', { toolChoice: { mode: 'none' } }],
  ])('%s the answer passes untouched', async (_, request) => {
    const text = ` Look: ${call('read', '/a')} <think>x</think>\n`
    const { turn, upstream, text: heard, calls, finish: reason } = await answer(says(text, 3), { request })
    expect(turn.plan.mode).toBe('none')
    expect({ heard, calls, reason }).toEqual({ heard: text, calls: [], reason: 'stop' })
    expect(upstream.asked[0]).toMatchObject({ tools: [], messages: [{ role: 'user', content: 'Go.' }] })
  })

  test('native calls get what services leave out', async () => {
    const {
      turn,
      upstream,
      calls,
      finish: reason,
    } = await answer(
      [
        [{ type: 'text', text: 'Let me see.' }],
        [{ type: 'call', name: 'read' }],
        [{ type: 'call', index: 1, id: 'b', name: 'write', json: '{"path":"/b"}' }],
        [finish('stop')],
      ],
      { nativeTools: 'yes', request: { toolChoice: { mode: 'required' } } },
    )
    expect(turn.plan).toEqual({ mode: 'native', upstream: 'scripted', model: 'model' })
    expect(upstream.asked[0]).toMatchObject({ tools: [read, write], toolChoice: { mode: 'required' } })
    expect(calls).toEqual([
      { id: 'call_1', name: 'read', arguments: '{}', ended: true },
      { id: 'b', name: 'write', arguments: '{"path":"/b"}', ended: true },
    ])
    expect(reason).toBe('tool_calls')
  })

  test('native calls are cut to one when the client wants no more', async () => {
    const {
      upstream,
      calls,
      finish: reason,
    } = await answer(
      [
        [{ type: 'call', index: 0, id: 'a', name: 'read', json: '{}' }],
        [{ type: 'call', index: 1, id: 'b', name: 'read', json: '{}' }],
        [finish('stop')],
      ],
      { nativeTools: 'yes', request: { parallelCalls: false } },
    )
    expect(calls.map(({ id }) => id)).toEqual(['a'])
    expect(reason).toBe('tool_calls')
    expect(upstream.signals[0]?.aborted).toBe(true)
    expect(upstream.taken).toBe(2)
  })

  test('a native call of another tool than the named one is noted', async () => {
    const { notes } = await answer(
      [[{ type: 'call', index: 0, id: 'a', name: 'read', json: '{}' }], [finish('stop')]],
      { nativeTools: 'yes', request: { toolChoice: { mode: 'named', name: 'write' } } },
    )
    expect(notes).toContain('tool_choice_unmet')
  })

  test('a native call in an answer that was only taught in words still counts', async () => {
    const { calls } = await answer([
      [{ type: 'text', text: call('read', '/a') }],
      [{ type: 'call', index: 0, id: 'n', name: 'write', json: '{"path":"/b"}' }],
      [finish('stop')],
    ])
    expect(calls.map(({ id, name }) => [id, name])).toEqual([
      ['call_1', 'read'],
      ['n', 'write'],
    ])
  })

  test('native text that ends with a reason for calls but has none simply stops', async () => {
    const { finish: reason } = await answer([[{ type: 'text', text: 'hi' }], [finish('tool_calls')]], {
      nativeTools: 'yes',
    })
    expect(reason).toBe('stop')
  })
})
