import { expect, test } from 'vitest'
import type { Summary } from '../../src/traces/exchange.ts'
import { rowAt, toOffsets, toRows } from './rows.ts'

const list = (['a1', 'b1', 'a2', 'c1'] as const).map((id) => ({ id, conversation: id.charAt(0) }) as Summary)
const keys = (isGrouped: boolean, closed: readonly string[] = []) =>
  toRows(list, isGrouped, new Set(closed)).map(({ key }) => key)

test.each<[string, readonly string[], readonly string[]]>([
  ['ungrouped, all in order', keys(false), ['a1', 'b1', 'a2', 'c1']],
  ['grouped, a heading where there are several turns', keys(true), ['group a', 'a1', 'a2', 'b1', 'c1']],
  ['a closed group shows its heading only', keys(true, ['a']), ['group a', 'b1', 'c1']],
  ['a single turn cannot be closed', keys(true, ['b']), ['group a', 'a1', 'a2', 'b1', 'c1']],
])('%s', (_what, found, expected) => {
  expect(found).toEqual(expected)
})

const offsets = toOffsets(toRows(list, true, new Set()), { exchange: 10, group: 4 })

test('requests that belong to no conversation are no conversation', () => {
  const alone = [{ id: 'x1' }, { id: 'x2' }, { id: 'x3', conversation: 'x' }] as Summary[]
  expect(toRows(alone, true, new Set()).map(({ kind, key }) => [kind, key])).toEqual([
    ['exchange', 'x1'],
    ['exchange', 'x2'],
    ['exchange', 'x3'],
  ])
})

test('rows lie under each other, each as high as its kind', () => {
  expect([...offsets]).toEqual([0, 4, 14, 24, 34, 44])
})

test.each([
  [-5, 0],
  [0, 0],
  [3.9, 0],
  [4, 1],
  [13, 1],
  [14, 2],
  [43, 4],
  [1_000, 4],
])('at %i stands row %i', (height, row) => {
  expect(rowAt(offsets, height)).toBe(row)
})

test('no rows, no trouble', () => {
  expect(rowAt(toOffsets([], { exchange: 10, group: 4 }), 100)).toBe(0)
})
