import { expect, test } from 'vitest'
import type { IdForm } from '../../dialects/dialect.ts'
import { isForeignId, toDialectId } from './ids.ts'

const named: IdForm = { template: 'functions.{name}:{number}', first: 0 }
const digits = '0123456789'
const small = 'abcdefghijklmnopqrstuvwxyz'
const nine: IdForm = { alphabet: digits + small.toUpperCase() + small, length: 9 }
const ten: IdForm = { alphabet: digits + small, length: 10 }

test.each([
  [undefined, 'call_1'],
  [named, 'functions.ls:3'],
  [{ template: '{number}', first: 0 }, '3'],
  [{ template: '{number}', first: 1 }, '4'],
  [nine, expect.stringMatching(/^[A-Za-z0-9]{9}$/)],
  [ten, expect.stringMatching(/^[a-z0-9]{10}$/)],
] as const)('%j', (form, id) => {
  expect(toDialectId(form, 'call_1', 'ls', 3)).toEqual(id)
})

test('an id that already has the form stays', () => {
  expect(toDialectId(nine, 'a1B2c3D4e', 'ls', 0)).toBe('a1B2c3D4e')
  expect(toDialectId(ten, 'k3j9x0a1bz', 'ls', 0)).toBe('k3j9x0a1bz')
  expect(toDialectId(nine, 'a1B2c3D4ef', 'ls', 0)).toMatch(/^\w{9}$/)
})

test.each([nine, ten])('%j: different ids stay different, the same id the same', (form) => {
  const ids = Array.from({ length: 2000 }, (_, i) => toDialectId(form, `call_${i}`, 'ls', 0))
  expect(new Set(ids).size).toBe(2000)
  expect(toDialectId(form, 'call_7', 'other', 9)).toBe(ids[7])
})

/** Histories are printed anew every turn, on any machine and after any update: the ids in them must not move. */
test.each([
  [nine, 'call_1', 'i0Mfsrgqw'],
  [nine, 'call_2', 'uJ6nEaiFx'],
  [nine, '', '0mQ0ksmau'],
  [ten, 'call_1', 'okib8jiewc'],
] as const)('%j: the id made of %j stays what it was', (form, id, made) => {
  expect(toDialectId(form, id, 'ls', 0)).toBe(made)
})

test.each([
  ['functions.ls:0', false],
  ['ls:12', false],
  ['functions.ls', false],
  ['ls', false],
  ['0', true],
  ['functions.0:1', true],
  ['call_9f8e7d', true],
  ['functions.ls.0', true],
])('%s holds no name: %s', (id, isForeign) => {
  expect(isForeignId(named, id)).toBe(isForeign)
  expect(isForeignId(nine, id)).toBe(false)
  expect(isForeignId({ template: '{number}', first: 0 }, id)).toBe(false)
  expect(isForeignId(undefined, id)).toBe(false)
})
