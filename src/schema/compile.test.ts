import { describe, expect, test } from 'vitest'
import type { JsonObject, JsonSchema } from '../protocol/json.ts'
import { ANY, compileParameters, compileSchema } from './compile.ts'
import { Kind } from './node.ts'

const numbers = Kind.integer | Kind.number

function namesOf(types: number): string {
  return Object.entries(Kind)
    .flatMap(([name, bit]) => (name !== 'any' && (types & bit) !== 0 ? [name] : []))
    .join(' ')
}

describe('types', () => {
  const table: readonly (readonly [JsonSchema, string])[] = [
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'integer'],
    [{ type: 'number' }, 'integer number'],
    [{ type: ['string', 'null'] }, 'null string'],
    [{ type: 'int' }, 'integer'],
    [{ type: 'float' }, 'integer number'],
    [{ type: 'double' }, 'integer number'],
    [{ type: 'bool' }, 'boolean'],
    [{ type: 'str' }, 'string'],
    [{ type: 'dict' }, 'object'],
    [{ type: 'list' }, 'array'],
    [{ type: 'STRING' }, 'string'],
    [{ type: 'OBJECT' }, 'object'],
    [{ type: 'STRING', nullable: true }, 'null string'],
    [{ type: 'string', nullable: false }, 'string'],
    [{ enum: ['a', 1, null] }, 'null integer string'],
    [{ enum: [1.5] }, 'integer number'],
    [{ const: true }, 'boolean'],
    [{ const: null }, 'null'],
    [{ type: 'integer', enum: ['1', '2'] }, 'integer'],
    [{ type: ['string', 'integer'], enum: ['a', 'b'] }, 'string'],
    [{ properties: {} }, 'object'],
    [{ additionalProperties: { type: 'string' } }, 'object'],
    [{ items: { type: 'string' } }, 'array'],
    [{ prefixItems: [true] }, 'array'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'null string'],
    [{ oneOf: [{ type: 'integer' }, { type: 'array' }] }, 'integer array'],
    [{ type: 'string', anyOf: [{ minLength: 1 }, { maxLength: 0 }] }, 'string'],
    [{ allOf: [{ type: 'number' }, { type: ['integer', 'string'] }] }, 'integer'],
    [{ type: ['object', 'null'], allOf: [{ properties: {} }] }, 'null object'],
    [{ anyOf: [{ allOf: [{ type: 'string' }, { type: 'integer' }] }, { type: 'boolean' }] }, 'boolean'],
    [{ allOf: [{ type: 'string' }, { type: 'object' }] }, ''],
    [{ allOf: [false] }, ''],
    [{ allOf: [{ enum: ['a'] }, { enum: ['b'] }] }, ''],
    [{ allOf: [{ enum: ['a', 1] }, { enum: ['b', 1] }] }, 'integer'],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'boolean' } } }, 'boolean'],
    [{ $ref: '#/definitions/a', definitions: { a: { type: 'array' } } }, 'array'],
    [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }, 'string'],
    [{ $ref: '#/$defs/a~01', $defs: { 'a~1': { type: 'string' } } }, 'string'],
    [{ $ref: '#/$defs/a%20b', $defs: { 'a b': { type: 'string' } } }, 'string'],
    [{ $ref: '#/$defs/100%', $defs: { '100%': { type: 'string' } } }, 'string'],
    [{ $ref: '#/x/1', x: [{ type: 'null' }, { type: 'integer' }] }, 'integer'],
    [{ $ref: '#/$defs/__proto__', $defs: JSON.parse('{"__proto__": {"type": "integer"}}') }, 'integer'],
    [{ $ref: '#/$defs/a', $defs: { a: { anyOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } } }, 'string'],
    [{ $ref: '#/$defs/a', $defs: { a: { allOf: [{ type: 'string' }, { $ref: '#/$defs/a' }] } } }, 'string'],
    [{ $ref: 'https://example.com/schema', type: 'string' }, 'string'],
    [false, ''],
  ]
  test.each(table)('%j allows: %s', (schema, expected) => {
    const node = compileSchema(schema)
    expect(namesOf(node.types)).toBe(expected)
    expect(node.declared).toBe(true)
  })

  const open: readonly (readonly [string, JsonSchema | undefined])[] = [
    ['no schema', undefined],
    ['true', true],
    ['an empty schema', {}],
    ['only a description', { description: 'x' }],
    ['type any', { type: 'any' }],
    ['an unknown type', { type: 'file' }],
    ['an unknown type in a list', { type: ['string', 'file'] }],
    ['an empty list of types', { type: [] }],
    ['a type that is no name', { type: { a: 1 } }],
    ['a name of the prototype', { type: 'constructor' }],
    ['an empty enum', { enum: [] }],
    ['a reference to itself', { $ref: '#' }],
    ['references in a circle', { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }],
    ['a union of circles', { anyOf: [{ $ref: '#' }, { oneOf: [{ $ref: '#' }] }] }],
    ['a reference to nowhere', { $ref: '#/$defs/missing' }],
    ['a reference into the prototype', { $ref: '#/constructor/prototype' }],
    ['a reference to no schema', { $ref: '#/x', x: 'text' }],
    ['a reference elsewhere', { $ref: 'other.json#/a' }],
    ['malformed keywords', { allOf: {}, anyOf: 'x', oneOf: [], enum: {}, properties: [], required: 'a', $ref: 1 }],
  ]
  test.each(open)('%s leaves everything open', (_name, schema) => {
    const node = compileSchema(schema)
    expect(node.types).toBe(Kind.any)
    expect(node.declared).toBe(false)
    expect(node.property('a').declared).toBe(false)
    expect(node.item(0).declared).toBe(false)
    expect(node.properties).toEqual([])
  })
})

