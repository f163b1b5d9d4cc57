import { expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import { checkArguments } from './check.ts'
import { compileParameters } from './compile.ts'
import { createHoist } from './hoist.ts'

/** Each schema below a property of a larger one. */
function join(...schemas: readonly JsonSchema[]): JsonObject {
  const hoist = createHoist()
  const properties = Object.fromEntries(schemas.map((schema, index) => [`p${index}`, hoist.place(schema)]))
  return { type: 'object', properties, $defs: hoist.definitions }
}

const city = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] }
const pydantic: JsonObject = {
  $defs: { City: city },
  type: 'object',
  properties: { home: { $ref: '#/$defs/City' }, all: { type: 'array', items: { $ref: '#/$defs/City' } } },
}
const tree: JsonObject = {
  type: 'object',
  properties: { value: { type: 'integer' }, children: { type: 'array', items: { $ref: '#' } } },
  required: ['value'],
}

test('definitions move to the root, once', () => {
  expect(join(pydantic)).toEqual({
    type: 'object',
    properties: {
      p0: {
        type: 'object',
        properties: {
          home: { $ref: '#/$defs/City' },
          all: { type: 'array', items: { $ref: '#/$defs/City' } },
        },
      },
    },
    $defs: { City: city },
  })
})

test('two tools may call two things by one name', () => {
  const other = { $defs: { City: { type: 'string' } }, properties: { home: { $ref: '#/$defs/City' } } }
  const { $defs, properties } = join(pydantic, other)
  expect($defs).toEqual({ City: city, City2: { type: 'string' } })
  expect(properties).toMatchObject({ p1: { properties: { home: { $ref: '#/$defs/City2' } } } })
})

test.each<[string, JsonObject, object, object]>([
  ['its own root', tree, { value: 1, children: [{ value: 2 }] }, { value: 1, children: [{ value: 'x' }] }],
  [
    'a definition that refers to itself',
    {
      $ref: '#/definitions/node',
      definitions: { node: { properties: { up: { $ref: '#/definitions/node' }, n: { type: 'integer' } } } },
    },
    { up: { up: { n: 1 } } },
    { up: { up: { n: [] } } },
  ],
  [
    'a place that is no definition',
    { properties: { a: { type: 'integer' }, b: { $ref: '#/properties/a' } } },
    { b: 1 },
    { b: {} },
  ],
  [
    'a name that has to be escaped',
    { $defs: { 'a/b c~': { type: 'integer' } }, properties: { b: { $ref: '#/$defs/a~1b%20c~0' } } },
    { b: 1 },
    { b: {} },
  ],
  [
    'one reference through another',
    { $defs: { A: { $ref: '#/$defs/B' }, B: { type: 'integer' } }, properties: { b: { $ref: '#/$defs/A' } } },
    { b: 1 },
    { b: {} },
  ],
  [
    'something inside allOf, with words beside it',
    { $defs: { A: { type: 'integer' } }, properties: { b: { allOf: [{ $ref: '#/$defs/A' }], description: 'b' } } },
    { b: 1 },
    { b: {} },
  ],
])('what refers to %s means the same below another root', (_, schema, right, wrong) => {
  const joined = compileParameters(join(schema))
  expect(checkArguments(joined, { p0: right })).toEqual([])
  expect(checkArguments(joined, { p0: wrong })).not.toEqual([])
})

test.each<[string, JsonObject]>([
  ['nowhere', { properties: { a: { $ref: '#/$defs/Gone' } } }],
  ['to another document', { properties: { a: { $ref: 'https://example.com/a.json' } } }],
  [
    'in a circle',
    { $defs: { A: { $ref: '#/$defs/B' }, B: { $ref: '#/$defs/A' } }, properties: { a: { $ref: '#/$defs/A' } } },
  ],
])('a reference that leads %s forbids nothing', (_, schema) => {
  expect(join(schema)).toEqual({ type: 'object', properties: { p0: { properties: { a: {} } } }, $defs: {} })
})

test('data that looks like a reference stays data, and names that look like keywords stay names', () => {
  const schema: JsonObject = {
    properties: {
      $ref: { const: { $ref: '#/x' } },
      enum: { enum: [{ $ref: '#/x' }] },
      $defs: { type: 'string', default: { $ref: '#/x' } },
    },
  }
  expect(join(schema)).toMatchObject({ properties: { p0: schema }, $defs: {} })
})
