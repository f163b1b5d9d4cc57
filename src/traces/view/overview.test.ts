import { expect, test } from 'vitest'
import type { Summary } from '../exchange.ts'
import { toOverview } from './overview.ts'

const base: Summary = {
  id: 'x',
  requestId: 'r',
  at: 1000,
  client: 'c',
  door: 'chat',
  path: '/',
  model: 'a',
  mode: 'prompt',
  dialect: 'hermes',
  streamed: true,
  state: 'done',
  firstByteMs: 100,
  totalMs: 1100,
  usage: { promptTokens: 10, completionTokens: 50 },
  calls: 1,
  notes: [],
  conversation: 'v',
}

const range = { from: 0, to: 4000, buckets: 4, isComplete: true }

test('figures by time and model', () => {
  const { all, models, bucketMs } = toOverview(
    [
      base,
      { ...base, at: 1999, firstByteMs: 300 },
      { ...base, at: 3000, model: 'b', state: 'failed', error: { code: 'upstream_error', message: '' }, calls: 0 },
    ],
    range,
  )
  expect(bucketMs).toBe(1000)
  expect(all.buckets.map(({ requests, failed }) => [requests, failed])).toEqual([
    [0, 0],
    [2, 0],
    [0, 0],
    [1, 1],
  ])
  expect(all.buckets[1]).toMatchObject({
    at: 1000,
    firstByteMs: { p50: 100, p95: 300 },
    tokensPerSecond: { p50: 50, p95: 62.5 },
    promptTokens: 20,
    completionTokens: 100,
    calls: 2,
  })
  expect(all.buckets[0]).not.toHaveProperty('firstByteMs')
  expect(models.map(({ model, total }) => [model, total.requests])).toEqual([
    ['a', 2],
    ['b', 1],
  ])
})

test('tokens by key, in all and for each model, those that took most first', () => {
  const used = base.usage
  const { all, models } = toOverview(
    [{ ...base, keyName: 'alice' }, { ...base, keyName: 'bob' }, { ...base, keyName: 'bob', model: 'b' }, base],
    range,
  )
  const tokens = (used?.promptTokens ?? 0) + (used?.completionTokens ?? 0)
  expect(all.keys).toEqual([
    { key: 'bob', exchanges: 2, tokens: 2 * tokens },
    { key: 'alice', exchanges: 1, tokens },
  ])
  expect(models.find(({ model }) => model === 'b')?.keys).toEqual([{ key: 'bob', exchanges: 1, tokens }])
})

test('calls by dialect, notes and errors by how often they came', () => {
  const { mode: _mode, dialect: _dialect, ...plain } = base
  const { all } = toOverview(
    [
      { ...base, notes: ['json_repaired', 'schema_violation'] },
      { ...base, notes: ['json_repaired'] },
      { ...plain, mode: 'native', calls: 3 },
      { ...plain, mode: 'none', calls: 0, error: { code: 'queue_full', message: '' } },
    ],
    range,
  )
  const { dialects, notes, errors } = all
  expect(dialects).toEqual([
    { dialect: 'hermes', exchanges: 2, calls: 2, flawed: 1 },
    { dialect: 'native', exchanges: 1, calls: 3, flawed: 0 },
  ])
  expect(notes.map(({ kind, exchanges }) => [kind, exchanges])).toEqual([
    ['json_repaired', 2],
    ['schema_violation', 1],
  ])
  expect(notes[0]?.words).toBe('The JSON had mistakes that could be fixed.')
  expect(errors).toEqual([{ code: 'queue_full', exchanges: 1 }])
})
