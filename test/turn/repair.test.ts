import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, lines: { type: 'integer' } },
    required: ['path'],
  },
}
const write: Tool = { ...read, name: 'write' }
const call = (name: string, json: string) => `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`
const good = call('read', '{"path": "/a"}')
const usage: UpstreamEvent = { type: 'usage', promptTokens: 100, completionTokens: 10 }
const finish = (reason: 'stop' | 'length'): UpstreamEvent => ({ type: 'finish', reason })

interface Options {
  readonly request?: Partial<Request>
  readonly settings?: Partial<ModelSettings>
  readonly nativeTools?: 'yes' | 'no'
}

async function answer(scripts: readonly Script[], { request = {}, settings = {}, nativeTools = 'no' }: Options = {}) {
  const upstream = createScripted(scripts, { nativeTools })
  const turns = turnsOver(upstream, { dialect: 'hermes', repair: 1, ...settings })
  const turn = await turns.start(toRequest('Go.', { tools: [read, write], ...request }), context)
  const events = await collect(turn)
  return { upstream, events, ...fold(events) }
}

interface Mistake {
  readonly what: string
  /** What the model says first. */
  readonly said: string
  /** What it must then be told. */
  readonly told: string
  readonly request?: Partial<Request>
}

const errors: readonly Mistake[] = [
  {
    what: 'makes no call',
    said: '',
    told: 'The answer must call one of these tools: read, write.',
    request: { toolChoice: { mode: 'required' } },
  },
  {
    what: 'calls another tool than the one it must',
    said: call('write', '{"path": "/a"}'),
    told: 'The answer must call the tool read.',
    request: { toolChoice: { mode: 'named', name: 'read' } },
  },
  {
    what: 'calls a tool there is not',
    said: call('fly', '{"path": "/a"}'),
    told: 'There is no tool called fly. The tools are: read, write.',
  },
  {
    what: 'misspells the name of a tool',
    said: call('reads', '{"path": "/a"}'),
    told: 'There is no tool called reads. Did you mean read? The tools are: read, write.',
  },
  {
    what: 'calls a tool there is not, without marks',
    said: '```json\n{"name": "read_all", "arguments": {"path": "/a"}}\n```',
    told: 'There is no tool called read_all. The tools are: read, write.',
  },
  {
    what: 'leaves a required argument out',
    said: call('read', '{"lines": 3}'),
    told: 'The arguments of read are wrong: missing required `path`.',
  },
  {
    what: 'gives an argument of another type',
    said: call('read', '{"path": "/a", "lines": "many"}'),
    told: '`lines` must be an integer, got the string "many"',
  },
  {
    what: 'writes a call that cannot be read',
    said: '<tool_call>\n{"name": "read", "arguments": {"path" = ;;}}\n</tool_call>',
    told: 'A call could not be read',
  },
  {
    what: 'begins a call and writes prose',
    said: '<tool_call>\nread the file please\n</tool_call>',
    told: 'A call could not be read',
  },
]

describe.each(errors)('a model that $what', ({ said, told, request }) => {
  test.each([1, 7, 1_000])(
    'is asked again with the error and its second call is told, in pieces of %i',
    async (size) => {
      const before = 'I will look. '
      const result = await answer([says(before + said, size), says(`Sorry.\n${good}`, size)], {
        request: request ?? {},
      })
      expect(result.upstream.asked).toHaveLength(2)
      const [, again] = result.upstream.asked
      expect(textOf(again?.messages.at(-1)?.content ?? '')).toContain(told)
      expect(again?.messages.slice(0, -2)).toEqual(result.upstream.asked[0]?.messages)
      expect(result.calls).toMatchObject([{ name: 'read', ended: true }])
      expect(JSON.parse(result.calls[0]?.arguments ?? '')).toEqual({ path: '/a' })
      expect(result.finish).toBe('tool_calls')
      expect(result.notes).toEqual(expect.arrayContaining(['repair', 'repaired']))
      expect(result.notes).not.toContain('tool_choice_unmet')
      expect(result.text.startsWith('I will look.')).toBe(true)
      expect(result.text).not.toContain('Sorry')
    },
  )
})

