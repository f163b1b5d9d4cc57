import { expect, test } from 'vitest'
import { createTerms } from './terms.ts'

test('what comes back is known for twice as long, up to an hour', () => {
  let time = 0
  const terms = createTerms<string>(() => time)
  const lengths: number[] = []
  for (let round = 0; round < 8; round++) {
    const from = time
    terms.learn('a', 'x', 60_000)
    while (terms.known('a') === 'x') time += 60_000
    lengths.push((time - from) / 60_000)
  }
  expect(lengths).toEqual([1, 2, 4, 8, 16, 32, 60, 60])
})

test('what did not come back for an hour begins anew', () => {
  let time = 0
  const terms = createTerms<string>(() => time)
  terms.learn('a', 'x', 60_000)
  time = 60_000 + 3_600_000
  terms.learn('a', 'x', 60_000)
  time += 60_000
  expect(terms.known('a')).toBeUndefined()
})

test('while it is known, learning it again prolongs nothing', () => {
  let time = 0
  const terms = createTerms<string>(() => time)
  terms.learn('a', 'x', 60_000)
  time = 59_000
  terms.learn('a', 'x', 60_000)
  time = 60_000
  expect(terms.known('a')).toBeUndefined()
})
