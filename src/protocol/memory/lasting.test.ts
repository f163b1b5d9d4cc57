import { expect, test } from 'vitest'
import { isLasting, lasting, MadeOf } from './lasting.ts'

test('what is made of something that lasts is kept with it, each thing by itself', () => {
  const sizes = new MadeOf<number>()
  const names = new MadeOf<string>()
  const message = lasting({ role: 'user', content: 'Hello' })
  sizes.set(message, 5)
  expect([sizes.get(message), names.get(message)]).toEqual([5, undefined])
  names.set(message, 'greeting')
  expect([sizes.get(message), names.get(message)]).toEqual([5, 'greeting'])
})

test('it cannot be changed, and looks as it did', () => {
  const message = lasting({ role: 'user', content: 'Hello' })
  expect(Object.isFrozen(message)).toBe(true)
  expect(Object.keys(message)).toEqual(['role', 'content'])
  expect(JSON.stringify(message)).toBe('{"role":"user","content":"Hello"}')
  expect(lasting(message)).toBe(message)
})

test.each([
  ['a copy', { ...lasting({ role: 'user' }) }],
  ['something frozen by others', Object.freeze({ role: 'user' })],
  ['anything else', {}],
])('of %s nothing is kept', (_, value) => {
  const sizes = new MadeOf<number>()
  sizes.set(value, 1)
  expect(sizes.get(value)).toBeUndefined()
  expect(isLasting(value)).toBe(false)
})
