import fc from 'fast-check'
import { expect, test } from 'vitest'
import { toKey } from './memory.ts'

const words = fc.array(fc.string({ unit: fc.constantFrom('1', '2', ' ', 'a') }), { maxLength: 4 })

test('other words make another key', () => {
  fc.assert(
    fc.property(words, words, (some, others) => {
      expect(toKey(...some) === toKey(...others)).toBe(JSON.stringify(some) === JSON.stringify(others))
    }),
  )
})
