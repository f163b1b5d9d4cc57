import type { JsonObject } from '../../src/protocol/json.ts'
import type { Sample } from './schemas.ts'

/** A schema of the kind that breaks grammars. */
export interface HardSample extends Sample {
  readonly schema: JsonObject
  /** What of it no grammar says. */
  readonly widened?: string
}

function object(properties: JsonObject, required = Object.keys(properties), more: JsonObject = {}): JsonObject {
  return { type: 'object', properties, required, ...more }
}

const wrap = (value: unknown): JsonObject => ({ value }) as JsonObject

/** One place in a schema of its own, with values for it. */
function place(
  name: string,
  schema: JsonObject,
  valid: readonly unknown[],
  invalid: readonly unknown[],
  widened?: string,
): HardSample {
  const more = { $defs: schema['$defs'] ?? {} } as JsonObject
  return {
    name,
    schema: { ...object({ value: schema }), ...more },
    valid: valid.map(wrap),
    invalid: invalid.map(wrap),
    ...(widened !== undefined && { widened }),
  }
}

const text = { type: 'string' }
const whole = { type: 'integer' }
const closed = { additionalProperties: false }

/** What would end a value in one dialect or another. */
const closers = [
  ...['a "quoted" one', 'two\nlines', "it's", '\\ back', '\t', '', '```', ']]>', '<|"|>', 'null', '1'],
  ...['<tool_call>', '</tool_call>', '</parameter>', '</value>', '</set_it>', '</function>', '</arg_value>'],
]
const long = Array.from({ length: 1500 }, (_, index) => `value number ${index * 7919}`)
const nested = (inner: unknown, around: (inner: unknown) => unknown) =>
  Array.from({ length: 12 }).reduce(around, inner) as JsonObject

