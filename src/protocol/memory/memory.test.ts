import { expect, test } from 'vitest'
import { createMemory } from './memory.ts'

test('what was made once is given again', () => {
  const memory = createMemory<object>({ entries: 2, characters: 100 })
  const first = memory.recall('a', () => ({}))
  expect(memory.recall('a', () => ({}))).toBe(first)
})

test('the oldest goes when there are too many', () => {
  const memory = createMemory<object>({ entries: 2, characters: 100 })
  const [a, b] = ['a', 'b'].map((key) => memory.recall(key, () => ({})))
  memory.recall('c', () => ({}))
  expect(memory.recall('b', () => ({}))).toBe(b)
  expect(memory.recall('a', () => ({}))).not.toBe(a)
})

test('keys together stay within their length, and a huge one is not kept', () => {
  const memory = createMemory<object>({ entries: 100, characters: 10 })
  const long = memory.recall('x'.repeat(6), () => ({}))
  expect(memory.recall('x'.repeat(6), () => ({}))).not.toBe(long)
  const first = memory.recall('aaaa', () => ({}))
  memory.recall('bbbb', () => ({}))
  memory.recall('cccc', () => ({}))
  expect(memory.recall('aaaa', () => ({}))).not.toBe(first)
})

test('a make that throws is tried again', () => {
  const memory = createMemory<number>({ entries: 2, characters: 10 })
  expect(() =>
    memory.recall('a', () => {
      throw new Error('no')
    }),
  ).toThrow('no')
  expect(memory.recall('a', () => 1)).toBe(1)
})
