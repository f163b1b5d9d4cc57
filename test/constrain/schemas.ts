import type { Json, JsonObject } from '../../src/protocol/json.ts'

/** A schema, arguments it allows and arguments it forbids. */
export interface Sample {
  readonly name: string
  readonly schema: JsonObject | undefined
  readonly valid: readonly JsonObject[]
  readonly invalid: readonly Json[]
}

const object = (properties: JsonObject, required: readonly string[] = [], more: JsonObject = {}): JsonObject => ({
  type: 'object',
  properties,
  required,
  ...more,
})
const one = (schema: JsonObject): JsonObject => object({ value: schema }, ['value'])
const text = { type: 'string' }

/** One place in a schema of its own, with values for it. */
function place(name: string, schema: JsonObject, valid: readonly Json[], invalid: readonly Json[]): Sample {
  const wrap = (value: Json): JsonObject => ({ value })
  return { name, schema: one(schema), valid: valid.map(wrap), invalid: invalid.map(wrap) }
}

const tree: JsonObject = {
  type: 'object',
  properties: { value: { type: 'integer' }, left: { $ref: '#' }, right: { $ref: '#' } },
  required: ['value'],
  additionalProperties: false,
}
const city: JsonObject = object({ name: text, size: { type: 'integer' } }, ['name'], { additionalProperties: false })

