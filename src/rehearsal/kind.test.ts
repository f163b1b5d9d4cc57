import { expect, test } from 'vitest'
import { createUpstream } from '../upstreams/registry.ts'
import { rehearsalWith } from './kind.ts'

const context = { timeouts: { connectMs: 1, firstEventMs: 1, idleMs: 1, totalMs: 1 } }

test('rehearsal is made by its kind, handed in', async () => {
  const kinds = [rehearsalWith({ hear: () => undefined })]
  const upstream = createUpstream('mine', { kind: 'rehearsal', pieceSize: 2, thinking: true }, context, kinds)
  expect([upstream.name, upstream.kind]).toEqual(['mine', 'rehearsal'])
  await upstream.close()
})
