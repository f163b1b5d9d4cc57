import { afterEach, describe, expect, test } from 'vitest'
import type { Gateway } from '../../src/server/gateway-options.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { Upstream, UpstreamEvent } from '../../src/upstreams/upstream.ts'
import { ask, createManualClock, run } from '../server/scripted.ts'
import { createScripted, says, turnsOver } from '../turn/scripted.ts'

const gateways: Gateway[] = []
afterEach(async () => {
  await Promise.all(gateways.splice(0).map((gateway) => gateway.close()))
})

const tool = {
  type: 'function',
  function: {
    name: 'read',
    parameters: {
      type: 'object',
      properties: { path: { type: 'string' }, lines: { type: 'integer' } },
      required: ['path'],
    },
  },
}
const call = (name: string, json: string) => `<tool_call>\n{"name": "${name}", "arguments": ${json}}\n</tool_call>`
const good = call('read', '{"path": "/a"}')

async function serve(upstream: Upstream, settings: Partial<ModelSettings> = {}, clock = createManualClock()) {
  const turns = turnsOver(upstream, { tools: 'prompt', dialect: 'hermes', ...settings })
  const { gateway, port } = await run({ turns, clock })
  gateways.push(gateway)
  return port
}

interface Chunk {
  readonly choices: readonly {
    readonly delta: {
      readonly content?: string
      readonly tool_calls?: readonly { readonly function: { readonly name?: string; readonly arguments: string } }[]
    }
    readonly finish_reason: string | null
  }[]
}

function chunksOf(text: string): readonly Chunk[] {
  return text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Chunk)
}

const body = { model: 'model', messages: [{ role: 'user', content: 'Go.' }], tools: [tool] }

describe.each([
  ['no call', '', { tool_choice: 'required' }],
  ['an unknown name', call('fly', '{"path": "/a"}'), {}],
  ['a missing argument', call('read', '{}'), {}],
  ['an argument of another type', call('read', '{"path": "/a", "lines": "many"}'), {}],
  ['broken JSON', '<tool_call>\n{"name": "read", "arguments": {"path" = ;;}}\n</tool_call>', {}],
])('a model that errs once with %s', (_, wrong, more) => {
  const scripts = () => createScripted([says(`Let me look.\n${wrong}`, 5), says(good, 5)])

  test('ends in a valid call after its live words, streamed', async () => {
    const port = await serve(scripts(), { repair: 1 })
    const { text } = await ask(port, { body: { ...body, ...more, stream: true } })
    const chunks = chunksOf(text).map(({ choices }) => choices[0])
    const said = chunks.map((choice) => choice?.delta.content ?? '').join('')
    const calls = chunks.flatMap((choice) => choice?.delta.tool_calls ?? [])
    expect(said.trimEnd()).toBe('Let me look.')
    expect(calls.map((one) => one.function.name).filter(Boolean)).toEqual(['read'])
    expect(JSON.parse(calls.map((one) => one.function.arguments).join(''))).toEqual({ path: '/a' })
    expect(chunks.at(-1)?.finish_reason).toBe('tool_calls')
    expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  })

  test('ends in a valid call after its words, whole', async () => {
    const port = await serve(scripts(), { repair: 1 })
    const { json } = await ask(port, { body: { ...body, ...more } })
    const [choice] = json.choices
    expect(choice.message.content.trimEnd()).toBe('Let me look.')
    expect(choice.message.tool_calls).toMatchObject([{ type: 'function', function: { name: 'read' } }])
    expect(JSON.parse(choice.message.tool_calls[0].function.arguments)).toEqual({ path: '/a' })
    expect(choice.finish_reason).toBe('tool_calls')
  })
})

test('the client is kept waiting by comments while the model is asked again', async () => {
  const clock = createManualClock()
  let answer: (() => void) | undefined
  let asked = 0
  const upstream: Upstream = {
    ...createScripted([]),
    async *chat() {
      asked += 1
      if (asked === 2) {
        await new Promise<void>((resolve) => {
          answer = resolve
          setImmediate(() => clock.advance(60_000))
          setImmediate(() => setImmediate(resolve))
        })
      }
      yield [{ type: 'text', text: asked === 1 ? `Hm.\n${call('fly', '{}')}` : good }]
      yield [{ type: 'finish', reason: 'stop' }] satisfies UpstreamEvent[]
    },
  }
  const port = await serve(upstream, { repair: 1 }, clock)
  const { text } = await ask(port, { body: { ...body, stream: true } })
  expect(answer).toBeDefined()
  const words = text.indexOf('Hm.')
  const comment = text.indexOf('\n:', words)
  expect(words).toBeGreaterThan(-1)
  expect(comment).toBeGreaterThan(words)
  expect(text.indexOf('"name":"read"')).toBeGreaterThan(comment)
})

describe('a history with faults', () => {
  const messages = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'a', type: 'function', function: { name: 'read', arguments: '{"unfin' } }],
    },
    { role: 'user', content: 'Stop that.' },
    { role: 'tool', tool_call_id: 'gone', content: 'A file.' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'b', type: 'function', function: { name: 'read', arguments: { path: '/b' } } }],
    },
    { role: 'tool', content: [], tool_call_id: null },
    { role: 'user', content: null },
  ]

  test('is refused before anything goes upstream, all of it told', async () => {
    const upstream = createScripted([says('Hi.')])
    const { status, json } = await ask(await serve(upstream), { body: { ...body, messages } })
    expect({ status, param: json.error.param, code: json.error.code }).toEqual({
      status: 400,
      param: 'messages[1].tool_calls[0].function.arguments',
      code: 'malformed_tool_arguments',
    })
    for (const path of [
      'messages[3].tool_call_id',
      'messages[4].tool_calls[0].function.arguments',
      'messages[5].tool_call_id',
      'messages[6].content',
    ]) {
      expect(json.error.message).toContain(`[${path}]`)
    }
    expect(upstream.asked).toEqual([])
  })

  test.each(['native', 'prompt'] as const)('is healed in %s mode where the model is set so', async (tools) => {
    const upstream = createScripted([says('Hi.')])
    const { status, json } = await ask(await serve(upstream, { history: 'heal', tools }), {
      body: { ...body, messages },
    })
    expect({ status, said: json.choices[0].message.content }).toEqual({ status: 200, said: 'Hi.' })
    const told = JSON.stringify(upstream.asked[0]?.messages)
    for (const words of ['Stop that.', 'A file.', '/b']) expect(told).toContain(words)
    expect(told).not.toContain('unfin')
  })
})