export const samples: readonly Sample[] = [
  { name: 'no parameters', schema: undefined, valid: [{}], invalid: [{ x: 1 }] },
  { name: 'an empty object', schema: object({}), valid: [{}], invalid: [{ x: 1 }] },
  place('a string', text, ['den', '', 'a "b" \\ c', 'ünï 🙂\nline', 'x < y & z > w', '<b>', '{"a":1}'], []),
  place('a number', { type: 'number' }, [0, 1.5, -2.25, 100000, 1e21, 1e-7], ['x', true]),
  place('an integer', { type: 'integer' }, [0, 7, -3, 123456789], [1.5, 'x']),
  place('a boolean', { type: 'boolean' }, [true, false], ['maybe', 7]),
  place('null', { type: 'null' }, [null], [true]),
  place(
    'an enum of strings',
    { type: 'string', enum: ['den', 'hall', 'a < b', 'true'] },
    ['den', 'a < b', 'true'],
    ['attic', 'de'],
  ),
  place(
    'an enum of many kinds',
    { enum: ['x', 1, true, null, { a: [1] }] },
    ['x', 1, true, null, { a: [1] }],
    ['y', 2, false],
  ),
  place('a constant', { const: 'exactly' }, ['exactly'], ['exactl', 'exactly2']),
  place('a nullable string', { type: ['string', 'null'] }, ['den', null], []),
  place('a string or an integer', { anyOf: [{ type: 'integer' }, { type: 'boolean' }] }, [5, true], ['x', 1.5]),
  place(
    'one of two objects',
    {
      oneOf: [
        object({ a: text }, ['a'], { additionalProperties: false }),
        object({ b: { type: 'integer' } }, ['b'], { additionalProperties: false }),
      ],
    },
    [{ a: 'x' }, { b: 1 }],
    [{ c: 1 }, { b: 'x' }],
  ),
  place('an array', { type: 'array', items: { type: 'integer' } }, [[], [1], [1, 2, 3]], [['x'], [1, true]]),
  place('an array of strings', { type: 'array', items: text }, [[], ['a', 'b < c', '</value>']], [[1]]),
  place(
    'an array with bounds',
    { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 3 },
    [[1], [1, 2, 3]],
    [[], [1, 2, 3, 4]],
  ),
  place(
    'a tuple',
    { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'boolean' }], items: false, minItems: 2 },
    [[1, true]],
    [[1], [true, 1], [1, true, 2]],
  ),
  place(
    'a bounded integer',
    { type: 'integer', minimum: 10, maximum: 250 },
    [10, 99, 100, 199, 250],
    [9, 0, 251, 1000, -10],
  ),
  place(
    'an integer around zero',
    { type: 'integer', minimum: -15, exclusiveMaximum: 7 },
    [-15, -9, 0, 6],
    [-16, 7, 10],
  ),
  place('a positive integer', { type: 'integer', minimum: 1 }, [1, 9, 10, 12345], [0, -1]),
  place('a bounded number', { type: 'number', minimum: 0, maximum: 1 }, [0, 0.5, 1, 0.125], [1.5, -0.5, 2]),
  place(
    'a number above a fraction',
    { type: 'number', exclusiveMinimum: 0.25, maximum: 12.5 },
    [0.26, 0.3, 1, 12.5, 12.25],
    [0.25, 0.2, 12.51, 13, -1],
  ),
  place(
    'a short string',
    { type: 'string', minLength: 2, maxLength: 5 },
    ['ab', 'abcde', 'a<b', '🙂é'],
    ['a', 'abcdef', ''],
  ),
  place(
    'a pattern',
    { type: 'string', pattern: '^[a-z]+-\\d{2,3}$' },
    ['ab-12', 'x-999'],
    ['ab-1', 'AB-12', 'ab-1234', ''],
  ),
  place(
    'a choice of patterns',
    { type: 'string', pattern: '^(?:on|off|dim \\d+%)$' },
    ['on', 'dim 30%'],
    ['dim %', 'onn'],
  ),
  place('a loose pattern', { type: 'string', pattern: 'b.t' }, ['bat', 'a bit more'], ['bt', 'cat']),
  place(
    'an object',
    object({ name: text, size: { type: 'integer' } }, ['name'], { additionalProperties: false }),
    [{ name: 'x' }, { name: 'x', size: 1 }, { size: 2, name: '</value>' }],
    [{}, { size: 1 }, { name: 1 }, { name: 'x', more: 1 }],
  ),
  place(
    'a map',
    { type: 'object', additionalProperties: { type: 'integer' } },
    [{}, { a: 1 }, { a: 1, b: 2 }],
    [{ a: 'x' }],
  ),
  place('anything', {}, ['x', 1, [1, 'a'], { b: null }], []),
  place(
    'parts that hold together',
    { allOf: [object({ a: text }, ['a']), object({ b: { type: 'integer' } }, ['b'])] },
    [{ a: 'x', b: 1 }],
    [{ a: 'x' }, { b: 1 }],
  ),
  {
    name: 'references',
    schema: {
      ...object({ from: { $ref: '#/$defs/City' }, to: { $ref: '#/$defs/City' } }, ['from', 'to']),
      $defs: { City: city },
    },
    valid: [{ from: { name: 'a' }, to: { name: 'b', size: 2 } }],
    invalid: [{ from: { name: 'a' } }, { from: { name: 'a' }, to: { size: 1 } }],
  },
  {
    name: 'recursion',
    schema: tree,
    valid: [{ value: 1 }, { value: 1, left: { value: 2, right: { value: 3 } } }],
    invalid: [{}, { value: 1, left: {} }, { value: 1, left: { value: 'x' } }],
  },
  {
    name: 'required and optional',
    schema: object({ path: text, from: { type: 'integer' }, force: { type: 'boolean' } }, ['path'], {
      additionalProperties: false,
    }),
    valid: [{ path: 'a' }, { path: 'a', from: 1 }, { force: true, path: 'a', from: 2 }],
    invalid: [{}, { from: 1 }, { path: 'a', from: true }, { path: 'a', other: 1 }],
  },
  {
    name: 'many properties',
    schema: object(
      Object.fromEntries(Array.from({ length: 9 }, (_, i) => [`p${i}`, i % 2 === 0 ? text : { type: 'integer' }])),
      ['p1', 'p4'],
    ),
    valid: [
      { p1: 1, p4: 'x' },
      { p0: 'a', p1: 1, p3: 3, p4: 'x', p8: 'end' },
    ],
    invalid: [{ p1: 1 }, { p4: 'x' }, { p1: true, p4: 'x' }],
  },
  {
    name: 'odd names',
    schema: object({ 'x-y': text, from: { type: 'integer' } }, ['x-y']),
    valid: [{ 'x-y': 'a' }, { 'x-y': 'a', from: 1 }],
    invalid: [{ from: 1 }],
  },
  {
    name: 'open to others',
    schema: object({ path: text }, ['path'], { additionalProperties: { type: 'integer' } }),
    valid: [{ path: 'a' }],
    invalid: [{}, { more: 1 }],
  },
]
