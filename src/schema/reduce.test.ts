import { expect, test } from 'vitest'
import type { JsonObject } from '../protocol/json.ts'
import { reduceSchema, type SchemaForm } from './reduce.ts'

const text = { type: 'string' }
const tree: JsonObject = {
  $defs: { Node: { type: 'object', properties: { next: { $ref: '#/$defs/Node' }, name: text }, required: ['name'] } },
  $ref: '#/$defs/Node',
}
const dangling: JsonObject = { properties: { a: { $ref: '#/$defs/Gone', description: 'A' } }, required: ['a'] }
const leveled = (levels: number): JsonObject =>
  levels === 0 ? text : { type: 'object', properties: { inner: leveled(levels - 1) } }

/** What engines refuse, and what is left of it in each form. */
const cases: readonly (readonly [name: string, schema: JsonObject, form: SchemaForm, reduced: JsonObject])[] = [
  ['a reference that leads nowhere', dangling, 'valid', { properties: { a: { description: 'A' } }, required: ['a'] }],
  ['a type that is none', { properties: { a: { type: 'text' } } }, 'valid', { properties: { a: {} } }],
  ['a schema that is none', { properties: { a: 'string' } }, 'valid', { properties: { a: {} } }],
  [
    'a pattern that is no expression',
    { properties: { a: { ...text, pattern: '(' } } },
    'valid',
    { properties: { a: text } },
  ],
  [
    'a pattern and a format',
    { properties: { a: { ...text, pattern: 'a+', format: 'uri' } } },
    'plain',
    { properties: { a: text } },
  ],
  ['a schema that refers to itself', tree, 'plain', { properties: { next: {}, name: text }, required: ['name'] }],
  [
    'parts that hold together',
    { allOf: [{ properties: { a: text }, required: ['a'] }, { properties: { b: text } }] },
    'plain',
    { properties: { a: text, b: text }, required: ['a'] },
  ],
  [
    'alternatives beside members',
    { properties: { a: text }, oneOf: [{ required: ['a'] }, {}] },
    'plain',
    { properties: { a: text } },
  ],
  [
    'an enum of a thousand',
    { properties: { a: { ...text, enum: Array.from({ length: 1000 }, String) } } },
    'plain',
    { properties: { a: text } },
  ],
  [
    'types in a list, and whatever is nested',
    { properties: { a: { type: ['null', 'array'], items: text }, b: { enum: ['x'] } } },
    'types',
    { properties: { a: { type: 'array' }, b: text } },
  ],
]

test.each(cases)('%s: %#', (_, schema, form, reduced) => {
  expect(reduceSchema(schema, form)).toEqual({ ...reduced, type: 'object' })
})

test('depth ends somewhere, and so does a schema whose references multiply', () => {
  expect(JSON.stringify(reduceSchema(leveled(60), 'plain')).length).toBeLessThan(600)
  const doubling = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => {
      const next = { $ref: `#/$defs/n${at + 1}` }
      return [`n${at}`, { type: 'object', properties: { a: next, b: next } }]
    }),
  )
  expect(reduceSchema({ $defs: doubling, $ref: '#/$defs/n0' }, 'plain')['type']).toBe('object')
})
