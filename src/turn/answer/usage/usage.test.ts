import { describe, expect, test } from 'vitest'
import type { Event } from '../../../protocol/event.ts'
import { addUsage } from '../../../protocol/usage.ts'
import type { Upstream, UpstreamRequest } from '../../../upstreams/upstream.ts'
import { openGuard } from '../../prompt/guard/guard.ts'
import { withUsage } from './usage.ts'

const request: UpstreamRequest = {
  model: 'm',
  messages: [{ role: 'user', content: 'Where is the lamp?' }],
  tools: [],
  sampling: {},
  extra: {},
}
const upstream: Upstream = {
  name: 'u',
  kind: 'u',
  async *chat() {
    yield []
  },
  models: async () => [],
  probe: async () => ({ nativeTools: 'no' }),
  close: async () => undefined,
}

async function counted(
  usage: Extract<Event, { type: 'usage' }>,
  more: Partial<Upstream> = {},
  taught = '',
  isReported?: boolean,
) {
  const { signal } = new AbortController()
  const parts = {
    upstream: { ...upstream, ...more },
    prepared: { request, guard: openGuard, notes: [], taught },
    answer: { produced: 'In the den.' },
    signal,
    isReported,
  }
  return await withUsage(
    [{ type: 'text-delta', text: 'In the den.' }, usage, { type: 'finish', reason: 'stop' }],
    parts,
  )
}

const guess: Extract<Event, { type: 'usage' }> = {
  type: 'usage',
  promptTokens: 1,
  completionTokens: 1,
  estimated: true,
}

describe('usage', () => {
  test('the service told is left as it is', async () => {
    const told = { type: 'usage', promptTokens: 7, completionTokens: 3, cachedTokens: 2 } as const
    expect((await counted(told)).slice(-2)).toEqual([told, { type: 'finish', reason: 'stop' }])
  })

  test('nobody told is counted by the tokenizer of the service', async () => {
    const events = await counted(guess, { countTokens: async () => 1234 })
    expect(events.at(-2)).toEqual({ type: 'usage', promptTokens: 1234, completionTokens: 4, estimated: true })
  })

  test.each<[string, Partial<Upstream>]>([
    ['has none', {}],
    ['fails', { countTokens: async () => Promise.reject(new Error('no')) }],
  ])('is estimated where the service %s', async (_, more) => {
    expect((await counted(guess, more)).at(-2)).toEqual({
      type: 'usage',
      promptTokens: 9,
      completionTokens: 4,
      estimated: true,
    })
  })

  test('nobody is told is not counted: the service is not asked, and the guess stays', async () => {
    const countTokens = async (): Promise<number> => {
      throw new Error('asked')
    }
    expect((await counted(guess, { countTokens }, '', false)).at(-2)).toEqual(guess)
  })

  test('tells how much of the prompt taught tools', async () => {
    const told = { type: 'usage', promptTokens: 100, completionTokens: 3 } as const
    expect(await counted(told, {}, 'The tools')).toContainEqual({
      type: 'note',
      kind: 'usage_split',
      detail: 'client 50, tools 50',
    })
  })

  test('of several askings adds up', () => {
    const sum = addUsage(
      { promptTokens: 1, completionTokens: 2 },
      { promptTokens: 3, completionTokens: 4, cachedTokens: 5, estimated: true },
    )
    expect(sum).toEqual({ promptTokens: 4, completionTokens: 6, cachedTokens: 5, estimated: true })
  })
})