describe('values', () => {
  const table: readonly (readonly [JsonSchema, unknown])[] = [
    [{ enum: ['a', 'b'] }, ['a', 'b']],
    [{ const: 5 }, [5]],
    [{ type: 'string', nullable: true, enum: ['a'] }, ['a', null]],
    [{ type: 'string', enum: ['a', 1] }, ['a']],
    [{ type: 'integer', enum: ['1'] }, undefined],
    [{ anyOf: [{ enum: ['a'] }, { const: 'b' }] }, ['a', 'b']],
    [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, ['a', null]],
    [{ anyOf: [{ enum: ['a'] }, { type: 'string' }] }, undefined],
    [{ allOf: [{ enum: ['a', 'b', 1] }, { enum: ['b', 1] }, { type: 'string' }] }, ['b']],
    [{ type: 'string' }, undefined],
  ]
  test.each(table)('%j has %j', (schema, expected) => {
    expect(compileSchema(schema).values).toEqual(expected)
  })
})

describe('properties', () => {
  const text: JsonSchema = { type: 'string' }
  const whole: JsonSchema = { type: 'integer' }
  const table: readonly (readonly [string, JsonSchema, string, number])[] = [
    ['a declared property', { properties: { a: text } }, 'a', Kind.string],
    [
      'a property of any branch that has it',
      { anyOf: [{ properties: { a: text } }, { properties: { a: whole } }] },
      'a',
      Kind.string | Kind.integer,
    ],
    [
      'a branch that forbids others is passed over',
      { anyOf: [{ properties: { a: text } }, { properties: {}, additionalProperties: false }] },
      'a',
      Kind.string,
    ],
    [
      'a declared branch before an open one',
      { anyOf: [{ properties: { a: text } }, { type: 'object', additionalProperties: whole }] },
      'a',
      Kind.string,
    ],
    [
      'a branch that is no object is passed over',
      { anyOf: [{ type: 'string', properties: { a: text } }, { properties: { a: whole } }] },
      'a',
      Kind.integer,
    ],
    [
      'parts that hold together',
      { allOf: [{ properties: { a: { type: 'number' } } }, { properties: { a: whole } }] },
      'a',
      Kind.integer,
    ],
    [
      'one part of two',
      { allOf: [{ properties: { a: text }, additionalProperties: false }, { properties: { b: whole } }] },
      'b',
      Kind.integer,
    ],
    [
      'own beside branches',
      { properties: { a: text }, anyOf: [{ required: ['a'] }, { required: ['b'] }] },
      'a',
      Kind.string,
    ],
    ['additionalProperties', { additionalProperties: whole }, 'anything', Kind.integer],
    ['a prefix pattern', { patternProperties: { '^x-': whole }, additionalProperties: text }, 'x-a', Kind.integer],
    [
      'a name outside the prefix',
      { patternProperties: { '^x-': whole }, additionalProperties: text },
      'a',
      Kind.string,
    ],
    ['a catch-all pattern', { patternProperties: { '^.*$': whole } }, 'a', Kind.integer],
    [
      'a pattern we do not run',
      { patternProperties: { '^(a+)+$': whole }, additionalProperties: text },
      'aaa',
      Kind.string,
    ],
    [
      '__proto__',
      JSON.parse('{"properties": {"__proto__": {"type": "integer"}}}') as JsonObject,
      '__proto__',
      Kind.integer,
    ],
    ['constructor', { properties: { constructor: whole } }, 'constructor', Kind.integer],
    ['a property declared to be impossible', { properties: { a: false }, additionalProperties: text }, 'a', 0],
    ['a reference', { properties: { a: { $ref: '#/$defs/t' } }, $defs: { t: text } }, 'a', Kind.string],
  ]
  test.each(table)('%s', (_name, schema, name, types) => {
    expect(namesOf(compileSchema(schema).property(name).types)).toBe(namesOf(types))
  })

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'missing'])(
    '%s is unknown unless declared',
    (name) => {
      const node = compileSchema({ type: 'object', properties: { a: text }, additionalProperties: false })
      expect(node.hasProperty(name)).toBe(false)
      expect(node.property(name)).toBe(ANY)
    },
  )

  test('names keep the order of the schema, required are those of every branch', () => {
    const node = compileSchema({
      type: 'object',
      properties: { z: text, a: text },
      required: ['z'],
      anyOf: [
        { properties: { m: text }, required: ['a', 'm'] },
        { properties: { b: text }, required: ['a', 'b'] },
      ],
    })
    expect(node.properties).toEqual(['z', 'a', 'm', 'b'])
    expect(node.required).toEqual(['z', 'a'])
    expect(node.hasProperty('m')).toBe(true)
  })

  test('a discriminator lists the values of all branches', () => {
    const node = compileSchema({
      oneOf: [{ properties: { kind: { const: 'a' } } }, { properties: { kind: { const: 'b' } } }],
    })
    expect(node.property('kind').values).toEqual(['a', 'b'])
    expect(node.branches.map((branch) => branch.node.property('kind').values)).toEqual([['a'], ['b']])
  })
})

