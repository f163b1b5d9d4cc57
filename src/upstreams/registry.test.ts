import { expect, test } from 'vitest'
import { createUpstream, type UpstreamSettings } from './registry.ts'

const context = { timeouts: { connectMs: 1, firstEventMs: 1, idleMs: 1, totalMs: 1 } }

test.each<UpstreamSettings>([
  { kind: 'openai', url: 'http://127.0.0.1:9/v1', key: 'k', forward: 'all' },
  { kind: 'qwen-chat', key: 'k', mode: 'stateful', parent: 'parent_id', thinking: 'auto' },
  { kind: 'poe', key: 'passthrough' },
])('$kind is made by its kind', async (settings) => {
  const upstream = createUpstream('mine', settings, context)
  expect([upstream.name, upstream.kind]).toEqual(['mine', settings.kind])
  await upstream.close()
})
