import { expect, test } from 'vitest'
import type { Capabilities, Upstream } from '../../upstreams/upstream.ts'
import { createCapabilityCache } from './capabilities.ts'

const { signal } = new AbortController()

function start(probe: () => Promise<Capabilities>) {
  let time = 0
  let asked = 0
  const upstream: Upstream = {
    name: 'u',
    kind: 'none',
    chat: () => {
      throw new Error('not asked')
    },
    models: async () => [],
    probe: () => {
      asked += 1
      return probe()
    },
    close: async () => undefined,
  }
  const capabilityCache = createCapabilityCache(() => time)
  return {
    capabilityCache,
    upstream,
    nativeTools: async () => (await capabilityCache.capabilities(upstream, 'm', signal)).nativeTools,
    asked: () => asked,
    pass: (ms: number) => (time += ms),
  }
}

test('an upstream is asked once for as long as its answer holds', async () => {
  const { nativeTools, asked, pass, capabilityCache } = start(async () => ({ nativeTools: 'yes', knownForMs: 1_000 }))
  expect(capabilityCache.toolsOf('u', 'm')).toBeUndefined()
  expect([await nativeTools(), await nativeTools(), asked()]).toEqual(['yes', 'yes', 1])
  expect(capabilityCache.toolsOf('u', 'm')).toBe('native')
  pass(1_000)
  expect(capabilityCache.toolsOf('u', 'm')).toBeUndefined()
  await nativeTools()
  expect(asked()).toBe(2)
})

test('one that cannot be asked is unknown, and soon asked again', async () => {
  const { nativeTools, asked, pass } = start(() => Promise.reject(new Error('away')))
  expect(await nativeTools()).toBe('unknown')
  pass(30_000)
  await nativeTools()
  expect(asked()).toBe(2)
})

test('what was refused counts more than what was said, for a while', async () => {
  const { nativeTools, capabilityCache, upstream, pass } = start(async () => ({
    nativeTools: 'yes',
    knownForMs: 600_000,
  }))
  await nativeTools()
  capabilityCache.refuse(upstream, 'm')
  expect([await nativeTools(), capabilityCache.toolsOf('u', 'm'), capabilityCache.toolsOf('u', 'n')]).toEqual([
    'no',
    'prompt',
    undefined,
  ])
  pass(60_000)
  expect(await nativeTools()).toBe('yes')
  capabilityCache.refuse(upstream, 'm')
  pass(60_000)
  expect(await nativeTools()).toBe('no')
  pass(60_000)
  expect(await nativeTools()).toBe('yes')
})

test('a refusal by one that could not be asked yet is soon doubted, once it says otherwise', async () => {
  let told: Capabilities = { nativeTools: 'unknown' }
  const { nativeTools, capabilityCache, upstream, pass } = start(async () => told)
  await nativeTools()
  capabilityCache.refuse(upstream, 'm')
  pass(30_000)
  expect(await nativeTools()).toBe('no')
  told = { nativeTools: 'yes' }
  pass(30_000)
  expect(await nativeTools()).toBe('yes')
})

test('where every client asks with a key of its own, a refusal holds for one of them, whatever the service says', async () => {
  const { capabilityCache, upstream } = start(async () => ({ nativeTools: 'yes' }))
  const own = { ...upstream, isPersonal: true }
  const toolsFor = async (client: string) => (await capabilityCache.capabilities(own, 'm', signal, client)).nativeTools
  await toolsFor('ada')
  capabilityCache.refuse(own, 'm', 'ada')
  expect([await toolsFor('ada'), await toolsFor('bob')]).toEqual(['no', 'yes'])
})