describe('items', () => {
  const table: readonly (readonly [string, JsonSchema, readonly number[]])[] = [
    ['one schema for all', { items: { type: 'integer' } }, [Kind.integer, Kind.integer]],
    ['a legacy tuple', { items: [{ type: 'string' }, { type: 'integer' }] }, [Kind.string, Kind.integer, Kind.any]],
    [
      'a legacy tuple and the rest',
      { items: [{ type: 'string' }], additionalItems: { type: 'boolean' } },
      [Kind.string, Kind.boolean],
    ],
    [
      'prefixItems and the rest',
      { prefixItems: [{ type: 'string' }], items: { type: 'number' } },
      [Kind.string, numbers, numbers],
    ],
    ['no items', { type: 'array' }, [Kind.any]],
    [
      'a union of arrays',
      { anyOf: [{ items: { type: 'string' } }, { items: { type: 'integer' } }] },
      [Kind.string | Kind.integer],
    ],
  ]
  test.each(table)('%s', (_name, schema, types) => {
    const node = compileSchema(schema)
    expect(types.map((_, index) => node.item(index).types)).toEqual(types)
  })
})

describe('recursion', () => {
  test('a tree can be walked as deep as one likes, by the same nodes', () => {
    const tree = compileSchema({
      type: 'object',
      properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#' } } },
    })
    let node = tree
    for (let depth = 0; depth < 10_000; depth += 1) node = node.property('children').item(0)
    expect(node.property('name').types).toBe(Kind.string)
    expect(node).toBe(tree.property('children').item(0))
  })

  test('a recursive union is walked by the same nodes too', () => {
    const either = compileSchema({
      anyOf: [{ $ref: '#/$defs/and' }, { $ref: '#/$defs/or' }],
      $defs: {
        and: { properties: { left: { $ref: '#' }, x: { type: 'string' } } },
        or: { properties: { left: { $ref: '#' }, x: { type: 'integer' } } },
      },
    })
    const second = either.property('left')
    expect(second.property('left')).toBe(second)
    expect(second.property('x').types).toBe(Kind.string | Kind.integer)
  })
})

