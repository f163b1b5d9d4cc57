import { expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import { defaultSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { ContextWindow, Upstream, UpstreamModel } from '../../src/upstreams/upstream.ts'

const never = new AbortController().signal
const gone = new GatewayError('upstream_unreachable', 'spare: gone')

function service(name: string, listed: readonly UpstreamModel[] | Error, window?: ContextWindow): Upstream {
  return {
    name,
    kind: 'scripted',
    async *chat() {
      yield []
    },
    async models() {
      if (listed instanceof Error) throw listed
      return listed
    },
    probe: async () => ({ nativeTools: 'no', ...(window && { context: window }) }),
    close: async () => undefined,
  }
}

function turnsOver(upstreams: readonly Upstream[], names: Readonly<Record<string, readonly string[]>> = {}) {
  const models = Object.entries(names).map(([name, serving]) => defaultSettings(name, serving))
  return createTurns({ upstreams: new Map(upstreams.map((one) => [one.name, one])), models, newId: () => 'call_1' })
}

test.each<[string, ContextWindow | undefined, number | undefined, number | undefined]>([
  ['what the list says', undefined, 8192, 8192],
  ['what is in force, whatever the list says', { tokens: 4096, most: 131_072 }, 8192, 4096],
  ['what it could have, where nothing else is known', { most: 131_072 }, undefined, 131_072],
  [
    'nothing, where the service may give it less and cut the rest off',
    { most: 131_072, cuts: true },
    undefined,
    undefined,
  ],
])('the context of a model is %s', async (_, window, listed, expected) => {
  const model = { id: 'a', ...(listed !== undefined && { contextLength: listed }) }
  const turns = turnsOver([service('local', [model], window)])
  await turns.services?.(never, { probed: 1 })
  const [card] = await turns.models(never)
  expect(card?.contextLength).toBe(expected)
})

test('a context that cuts prompts off is warned of while it is small', async () => {
  const tight = { tokens: 4096, cuts: true, remedy: 'Set NUM.' }
  const cardOf = async (window: ContextWindow) =>
    (await turnsOver([service('local', [{ id: 'a' }], window)]).services?.(never, { probed: 1 }))?.[0]?.models[0]
  expect((await cardOf(tight))?.warning).toContain('Set NUM.')
  expect(await cardOf({ ...tight, tokens: 65_536 })).not.toHaveProperty('warning')
})

test('a model is unavailable when every service that has it is away', async () => {
  const turns = turnsOver([service('local', [{ id: 'a' }]), service('spare', gone)], {
    lost: ['spare'],
    safe: ['spare', 'local'],
  })
  const cards = await turns.models(never)
  expect(cards.map(({ id, unavailable = false }) => [id, unavailable])).toEqual([
    ['lost', true],
    ['safe', false],
    ['a', false],
  ])
})

test('no models at all because no service answers is an error with the reasons', async () => {
  await expect(turnsOver([service('spare', gone)]).models(never)).rejects.toMatchObject({
    code: 'upstream_unreachable',
    message: expect.stringContaining('spare: gone'),
  })
  expect(await turnsOver([service('local', [])]).models(never)).toEqual([])
})

test('services are told with their models, and how tools reach them once that was asked', async () => {
  const turns = turnsOver([service('local', [{ id: 'a' }, { id: 'b' }]), service('spare', gone)], {
    c: ['spare', 'local'],
  })
  const services = await turns.services?.(never, { probed: 2 })
  expect(
    services?.map(({ name, state, models }) => [name, state, models.map(({ id, tools }) => `${id} ${tools}`)]),
  ).toEqual([
    ['local', 'up', ['c auto', 'a prompt', 'b auto']],
    ['spare', 'down', ['c auto']],
  ])
})
