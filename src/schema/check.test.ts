import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../protocol/json.ts'
import { checkArguments } from './check.ts'
import { compileParameters, compileSchema } from './compile.ts'

const tool: JsonSchema = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, maxLength: 5 },
    count: { type: 'integer', minimum: 1, maximum: 10 },
    ratio: { type: 'number', exclusiveMinimum: 0, exclusiveMaximum: 1 },
    mode: { enum: ['fast', 'slow'] },
    only: { const: 'this' },
    on: { type: 'boolean' },
    maybe: { type: ['string', 'null'] },
    tags: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 2 },
    shape: {
      oneOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'box' }, width: { type: 'number' } },
          required: ['kind', 'width'],
        },
      ],
    },
    nested: { type: 'object', properties: { a: { type: 'integer' } }, required: ['a'], additionalProperties: false },
    pair: { anyOf: [{ type: 'integer' }, { type: 'array', items: { type: 'integer' } }] },
    point: { enum: [{ x: 1 }, [2]] },
    free: {},
    never: false,
  },
  required: ['path'],
  additionalProperties: false,
}

const table: readonly (readonly [unknown, readonly string[]])[] = [
  [{ path: 'a' }, []],
  [{ path: 'a', count: 5, ratio: 0.5, mode: 'fast', only: 'this', on: true, maybe: null, tags: ['x'], free: [{}] }, []],
  [{ path: 'a', count: 5.0 }, []],
  [{ path: '😀😀😀😀😀' }, []],
  [{}, ['missing required `path`']],
  [{ path: 5 }, ['`path` must be a string, got the number 5']],
  [{ path: '' }, ['`path` must have at least 1 character, got 0']],
  [{ path: 'abcdef' }, ['`path` must have at most 5 characters, got 6']],
  [{ path: 'a', count: 'five' }, ['`count` must be an integer, got the string "five"']],
  [{ path: 'a', count: 1.5 }, ['`count` must be an integer, got the number 1.5']],
  [{ path: 'a', count: 0 }, ['`count` must be at least 1, got 0']],
  [{ path: 'a', count: 11 }, ['`count` must be at most 10, got 11']],
  [{ path: 'a', ratio: 0 }, ['`ratio` must be greater than 0, got 0']],
  [{ path: 'a', ratio: 1 }, ['`ratio` must be less than 1, got 1']],
  [{ path: 'a', ratio: null }, ['`ratio` must be a number, got null']],
  [{ path: 'a', mode: 'Fast' }, ['`mode` must be one of "fast", "slow", got the string "Fast"']],
  [{ path: 'a', only: 'that' }, ['`only` must be "this", got the string "that"']],
  [{ path: 'a', on: 'yes' }, ['`on` must be true or false, got the string "yes"']],
  [{ path: 'a', maybe: 1 }, ['`maybe` must be a string or null, got the number 1']],
  [{ path: 'a', tags: [] }, ['`tags` must have at least 1 item, got 0']],
  [{ path: 'a', tags: ['x', 1] }, ['`tags[1]` must be a string, got the number 1']],
  [{ path: 'a', tags: 'x' }, ['`tags` must be an array, got the string "x"']],
  [{ path: 'a', shape: { kind: 'circle', radius: 1 } }, []],
  [{ path: 'a', shape: { kind: 'box', width: 1 } }, []],
  [{ path: 'a', shape: { kind: 'box', width: 'x' } }, ['`shape.width` must be a number, got the string "x"']],
  [{ path: 'a', nested: {} }, ['missing required `nested.a`']],
  [{ path: 'a', nested: { a: 1, b: 2 } }, ['`nested.b` is not a parameter: the parameters are `a`']],
  [{ path: 'a', nested: null }, ['`nested` must be an object, got null']],
  [{ path: 'a', pair: [1, 2] }, []],
  [{ path: 'a', pair: [1, 'x'] }, ['`pair[1]` must be an integer, got the string "x"']],
  [{ path: 'a', pair: 'x' }, ['`pair` must be an integer or an array, got the string "x"']],
  [{ path: 'a', point: { x: 1 } }, []],
  [{ path: 'a', point: [2] }, []],
  [{ path: 'a', point: { x: 2 } }, ['`point` must be one of an object, an array, got an object']],
  [{ path: 'a', never: 1 }, ['`never` must be left out']],
  [[], ['the value must be an object, got an array']],
  ['x', ['the value must be an object, got the string "x"']],
  [{ count: 'x' }, ['missing required `path`', '`count` must be an integer, got the string "x"']],
]
test.each(table)('%j: %j', (value, messages) => {
  expect(checkArguments(compileParameters(tool), value).map((problem) => problem.message)).toEqual(messages)
})

test('a problem names its place', () => {
  const node = compileSchema({ properties: { list: { items: { properties: { n: { type: 'integer' } } } } } })
  expect(checkArguments(node, { list: [{}, { n: '1' }] })).toEqual([
    { path: 'list[1].n', message: '`list[1].n` must be an integer, got the string "1"' },
  ])
})

test('names of the prototype are neither present nor declared', () => {
  const node = compileSchema({ type: 'object', required: ['toString'], properties: {}, additionalProperties: false })
  expect(checkArguments(node, { constructor: 1 }).map((problem) => problem.path)).toEqual(['toString', 'constructor'])
})

test('parts of an allOf do not forbid each other their properties', () => {
  const node = compileSchema({
    allOf: [
      { type: 'object', properties: { a: {} }, additionalProperties: false },
      { type: 'object', properties: { b: {} }, required: ['b'] },
    ],
  })
  expect(checkArguments(node, { a: 1, b: 2 })).toEqual([])
  expect(checkArguments(node, { c: 1, b: 2 })).toHaveLength(1)
})

test('patterns are never run: names and texts they would judge pass', () => {
  const node = compileSchema({
    type: 'object',
    properties: { a: { type: 'string', pattern: '^(x+)+$', format: 'uri' } },
    patternProperties: { '^(y+)+$': { type: 'string' } },
    additionalProperties: false,
  })
  expect(checkArguments(node, { a: `${'x'.repeat(100)}!`, other: 1 })).toEqual([])
})

describe('limits', () => {
  test('at most twenty problems are told', () => {
    const node = compileSchema({ type: 'array', items: { type: 'string' } })
    expect(
      checkArguments(
        node,
        Array.from({ length: 1_000 }, () => 1),
      ),
    ).toHaveLength(20)
  })

  test.each([
    [
      'a deep value',
      {
        anyOf: [
          { type: 'array', items: { $ref: '#' } },
          { type: 'array', items: { $ref: '#' }, minItems: 2 },
        ],
      },
      JSON.parse('['.repeat(5_000) + ']'.repeat(5_000)),
    ],
    [
      'a wide value',
      {
        type: 'array',
        items: {
          anyOf: [
            { type: 'integer', minimum: 1 },
            { type: 'integer', minimum: 2 },
          ],
        },
      },
      Array.from({ length: 200_000 }, () => 0),
    ],
    [
      'many names',
      { type: 'object', properties: {}, additionalProperties: false },
      Object.fromEntries(Array.from({ length: 50_000 }, (_, index) => [`n${index}`, 1])),
    ],
  ] satisfies [string, JsonSchema, unknown][])('%s costs little', (_name, schema, value) => {
    const node = compileSchema(schema)
    const start = performance.now()
    checkArguments(node, value)
    expect(performance.now() - start).toBeLessThan(500)
  })

  test('any value is judged without throwing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(checkArguments(compileParameters(tool), value).length).toBeLessThanOrEqual(20)
      }),
    )
  })
})
