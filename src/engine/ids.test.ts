import { expect, test } from 'vitest'
import { toDialectId } from './ids.ts'

test.each([
  [undefined, 'call_1'],
  ['kimi', 'functions.ls:3'],
  ['ordinal', '3'],
  ['count', '4'],
  ['mistral', expect.stringMatching(/^[A-Za-z0-9]{9}$/)],
  ['solar', expect.stringMatching(/^[a-z0-9]{10}$/)],
] as const)('%s', (form, id) => {
  expect(toDialectId(form, 'call_1', 'ls', 3)).toEqual(id)
})

test('an id that already has the form stays', () => {
  expect(toDialectId('mistral', 'a1B2c3D4e', 'ls', 0)).toBe('a1B2c3D4e')
  expect(toDialectId('solar', 'k3j9x0a1bz', 'ls', 0)).toBe('k3j9x0a1bz')
  expect(toDialectId('mistral', 'a1B2c3D4ef', 'ls', 0)).toMatch(/^\w{9}$/)
})

test.each(['mistral', 'solar'] as const)('%s: different ids stay different, the same id the same', (form) => {
  const ids = Array.from({ length: 2000 }, (_, i) => toDialectId(form, `call_${i}`, 'ls', 0))
  expect(new Set(ids).size).toBe(2000)
  expect(toDialectId(form, 'call_7', 'other', 9)).toBe(ids[7])
})

/** Histories are printed anew every turn, on any machine and after any update: the ids in them must not move. */
test.each([
  ['mistral', 'call_1', 'i0Mfsrgqw'],
  ['mistral', 'call_2', 'uJ6nEaiFx'],
  ['mistral', '', '0mQ0ksmau'],
  ['solar', 'call_1', 'okib8jiewc'],
] as const)('%s: the id made of %j stays what it was', (form, id, made) => {
  expect(toDialectId(form, id, 'ls', 0)).toBe(made)
})
