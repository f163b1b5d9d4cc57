import { describe, expect, test } from 'vitest'
import { textOf } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { Capabilities, Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { collect, context, createScripted, fold, type Script, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const write: Tool = { ...read, name: 'write' }
const call = (name: string) => `<tool_call>\n{"name": "${name}", "arguments": {"path": "/a"}}\n</tool_call>`

interface Options {
  readonly request?: Partial<Request>
  readonly settings?: Partial<ModelSettings>
  readonly capabilities?: Partial<Capabilities>
}

async function answer(script: Script, { request = {}, settings = {}, capabilities = {} }: Options = {}) {
  const scripted = createScripted([script])
  const upstream: Upstream = { ...scripted, probe: async () => ({ nativeTools: 'no', ...capabilities }) }
  const turns = turnsOver(upstream, { dialect: 'hermes', ...settings })
  const events = await collect(await turns.start(toRequest('Go.', { tools: [read, write], ...request }), context))
  return { asked: scripted.asked[0], taken: () => scripted.taken, events, ...fold(events) }
}

describe('stop sequences', () => {
  test.each([1, 3, 100])('end the text of a service that goes on, in pieces of %i', async (size) => {
    const { text, finish, asked, notes } = await answer(says('One two END three.', size), {
      request: { stop: ['END'] },
    })
    expect({ text, finish }).toEqual({ text: 'One two ', finish: 'stop' })
    expect(asked?.stop).toEqual(['END'])
    expect(notes).toContain('stop_cut')
  })

  test('hang up at once', async () => {
    const { taken } = await answer(says(`END${'x'.repeat(100)}`, 1), { request: { stop: ['END'] } })
    expect(taken()).toBeLessThan(6)
  })

  test('do not cut a call', async () => {
    const { calls, finish } = await answer(says(call('read'), 4), { request: { stop: ['/a'] } })
    expect(calls).toMatchObject([{ name: 'read', ended: true }])
    expect(finish).toBe('tool_calls')
  })

  test('end the text before a call, which then is none', async () => {
    const { text, calls, finish } = await answer(says(`Hm. END\n${call('read')}`, 4), { request: { stop: ['END'] } })
    expect({ text, calls, finish }).toEqual({ text: 'Hm. ', calls: [], finish: 'stop' })
  })

  test('hold nothing back at the end', async () => {
    const { text } = await answer(says('One EN', 2), { request: { stop: ['END'], tools: [] } })
    expect(text).toBe('One EN')
  })
})

describe('a response format', () => {
  const responseFormat = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } }

  test('beside taught tools is said in words, or no call could be written', async () => {
    const { asked } = await answer(says('{}'), { request: { responseFormat } })
    expect(asked?.responseFormat).toBeUndefined()
    expect(textOf(asked?.messages[0]?.content ?? '')).toContain('fits this JSON Schema: {"type": "object"}')
  })

  test.each<[string, Partial<Options>]>([
    ['without tools', { request: { responseFormat, tools: [] } }],
    ['with native tools', { request: { responseFormat }, capabilities: { nativeTools: 'yes' } }],
  ])('%s goes on', async (_, options) => {
    expect((await answer(says('{}'), options)).asked?.responseFormat).toEqual(responseFormat)
  })
})

describe('log probabilities', () => {
  const content = [{ token: 'Hi', logprob: -0.1, bytes: null, top_logprobs: [] }]
  const script: Script = [
    [
      { type: 'text', text: 'Hi' },
      { type: 'logprobs', content },
    ],
    [{ type: 'finish', reason: 'stop' }],
  ]
  const sampling = { logprobs: true, topLogprobs: 2, temperature: 1 }

  test('without tools are asked for and told', async () => {
    const { asked, events } = await answer(script, { request: { sampling, tools: [] } })
    expect(asked?.sampling).toEqual(sampling)
    expect(events).toContainEqual({ type: 'logprobs', content })
  })

  test('of an answer with marks in it are neither', async () => {
    const { asked, events } = await answer(script, { request: { sampling } })
    expect(asked?.sampling).toEqual({ temperature: 1 })
    expect(events.some(({ type }) => type === 'logprobs')).toBe(false)
  })
})

