import { describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { inUsualOrder, type Message } from '../../src/protocol/message.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { defaultSettings, type ModelSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import { collect, context, createScripted, fold, type Scripted, says, toRequest, turnsOver } from './scripted.ts'

const read: Tool = { kind: 'function', name: 'read' }
const none = { mode: 'none' } as const

const plans: readonly [
  name: string,
  given: {
    settings?: Partial<ModelSettings>
    nativeTools?: 'yes' | 'no' | 'unknown'
    header?: 'native' | 'prompt'
    tools?: readonly Tool[]
    toolChoice?: typeof none
  },
  plan: object,
][] = [
  ['no tools: none', { tools: [] }, { mode: 'none' }],
  ['a choice of none: none', { toolChoice: none }, { mode: 'none' }],
  ['auto and a service with tools: native', { nativeTools: 'yes' }, { mode: 'native' }],
  ['auto and a service without: prompt', { nativeTools: 'no' }, { mode: 'prompt', dialect: 'hermes' }],
  ['auto and nobody knows: native, to begin with', { nativeTools: 'unknown' }, { mode: 'native' }],
  ['set to native: native', { settings: { tools: 'native' }, nativeTools: 'no' }, { mode: 'native' }],
  [
    'set to prompt: prompt',
    { settings: { tools: 'prompt' }, nativeTools: 'yes' },
    { mode: 'prompt', dialect: 'hermes' },
  ],
  [
    'set to a dialect: that dialect',
    { settings: { tools: 'prompt', dialect: 'roo-xml' } },
    { mode: 'prompt', dialect: 'roo-xml' },
  ],
  ['the header wins over the settings', { settings: { tools: 'prompt' }, header: 'native' }, { mode: 'native' }],
  [
    'the header wins over what the service can',
    { nativeTools: 'yes', header: 'prompt' },
    { mode: 'prompt', dialect: 'hermes' },
  ],
]

describe('the plan', () => {
  test.each(plans)('%s', async (_, { settings, nativeTools = 'unknown', header, tools = [read], toolChoice }, plan) => {
    const upstream = createScripted([says('hi')], { nativeTools })
    const turns = turnsOver(upstream, { model: 'Qwen/Qwen3-8B', ...settings })
    const turn = await turns.start(toRequest('Go.', { tools, ...(toolChoice && { toolChoice }) }), {
      ...context,
      ...(header && { overrides: { tools: header } }),
    })
    expect(turn.plan).toEqual({ upstream: 'scripted', model: 'Qwen/Qwen3-8B', ...plan })
    await collect(turn)
  })

  test('what the chat template shows counts more than the name, and less than the settings', async () => {
    const template = "{{ '<tool_call>\\n<function=' + name + '>\\n<parameter=' + key + '>' }}"
    const dialectOf = async (settings: Partial<ModelSettings>) => {
      const upstream = {
        ...createScripted([says('hi')]),
        probe: async () => ({ nativeTools: 'no', template }) as const,
      }
      const turn = await turnsOver(upstream, { model: 'hermes-4', ...settings }).start(
        toRequest('Go.', { tools: [read] }),
        context,
      )
      await collect(turn)
      return turn.plan.dialect
    }
    expect(await dialectOf({})).toBe('qwen3-coder')
    expect(await dialectOf({ tools: 'prompt' })).toBe('qwen3-coder')
    expect(await dialectOf({ tools: 'prompt', dialect: 'roo-xml' })).toBe('roo-xml')
  })

  test('an unknown dialect in the settings is told', async () => {
    const turns = turnsOver(createScripted([]), { dialect: 'klingon' })
    await expect(turns.start(toRequest('Go.', { tools: [read] }), context)).rejects.toThrow(
      "unknown dialect, 'klingon'",
    )
  })

  test('the service is asked for the upstream name of the model, with the key of the client', async () => {
    const upstream = createScripted([says('hi')])
    const turns = turnsOver(upstream, { model: 'Qwen/Qwen3-8B' })
    await collect(await turns.start(toRequest('Go.'), { ...context, clientKey: 'sk-mine' }))
    expect(upstream.asked[0]).toMatchObject({ model: 'Qwen/Qwen3-8B', clientKey: 'sk-mine' })
  })

  const history: readonly Message[] = [
    { role: 'user', content: 'Go.' },
    {
      role: 'assistant',
      content: inUsualOrder({ calls: [{ id: 'a', kind: 'function', name: 'read', arguments: '{}' }] }),
    },
    { role: 'tool', callId: 'a', content: 'done' },
  ]

  test('earlier calls are told in words to a model without tools, though this turn has none', async () => {
    const upstream = createScripted([says('ok <tool_call>')], { nativeTools: 'no' })
    const turn = await turnsOver(upstream, { dialect: 'hermes' }).start(toRequest(history), context)
    expect(turn.plan).toEqual({ mode: 'none', upstream: 'scripted', model: 'model' })
    expect(fold(await collect(turn)).text).toBe('ok <tool_call>')
    expect(upstream.asked[0]?.messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'user'])
  })

  test('earlier calls go unchanged to a service with tools', async () => {
    const upstream = createScripted([says('ok')], { nativeTools: 'yes' })
    await collect(await turnsOver(upstream).start(toRequest(history), context))
    expect(upstream.asked[0]?.messages).toEqual(history)
  })
})

