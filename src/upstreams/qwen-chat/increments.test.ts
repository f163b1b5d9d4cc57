import { describe, expect, test } from 'vitest'
import { createIncrements, createSnapshots } from './increments.ts'

const long = 'So much of a beginning does not come again by chance. '

describe('increments', () => {
  test.each<[string, readonly string[], string]>([
    ['pieces', ['a', 'b', 'c'], 'abc'],
    ['the same piece again', ['ha', 'ha', 'ha', 'ha!'], 'hahahaha!'],
    ['one that begins like the first', ['1', '10', '0'], '1100'],
    ['one that begins like the first, at the end', ['1', '10'], '110'],
    ['all each time', ['a', 'ab', 'abc'], 'abc'],
    ['all each time, the last twice', ['a', 'ab', 'abc', 'abc'], 'abc'],
    ['all once more at the end', ['So much of ', long.slice(11), long], long],
    ['all once more and a bit', ['So much of ', long.slice(11), `${long}End.`], `${long}End.`],
    ['empty pieces between', ['a', '', 'b', ''], 'ab'],
    ['nothing', [], ''],
  ])('%s', (_, pieces, whole) => {
    const increments = createIncrements()
    expect(pieces.map((piece) => increments.add(piece)).join('') + increments.end()).toBe(whole)
  })

  test('only a doubtful piece waits', () => {
    const increments = createIncrements()
    expect(['1', '10', '0', '1'].map((piece) => increments.add(piece))).toEqual(['1', '', '100', '1'])
  })
})

test.each<[string, readonly string[], readonly string[]]>([
  ['that grow add their ends', ['a', 'ab', 'ab', 'abc'], ['a', 'b', '', 'c']],
  ['that change are told from there', ['abc', 'axyz'], ['abc', 'xyz']],
  ['that shrink add nothing', ['abc', 'ab', 'abcd'], ['abc', '', 'cd']],
])('snapshots %s', (_, snapshots, added) => {
  const take = createSnapshots()
  expect(snapshots.map(take)).toEqual(added)
})
