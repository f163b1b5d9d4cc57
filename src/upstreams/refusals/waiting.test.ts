import { expect, test } from 'vitest'
import { waitWords } from './waiting.ts'

test.each([
  [14_400, '4 hours'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [60, '1 minute'],
  [61, '61 seconds'],
  [700, '12 minutes'],
  [0.2, '1 second'],
])('%d seconds are %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words)
})
