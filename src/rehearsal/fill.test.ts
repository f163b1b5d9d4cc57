import { expect, test } from 'vitest'
import type { Json, JsonObject } from '../protocol/json.ts'
import { fillArguments } from './fill.ts'

const text = { type: 'string' }

function fill(properties: JsonObject, name = 'f'): Json {
  const parameters = { type: 'object', properties, required: Object.keys(properties) }
  return JSON.parse(fillArguments({ kind: 'function', name, parameters }, {}))
}

test.each<[string, JsonObject, Json]>([
  ['a number in its range', { a: { type: 'integer', minimum: 3 } }, { a: 3 }],
  ['a number above a bound', { a: { type: 'integer', exclusiveMinimum: 3 } }, { a: 4 }],
  ['a boolean', { deep: { type: 'boolean' } }, { deep: false }],
  ['a choice that changes nothing', { action: { enum: ['delete', 'list'] } }, { action: 'list' }],
  ['a constant', { a: { const: 'x' } }, { a: 'x' }],
  ['a list', { notes: { type: 'array', items: text } }, { notes: ['rehearsal'] }],
  ['a list of paths', { files: { type: 'array', items: text } }, { files: ['dragoman-rehearsal.txt'] }],
  ['an object', { where: { type: 'object', properties: { a: text }, required: ['a'] } }, { where: { a: 'rehearsal' } }],
  ['a nullable text', { a: { type: ['null', 'string'] } }, { a: 'rehearsal' }],
  ['an alternative', { a: { anyOf: [{ type: 'null' }, { type: 'integer' }] } }, { a: 1 }],
  ['nothing', { a: { type: 'null' } }, { a: null }],
  ['hostile names', { constructor: text, __proto__: text }, { constructor: 'rehearsal' }],
])('%s', (_, properties, expected) => {
  expect(fill(properties)).toEqual(expected)
})

test('what is optional is left out', () => {
  const parameters = { type: 'object', properties: { path: text, limit: { type: 'integer' } }, required: ['path'] }
  expect(fillArguments({ kind: 'function', name: 'read', parameters }, {})).toBe('{"path":"README.md"}')
})

test.each<[string, JsonObject]>([
  ['refers to itself', { $ref: '#' }],
  ['contains itself', { type: 'object', properties: { child: { $ref: '#' } }, required: ['child'] }],
])('a schema that %s is filled all the same', (_, parameters) => {
  expect(() => JSON.parse(fillArguments({ kind: 'function', name: 'f', parameters }, {}))).not.toThrow()
})