describe('a call the client insists on', () => {
  const toolChoice = { mode: 'named', name: 'read' } as const

  test('is begun for a model whose service goes on from there', async () => {
    const rest: UpstreamEvent = { type: 'text', text: ' {"path": "/a"}}\n</tool_call>' }
    const { asked, calls, text } = await answer([[rest], [{ type: 'finish', reason: 'stop' }]], {
      request: { toolChoice },
      capabilities: { prefill: true },
    })
    expect(asked?.prefill).toBe('<tool_call>\n{"name": "read", "arguments":')
    expect(calls).toMatchObject([{ name: 'read', arguments: '{"path": "/a"}', ended: true }])
    expect(text).toBe('')
  })

  test.each([1, 4, 1000])('is read once where the service repeats its beginning, in pieces of %i', async (size) => {
    const said = '<tool_call>\n{"name": "read", "arguments": {"path": "/a"}}\n</tool_call>'
    const { calls, text, finish, notes } = await answer(says(said, size), {
      request: { toolChoice },
      capabilities: { prefill: true },
    })
    expect(calls).toMatchObject([{ name: 'read', arguments: '{"path": "/a"}', ended: true }])
    expect({ text, finish }).toEqual({ text: '', finish: 'tool_calls' })
    expect(notes).toContain('prefill_repeated')
  })

  test('keeps only what was said where the service begins anew and calls nothing', async () => {
    const { calls, text } = await answer(says('I would rather not.', 3), {
      request: { toolChoice },
      capabilities: { prefill: true },
    })
    expect({ calls, text }).toEqual({ calls: [], text: 'I would rather not.' })
  })

  test('is held to a schema where the service can', async () => {
    const { asked, calls } = await answer(says('{"name": "read", "arguments": {"path": "/a"}}', 5), {
      request: { toolChoice },
      capabilities: { constraints: [{ kind: 'json-schema' }] },
    })
    expect(asked?.constraint).toMatchObject({ schema: { properties: { name: { const: 'read' } } } })
    expect(asked?.thinks).toBe(false)
    expect(textOf(asked?.messages[0]?.content ?? '')).toContain('nothing but one JSON object')
    expect(calls).toMatchObject([{ name: 'read', ended: true }])
  })

  test('is asked for in words where there is nothing else', async () => {
    const { asked } = await answer(says(call('read')), { request: { toolChoice } })
    expect(asked).not.toHaveProperty('prefill')
    expect(asked).not.toHaveProperty('constraint')
    expect(textOf(asked?.messages[0]?.content ?? '')).toContain('Your next answer must call the tool read')
  })
})

describe('a budget for tools', () => {
  const wordy: Tool = { ...read, name: 'wordy', description: 'Says a lot. '.repeat(200) }

  test('shortens what is taught and what is sent, and says so', async () => {
    const taught = await answer(says('Hi.'), { request: { tools: [wordy] }, settings: { toolsBudget: 100 } })
    expect(textOf(taught.asked?.messages[0]?.content ?? '').length).toBeLessThan(1_000)
    expect(taught.notes).toContain('tools_tightened')
    const native = await answer(says('Hi.'), {
      request: { tools: [wordy] },
      settings: { toolsBudget: 100 },
      capabilities: { nativeTools: 'yes' },
    })
    expect(JSON.stringify(native.asked?.tools).length).toBeLessThan(400)
  })

  test('changes nothing where it suffices', async () => {
    const { notes } = await answer(says('Hi.'), { request: { tools: [wordy] }, settings: { toolsBudget: 10_000 } })
    expect(notes).not.toContain('tools_tightened')
  })
})

test('the grammar of a custom tool is told with it', async () => {
  const tool: Tool = {
    kind: 'custom',
    name: 'sql',
    format: { type: 'grammar', grammar: { syntax: 'regex', definition: '^SELECT' } },
  }
  const { asked } = await answer(says('Hi.'), { request: { tools: [tool] } })
  expect(textOf(asked?.messages[0]?.content ?? '')).toContain('It must fit this regex grammar:\\n^SELECT')
})