describe('parameters of a tool', () => {
  const table: readonly (readonly [string, JsonSchema | undefined, readonly string[]])[] = [
    ['absent', undefined, []],
    ['true', true, []],
    ['false', false, []],
    ['empty', {}, []],
    ['not an object', { type: 'string' }, []],
    ['a circle', { $ref: '#' }, []],
    ['no type', { properties: { a: {} } }, ['a']],
    ['nullable', { type: ['object', 'null'], properties: { a: {} } }, ['a']],
    [
      'behind a reference',
      { $ref: '#/definitions/T', definitions: { T: { type: 'object', properties: { a: {} } } } },
      ['a'],
    ],
    ['a union', { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }] }, ['a', 'b']],
  ]
  test.each(table)('%s: an object with %j', (_name, schema, properties) => {
    const node = compileParameters(schema)
    expect(node.types).toBe(Kind.object)
    expect(node.declared).toBe(true)
    expect(node.properties).toEqual(properties)
  })
})

describe('schema bombs', () => {
  const definitions = (count: number, make: (index: number) => JsonSchema): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, make(index)]))
  const doubling = (key: string): JsonSchema => ({
    $ref: '#/$defs/d0',
    $defs: definitions(21, (index) =>
      index === 20
        ? { type: 'string' }
        : { [key]: [{ $ref: `#/$defs/d${index + 1}` }, { $ref: `#/$defs/d${index + 1}` }] },
    ),
  })
  const nested = (depth: number, wrap: (inner: JsonSchema) => JsonSchema): JsonSchema => {
    let schema: JsonSchema = { type: 'string' }
    for (let level = 0; level < depth; level += 1) schema = wrap(schema)
    return schema
  }
  const deepValue = JSON.parse('['.repeat(10_000) + ']'.repeat(10_000))
  const bombs: readonly (readonly [string, () => JsonSchema])[] = [
    ['anyOf doubling', () => doubling('anyOf')],
    ['allOf doubling', () => doubling('allOf')],
    [
      'products of unions',
      () => ({ allOf: Array.from({ length: 30 }, () => ({ anyOf: [{ type: 'string' }, { minLength: 1 }] })) }),
    ],
    [
      'everything refers to everything',
      () => ({
        $ref: '#/$defs/d0',
        $defs: definitions(60, () => ({
          anyOf: Array.from({ length: 60 }, (_, index) => ({ $ref: `#/$defs/d${index}` })),
        })),
      }),
    ],
    ['a wide tree of anyOf', () => nested(12, (inner) => ({ anyOf: [structuredClone(inner), inner] }))],
    ['a flat anyOf of thousands', () => ({ anyOf: Array.from({ length: 8_000 }, () => ({ type: 'string' })) })],
    ['depth ten thousand of anyOf', () => nested(10_000, (inner) => ({ anyOf: [inner] }))],
    ['depth ten thousand of properties', () => nested(10_000, (inner) => ({ properties: { a: inner } }))],
    ['depth ten thousand of items', () => nested(10_000, (inner) => ({ items: inner }))],
    [
      'a chain of references',
      () => ({
        $ref: '#/$defs/d0',
        $defs: definitions(5_000, (index) => ({ $ref: `#/$defs/d${index + 1}` })),
      }),
    ],
    ['deep values in enums', () => ({ anyOf: [{ enum: [deepValue] }, { enum: [deepValue] }] })],
    [
      'many properties in many branches',
      () => ({
        properties: definitions(1_000, () => true),
        required: Array.from({ length: 1_000 }, (_, index) => `d${index}`),
        anyOf: Array.from({ length: 900 }, (_, index) => ({ required: [`d${index}`] })),
      }),
    ],
    ['long pointers', () => ({ anyOf: Array.from({ length: 1_000 }, () => ({ $ref: `#${'/a'.repeat(1_000)}` })) })],
  ]
  test.each(bombs)('%s costs little', (_name, make) => {
    // The best of three: the machine may be busy with something else.
    const times = [1, 2, 3].map(() => {
      const schema = make()
      const start = performance.now()
      let node = compileParameters({ properties: { bomb: schema }, ...(typeof schema === 'object' ? schema : {}) })
      for (let step = 0; step < 20; step += 1) {
        expect(node.properties.length + node.required.length + (node.values?.length ?? 0)).toBeGreaterThanOrEqual(0)
        node = step % 2 === 0 ? node.property('bomb') : node.property('a').item(0)
      }
      return performance.now() - start
    })
    expect(Math.min(...times)).toBeLessThan(50)
  })

  test('a union beyond the limit leaves its place open and its neighbours closed', () => {
    const node = compileParameters({ properties: { bomb: doubling('anyOf'), count: { type: 'integer' } } })
    expect(node.property('count').types).toBe(Kind.integer)
    expect(compileSchema(doubling('anyOf'))).toBe(ANY)
  })
})
