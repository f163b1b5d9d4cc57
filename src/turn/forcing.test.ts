import { expect, test } from 'vitest'
import type { Constraint } from '../upstreams/upstream.ts'
import { createRefusals, refusalScope } from './forcing.ts'

const grammar = (text: string): Constraint => ({ kind: 'gbnf', grammar: text })
const schema: Constraint = { kind: 'json-schema', schema: {} }
const upstream = { name: 'local', isPersonal: false } as Parameters<typeof refusalScope>[0]

test('what was refused is known for an hour, for this content and this scope alone', () => {
  let time = 0
  const refusals = createRefusals(() => time)
  refusals.learn('here', grammar('a'))
  expect([refusals.has('here', grammar('a')), refusals.has('here', grammar('b'))]).toEqual([true, false])
  expect([refusals.has('there', grammar('a')), refusals.has('here', schema)]).toEqual([false, false])
  time = 3_600_000
  expect(refusals.has('here', grammar('a'))).toBe(false)
})

test('a service that refused three of a kind and took none is not asked for that kind', () => {
  const refusals = createRefusals(() => 0)
  for (const text of ['a', 'b', 'b']) refusals.learn('here', grammar(text))
  expect(refusals.has('here', grammar('z'))).toBe(false)
  refusals.learn('here', grammar('c'))
  expect([refusals.has('here', grammar('z')), refusals.has('here', schema)]).toEqual([true, false])
})

test('one that is taken in between was not about the kind', () => {
  const refusals = createRefusals(() => 0)
  for (const text of ['a', 'b']) refusals.learn('here', grammar(text))
  refusals.forgive('here', grammar('fine'))
  refusals.learn('here', grammar('c'))
  expect(refusals.has('here', grammar('z'))).toBe(false)
})

test('clients are told apart only where each asks with a key of its own', () => {
  expect(refusalScope(upstream, 'm', 'a')).toBe(refusalScope(upstream, 'm', 'b'))
  expect(refusalScope({ ...upstream, isPersonal: true }, 'm', 'a')).not.toBe(
    refusalScope({ ...upstream, isPersonal: true }, 'm', 'b'),
  )
})