describe('while a call is put right', () => {
  test('text leaves before the model is asked again', async () => {
    const upstream = createScripted([says(`I will look.\n${call('fly', '{}')}`, 5), says(good, 5)])
    const turns = turnsOver(upstream, { dialect: 'hermes', repair: 1 })
    const turn = await turns.start(toRequest('Go.', { tools: [read] }), context)
    let askedAtText = 0
    for await (const batch of turn.events) {
      if (batch.some(({ type }) => type === 'text-delta')) askedAtText = upstream.asked.length
      if (batch.some(({ type }) => type === 'call-start')) expect(upstream.asked).toHaveLength(2)
    }
    expect(askedAtText).toBe(1)
  })

  test('the usage of all askings is one', async () => {
    const script = (text: string): Script => [[{ type: 'text', text }], [usage], [finish('stop')]]
    const { events } = await answer([script(call('fly', '{}')), script(good)])
    expect(events.filter(({ type }) => type === 'usage')).toEqual([
      { type: 'usage', promptTokens: 200, completionTokens: 20 },
    ])
    expect(events).toContainEqual({ type: 'note', kind: 'usage_repairs', detail: 'prompt 100, completion 10' })
  })

  test('a valid call costs nothing more', async () => {
    const { upstream, calls, notes } = await answer([says(`Hm.\n${good}`, 3)])
    expect(upstream.asked).toHaveLength(1)
    expect(calls).toHaveLength(1)
    expect(notes).not.toContain('repaired')
  })

  test('the model may answer in words after all', async () => {
    const { text, calls, finish: reason } = await answer([says(`Hm. ${call('fly', '{}')}`), says('I cannot fly.')])
    expect({ text, calls, reason }).toEqual({ text: 'Hm.\n\nI cannot fly.', calls: [], reason: 'stop' })
  })

  test('several mistakes take several askings, and no more than allowed', async () => {
    const wrong = says(call('fly', '{}'))
    const patient = await answer([wrong, wrong, says(good)], { settings: { repair: 2 } })
    expect(patient.upstream.asked).toHaveLength(3)
    expect(patient.calls).toMatchObject([{ name: 'read' }])
    const spent = await answer([wrong, wrong, says(good)], { settings: { repair: 1 } })
    expect(spent.upstream.asked).toHaveLength(2)
    expect(spent.calls).toMatchObject([{ name: 'fly', ended: true }])
    expect(spent.notes).toContain('repair_failed')
  })

  test('a call that stays missing is text and a note', async () => {
    const {
      text,
      finish: reason,
      notes,
    } = await answer([says('No.'), says('Still no.')], {
      request: { toolChoice: { mode: 'required' } },
    })
    expect({ text, reason }).toEqual({ text: 'No.', reason: 'stop' })
    expect(notes).toContain('tool_choice_unmet')
  })

  test('an answer that was cut short is left as it is', async () => {
    const cut: Script = [[{ type: 'text', text: good.slice(0, 50) }], [finish('length')]]
    const { upstream, finish: reason } = await answer([cut, says(good)])
    expect({ asked: upstream.asked.length, reason }).toEqual({ asked: 1, reason: 'length' })
  })

  test('a service that refuses to be asked again leaves the first answer', async () => {
    const refusal = new GatewayError('upstream_rejected', 'no')
    const { calls, notes } = await answer([says(call('fly', '{"path": "/a"}')), [refusal]])
    expect(calls).toMatchObject([{ name: 'fly', ended: true }])
    expect(notes).toContain('repair_refused')
  })

  test('a service that dies while it is asked again leaves the first answer', async () => {
    const death = new GatewayError('upstream_truncated', 'gone')
    const { calls, finish: reason } = await answer([
      says(call('fly', '{"path": "/a"}')),
      [[{ type: 'text', text: good.slice(0, 40) }], death],
    ])
    expect(calls).toMatchObject([{ name: 'fly', ended: true }])
    expect(reason).toBe('tool_calls')
  })

  test('a service that dies in its first answer is a failure as ever', async () => {
    const death = new GatewayError('upstream_truncated', 'gone')
    await expect(answer([[[{ type: 'text', text: 'Hm. ' }], death]])).rejects.toThrow('gone')
  })

  test('calls leave whole when the model is set so', async () => {
    const { events } = await answer([says(call('fly', '{}')), says(good, 2)], { settings: { arguments: 'whole' } })
    expect(events.filter(({ type }) => type.startsWith('call')).map(({ type }) => type)).toEqual([
      'call-start',
      'call-delta',
      'call-end',
    ])
  })
})

describe('natively', () => {
  const native = (id: string, name: string, json: string): Script => [
    [{ type: 'text', text: 'Look.' }],
    [{ type: 'call', index: 0, id, name, json }],
    [{ type: 'finish', reason: 'tool_calls' }],
  ]

  test.each([
    ['an unknown tool', 'fly', '{}', 'There is no tool called fly'],
    ['a missing argument', 'read', '{}', 'missing required `path`'],
  ])('%s is answered like a call, with its error as the result', async (_, name, json, told) => {
    const { upstream, calls, text } = await answer([native('a', name, json), native('b', 'read', '{"path":"/a"}')], {
      nativeTools: 'yes',
    })
    const [assistant, result] = upstream.asked[1]?.messages.slice(-2) ?? []
    const said = [{ text: 'Look.' }, { call: { id: 'a', name } }]
    expect(assistant).toMatchObject({ role: 'assistant', content: said })
    expect(result).toMatchObject({ role: 'tool', callId: 'a', content: expect.stringContaining(told) })
    expect(calls).toEqual([{ id: 'b', name: 'read', arguments: '{"path":"/a"}', ended: true }])
    expect(text).toBe('Look.')
  })

  test('broken JSON is asked for again in words', async () => {
    const { upstream, calls } = await answer(
      [native('a', 'read', '{"path" = ;; '), native('b', 'read', '{"path":"/a"}')],
      {
        nativeTools: 'yes',
      },
    )
    expect(textOf(upstream.asked[1]?.messages.at(-1)?.content ?? '')).toMatch(/could not be read|not valid JSON/)
    expect(calls.filter(({ ended }) => ended)).toMatchObject([{ id: 'b', name: 'read', arguments: '{"path":"/a"}' }])
  })

  test('a missing call is asked for in words', async () => {
    const { upstream, calls } = await answer([says('No.'), native('b', 'read', '{"path":"/a"}')], {
      nativeTools: 'yes',
      request: { toolChoice: { mode: 'required' } },
    })
    expect(upstream.asked[1]?.messages.at(-1)).toMatchObject({
      role: 'user',
      content: expect.stringContaining('must call'),
    })
    expect(calls).toHaveLength(1)
  })
})
