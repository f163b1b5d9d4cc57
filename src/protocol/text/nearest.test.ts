import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const keys = ['listen', 'keys', 'upstreams', 'models', 'sessions', 'limits', 'timeouts', 'unknown_tools']

test.each([
  ['lisen', 'listen'],
  ['Listen', 'listen'],
  ['upstream', 'upstreams'],
  ['timeuots', 'timeouts'],
  ['unknown-tools', 'unknown_tools'],
  ['key', 'keys'],
])('%s is taken for %s', (typed, meant) => {
  expect(nearest(typed, keys)).toBe(meant)
})

test.each(['colour', 'x', '', 'zzzzzzzzzz'])('%j is near nothing', (typed) => {
  expect(nearest(typed, keys)).toBeUndefined()
})

test('the closest wins over the first', () => {
  expect(nearest('tool', ['took', 'tools', 'tool'])).toBe('tool')
})