export const hardSamples: readonly HardSample[] = [
  {
    name: 'two that refer to each other',
    schema: {
      ...object({ value: { $ref: '#/$defs/A' } }),
      $defs: {
        A: object({ b: { anyOf: [{ $ref: '#/$defs/B' }, { type: 'null' }] } }),
        B: object({ a: { anyOf: [{ $ref: '#/$defs/A' }, { type: 'null' }] } }),
      },
    },
    valid: [{ b: null }, { b: { a: { b: null } } }].map(wrap),
    invalid: [{ b: {} }, {}].map(wrap),
  },
  {
    name: 'one that never ends, and is not required',
    schema: {
      ...object({ value: { $ref: '#/$defs/N' }, x: whole }, ['x']),
      $defs: { N: object({ next: { $ref: '#/$defs/N' } }) },
    },
    valid: [{ x: 1 }],
    invalid: [{ x: true }],
  },
  place(
    'alternatives that overlap',
    {
      anyOf: [
        { ...text, maxLength: 3 },
        { enum: ['longer word'] },
        { ...whole, minimum: 5 },
        { type: 'number', maximum: 2 },
      ],
    },
    ['abc', 'longer word', 7, 1.5],
    ['abcd', 3, true],
  ),
  place(
    'names by pattern',
    { type: 'object', patternProperties: { '^x-': whole }, ...closed },
    [{ 'x-a': 1 }, {}],
    [],
    'patternProperties',
  ),
  place(
    'a constant object',
    { const: { a: [1, { b: 'x' }], c: null } },
    [{ a: [1, { b: 'x' }], c: null }],
    [{ a: [1] }],
  ),
  place('a constant empty list', { const: [] }, [[]], [[1]]),
  place('an enum of closers', { enum: closers }, closers, ['x', 2, true]),
  place('a very long enum', { enum: long }, [long[0], long.at(-1)], ['value number 1', 'value']),
  place(
    'others by schema',
    { ...object({ id: whole }), additionalProperties: { type: 'boolean' } },
    [{ id: 1 }, { id: 1, x: true }],
    [{ x: true }, { id: 1, x: 'no' }, { id: true }],
  ),
  place(
    'integers between',
    { ...whole, exclusiveMinimum: 3, exclusiveMaximum: 12 },
    [4, 9, 10, 11],
    [3, 12, 0, -4, 4.5],
  ),
  place('integers between fractions', { ...whole, exclusiveMinimum: 2.5, maximum: 9.7 }, [3, 9], [2, 10]),
  place('negative numbers', { type: 'number', minimum: -2.5, maximum: -0.5 }, [-2.5, -1, -0.5], [-3, 0, 1, -0.25]),
  place('bounds beyond exact numbers', { ...whole, maximum: 18446744073709552000 }, [0, 5], [true], 'minimum'),
  {
    name: 'bounds that leave nothing, not required',
    schema: object({ value: { ...whole, minimum: 9, maximum: 3 }, x: { type: 'boolean' } }, ['x']),
    valid: [{ x: true }],
    invalid: [{ x: 1 }, { x: true, value: 5 }],
  },
  place(
    'exactly two',
    { type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 2 },
    [[true, false]],
    [[true], []],
  ),
  place('none at all', { type: 'array', maxItems: 0 }, [[]], [[1]]),
  place(
    'a tuple as it was written before',
    { type: 'array', items: [whole, text], additionalItems: false },
    [[1, 'a'], [1], []],
    [['a'], [1, 'a', 2]],
  ),
  place('a format', { ...text, format: 'date-time' }, ['2026-01-01T00:00:00Z'], [], 'format'),
  {
    name: 'names beyond ASCII',
    schema: object({ größe: whole, 名前: text }),
    valid: [{ größe: 1, 名前: 'x' }],
    invalid: [{ größe: true, 名前: 'x' }, { größe: 1 }],
  },
  {
    name: 'names that are marks',
    schema: object({ parameter: text, arguments: { type: 'object' }, name: whole }, ['name']),
    valid: [{ name: 1 }, { name: 1, parameter: 'x', arguments: { a: 1 } }],
    invalid: [{ parameter: 'x' }, { name: true }],
  },
  {
    name: 'names that every object has',
    schema: object({ constructor: text, toString: whole }, ['toString']),
    valid: [{ toString: 1 }, { toString: 1, constructor: 'x' }] as unknown as JsonObject[],
    invalid: [{ constructor: 'x' }] as unknown as JsonObject[],
  },
  place('types in a list', { type: ['integer', 'boolean', 'null'] }, [1, true, null], [1.5, [1]]),
  place('what it is not', { ...text, not: { enum: ['bad'] } }, ['good'], [], 'not'),
  {
    name: 'conditions',
    schema: object({ kind: { enum: ['a', 'b'] }, n: whole }, ['kind'], {
      if: { properties: { kind: { const: 'a' } } },
      // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
      then: { required: ['n'] },
    }),
    valid: [{ kind: 'a', n: 1 }, { kind: 'b' }],
    invalid: [],
    widened: 'if',
  },
  {
    name: 'what depends on others',
    schema: object({ a: whole, b: whole }, [], { dependentRequired: { a: ['b'] } }),
    valid: [{ a: 1, b: 1 }, { b: 1 }],
    invalid: [],
    widened: 'dependentRequired',
  },
  place('enums that meet', { allOf: [text, { enum: ['a', 'b'] }, { enum: ['b', 'c'] }] }, ['b'], ['d', 'a', true]),
  {
    name: 'required and not declared',
    schema: object({ a: whole }, ['a', 'b']),
    valid: [{ a: 1, b: 'x' }],
    invalid: [{ a: 1 }],
  },
  {
    name: 'alternatives at the root',
    schema: {
      type: 'object',
      anyOf: [object({ a: whole }, ['a'], closed), object({ b: { type: 'boolean' } }, ['b'], closed)],
    },
    valid: [{ a: 1 }, { b: true }],
    invalid: [{}, { a: true }],
  },
  {
    name: 'one or the other required',
    schema: { ...object({ a: whole, b: { type: 'boolean' } }, []), anyOf: [{ required: ['a'] }, { required: ['b'] }] },
    valid: [{ a: 1 }, { b: true }, { a: 1, b: true }],
    invalid: [{}],
  },
  place('a pattern with quotes', { ...text, pattern: '^/[a-z"\']+/$' }, ['/a"b/', "/a'/"], ['a', '//']),
  place(
    'a pattern of repeated repetitions',
    { ...text, pattern: '^([A-Za-z0-9+/]{4})*(([0-9]|[a-f]){2}){0,32}([a-z]+)?$' },
    ['', 'QUJD', 'QUJD0f', '0fabc'],
    ['?', 'QU-D'],
  ),
  place('a pattern that looks ahead', { ...text, pattern: '^(?!x).*$' }, ['abc'], [], 'pattern'),
  place('a reference beside an enum', { $ref: '#/$defs/S', enum: ['p', 'q'], $defs: { S: text } }, ['p'], ['r', true]),
  place('a reference to nothing', { $ref: '#/$defs/Nope' }, ['x', 1], []),
  place(
    'twelve levels',
    nested(whole, (inner) => object({ in: inner as JsonObject })),
    [nested(5, (inner) => ({ in: inner }))],
    [{ in: 5 }],
  ),
  place('numbers as they are printed', { enum: [0, -0.5, 1e21, 1e-7] }, [0, -0.5, 1e21, 1e-7], [2]),
]

const inside = (name: string, value: JsonObject): Pick<HardSample, 'name' | 'schema'> => ({
  name,
  schema: { type: 'object', properties: { value, path: { type: 'string' } }, required: ['path'] },
})

/** What servers are known to refuse, or once refused. */
export const refusedSamples: readonly Pick<HardSample, 'name' | 'schema'>[] = [
  inside('a reference that leads nowhere', { $ref: '#/$defs/Nowhere' }),
  inside('a type there is not', { type: 'text' }),
  inside('a pattern without anchors', { type: 'string', pattern: '[a-z]+' }),
  inside('a pattern that looks ahead', { type: 'string', pattern: '^(?=.*\\d)[a-z\\d]+$' }),
  inside('an empty enum', { enum: [] }),
  inside('very many items', { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 100_000 }),
  inside('a very long text', { type: 'string', maxLength: 1_000_000 }),
  inside('a branch beside other words', { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
  { name: 'a branch at the root', schema: { type: 'object', anyOf: [{ required: ['a'] }], properties: { a: {} } } },
]