function over(upstreams: readonly Scripted[], models: readonly ModelSettings[] = []) {
  return createTurns({
    upstreams: new Map(upstreams.map((upstream) => [upstream.name, upstream])),
    models,
    newId: () => 'call_1',
    now: () => 0,
  })
}

describe('finding the model', () => {
  const local = () =>
    createScripted([says('from local')], { name: 'local', models: [{ id: 'llama', contextLength: 4096 }] })
  const spare = () => createScripted([says('from spare')], { name: 'spare', models: [{ id: 'gemma' }] })

  test('a model nobody configured is served by the upstream that lists it', async () => {
    const turn = await over([local(), spare()]).start(toRequest('Go.', { model: 'gemma' }), context)
    expect(turn.plan).toMatchObject({ upstream: 'spare', model: 'gemma' })
  })

  test('a model nobody lists is refused with the nearest name', async () => {
    await expect(over([local(), spare()]).start(toRequest('Go.', { model: 'gema' }), context)).rejects.toThrow(
      "The model 'gema' does not exist. Did you mean 'gemma'?",
    )
  })

  test('a list that could not be had is not taken for a list without the model', async () => {
    const failure = new GatewayError('upstream_unreachable', 'down')
    const dead = { ...local(), models: () => Promise.reject(failure) }
    await expect(over([dead]).start(toRequest('Go.', { model: 'gema' }), context)).rejects.toBe(failure)
  })

  test.each<[string, readonly ModelSettings[], readonly Scripted[]]>([
    ['configured', [defaultSettings('gemma', ['local'])], []],
    ['listed elsewhere', [], [spare()]],
  ])('a misspelt name of a model that is %s is no failure of the service that is down', async (_, models, others) => {
    const failure = new GatewayError('upstream_timeout', 'local: no answer within 10000 ms (timeout)')
    const dead = { ...local(), models: () => Promise.reject(failure) }
    for (const model of ['gema', 'something else']) {
      const refusal = await over([dead, ...others], models)
        .start(toRequest('Go.', { model }), context)
        .catch((thrown: unknown) => thrown)
      expect(refusal).toMatchObject({ code: 'model_not_found', status: 404, param: 'model' })
      expect(refusal).toMatchObject({ message: expect.stringMatching(/'local'/) })
      expect(refusal).not.toMatchObject({ message: expect.stringMatching(/time.?out/i) })
      if (model === 'gema') expect(refusal).toMatchObject({ message: expect.stringContaining("Did you mean 'gemma'?") })
    }
  })

  test('models are the configured ones and the listed ones', async () => {
    const configured = {
      ...defaultSettings('mine', ['local']),
      model: 'llama',
      tools: 'prompt',
      dialect: 'roo-xml',
    } as const
    expect(await over([local(), spare()], [configured]).models(context.signal)).toEqual([
      { id: 'mine', ownedBy: 'local', tools: 'prompt', dialect: 'roo-xml', contextLength: 4096 },
      { id: 'llama', ownedBy: 'local', tools: 'auto', dialect: expect.any(String), contextLength: 4096 },
      { id: 'gemma', ownedBy: 'spare', tools: 'auto', dialect: expect.any(String) },
    ])
  })
})

test.each(['auto', 'prompt'] as const)(
  'a service that knows words only is shown with its tools in the prompt',
  async (tools) => {
    const words = { ...createScripted([], { name: 'words', models: [{ id: 'bot' }] }), toolsInWords: true as const }
    const cards = await over([words], [{ ...defaultSettings('mine', ['words']), tools }]).models(context.signal)
    expect(cards.map((card) => [card.id, card.tools])).toEqual([
      ['mine', 'prompt'],
      ['bot', 'prompt'],
    ])
  },
)

describe('several upstreams', () => {
  const both = [defaultSettings('model', ['first', 'second'])]
  const second = () => createScripted([says('from second')], { name: 'second' })
  const failing = (failure: Error) => createScripted([[failure]], { name: 'first' })

  test('the next one answers when the first cannot', async () => {
    const turns = over([failing(new GatewayError('upstream_unreachable', 'down')), second()], both)
    const turn = await turns.start(toRequest('Go.'), context)
    expect(turn.plan.upstream).toBe('second')
    expect(fold(await collect(turn)).text).toBe('from second')
  })

  test('a request the first one rejects is not tried elsewhere', async () => {
    const spare = second()
    const turns = over([failing(new GatewayError('upstream_rejected', 'bad field')), spare], both)
    await expect(turns.start(toRequest('Go.'), context)).rejects.toThrow('bad field')
    expect(spare.asked).toEqual([])
  })

  test('when all fail the last failure is told', async () => {
    const last = createScripted([[new GatewayError('upstream_overloaded', 'full')]], { name: 'second' })
    const turns = over([failing(new GatewayError('upstream_unreachable', 'down')), last], both)
    await expect(turns.start(toRequest('Go.'), context)).rejects.toThrow('full')
  })
})
