import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../protocol/json.ts'
import { coerceJson, coerceText, isTextOnly } from './coerce.ts'
import { compileSchema } from './compile.ts'
import { parsePythonLiteral } from './python-literal.ts'

const string: JsonSchema = { type: 'string' }
const integer: JsonSchema = { type: 'integer' }
const number: JsonSchema = { type: 'number' }
const boolean: JsonSchema = { type: 'boolean' }
const object: JsonSchema = { type: 'object' }
const array: JsonSchema = { type: 'array' }
const modes: JsonSchema = { enum: ['Fast', 'slow', 'null', '5'] }
const listOf = (items: JsonSchema): JsonSchema => ({ type: 'array', items })
const either = (...types: string[]): JsonSchema => ({ type: types })

describe('the text of a tagged parameter', () => {
  const table: readonly (readonly [JsonSchema, string, string, string?])[] = [
    // A declared string stays the exact text.
    [string, '12', '"12"'],
    [string, 'true', '"true"'],
    [string, 'null', '"null"'],
    [string, 'None', '"None"'],
    [string, '', '""'],
    [string, ' a\n', '" a\\n"'],
    [string, '{"a": 1}', '"{\\"a\\": 1}"'],
    [string, '"quoted"', '"\\"quoted\\""'],
    // Integers.
    [integer, '5', '5'],
    [integer, ' \n5 ', '5'],
    [integer, '-0', '-0'],
    [integer, '123456789012345678901234567890', '123456789012345678901234567890'],
    [integer, '3.0', '3', 'number form'],
    [integer, '+5', '5', 'number form'],
    [integer, '007', '7', 'number form'],
    [integer, '3.5', '3.5'],
    [integer, '1e3', '1e3'],
    [integer, 'five', '"five"'],
    [integer, ' five ', '" five "'],
    [integer, '', '""'],
    [integer, 'null', 'null'],
    [integer, 'NULL', 'null'],
    [integer, 'None', 'null'],
    [integer, 'true', 'true'],
    // Numbers.
    [number, '1.0', '1.0'],
    [number, '3', '3'],
    [number, '1e300', '1e300'],
    [number, '1e400', '"1e400"'],
    [number, '-1e400', '"-1e400"'],
    [number, '+1.e400', '"+1.e400"'],
    [number, '1e-400', '1e-400'],
    [integer, '1e400', '"1e400"'],
    [number, '9'.repeat(400), '9'.repeat(400)],
    [number, '0.10', '0.10'],
    [number, '1E+2', '1E+2'],
    [number, '.5', '0.5', 'number form'],
    [number, '5.', '5.0', 'number form'],
    [number, '-.5e3', '-0.5e3', 'number form'],
    [number, 'Infinity', '"Infinity"'],
    [number, 'NaN', '"NaN"'],
    [number, '1,000', '"1,000"'],
    [number, '0x10', '"0x10"'],
    // Booleans.
    [boolean, 'true', 'true'],
    [boolean, 'False', 'false'],
    [boolean, ' TRUE\n', 'true'],
    [boolean, '1', 'true'],
    [boolean, '0', 'false'],
    [boolean, '2', '2'],
    [boolean, 'yes', '"yes"'],
    [either('boolean', 'integer'), '1', '1'],
    // Null.
    [either('string', 'null'), 'null', 'null'],
    [either('string', 'null'), 'Null', 'null'],
    [either('string', 'null'), 'None', 'null'],
    [either('string', 'null'), 'none', '"none"'],
    [either('string', 'null'), ' x ', '" x "'],
    [either('string', 'integer'), 'null', '"null"'],
    [{ type: 'STRING', nullable: true }, 'null', 'null'],
    // Unions, in the fixed order.
    [either('string', 'integer'), '5', '5'],
    [either('string', 'integer'), '5.0', '"5.0"'],
    [either('string', 'integer'), '007', '"007"'],
    [either('string', 'number'), '5.0', '5.0'],
    [either('string', 'boolean'), 'True', 'true'],
    [either('string', 'boolean'), '5', '"5"'],
    [either('string', 'object'), '{"a": 1}', '{"a": 1}'],
    [either('string', 'object'), '[1]', '"[1]"'],
    [either('string', 'array'), '[1', '"[1"'],
    [{ anyOf: [integer, { type: 'null' }] }, '5', '5'],
    // Objects and arrays.
    [object, '{"a": 1, "b": 12345678901234567890}', '{"a": 1, "b": 12345678901234567890}'],
    [object, "{'a': True}", '{"a":true}', 'python literal'],
    [object, '{"a": 1,}', '{"a":1}', 'python literal'],
    [object, '', '{}'],
    [object, ' \n', '{}'],
    [object, '[1]', '[1]'],
    [object, 'words', '"words"'],
    [array, '[1, 2]', '[1, 2]'],
    [array, "['a', None]", '["a",null]', 'python literal'],
    [array, '(1, 2)', '[1,2]', 'python literal'],
    [array, '', '[]'],
    [either('array', 'null'), '', '[]'],
    [either('array', 'string'), '', '""'],
    // An array that is only its one item, or numbers in a row.
    [array, 'a, b', '["a, b"]'],
    [array, '"a"', '["a"]'],
    [array, '5', '[5]'],
    [array, '{"a": 1}', '[{"a": 1}]'],
    [array, '(1)', '["(1)"]'],
    [array, 'null', 'null'],
    [array, '[1', '"[1"'],
    [either('array', 'null'), 'a', '["a"]'],
    [either('array', 'string'), 'a', '"a"'],
    [either('array', 'object'), 'a', '"a"'],
    [listOf(string), ' ls -la\nb', '[" ls -la\\nb"]'],
    [listOf(string), '1, 2', '["1, 2"]'],
    [listOf(string), '5', '["5"]'],
    [listOf(string), '"a"', '["a"]'],
    [listOf(modes), 'slow', '["slow"]'],
    [listOf(modes), 'FAST', '["Fast"]'],
    [listOf(modes), 'other', '"other"'],
    [listOf(integer), '5', '[5]'],
    [listOf(integer), '1, 2,3', '[1,2,3]', 'numbers to array'],
    [listOf(integer), '1, 2.5', '"1, 2.5"'],
    [listOf(integer), '1,000', '"1,000"'],
    [listOf(integer), '1,,2', '"1,,2"'],
    [listOf(integer), '1 2', '"1 2"'],
    [listOf(integer), 'five', '"five"'],
    [listOf(number), '10\n 2.50\r\n\n1e2', '[10,2.50,1e2]', 'numbers to array'],
    [listOf(number), '1,\n2', '[1,2]', 'numbers to array'],
    [listOf(number), '1, 2,', '"1, 2,"'],
    [listOf(number), '1, 1e400', '"1, 1e400"'],
    [listOf(either('number', 'string')), '1, 2', '["1, 2"]'],
    [{ prefixItems: [integer, boolean] }, '1, 2', '"1, 2"'],
    [listOf({ properties: { n: integer } }), '{"n": "1"}', '[{"n": 1}]'],
    [listOf(object), 'a', '"a"'],
    [{ type: 'array', items: { $ref: '#' } }, 'a', '"a"'],
    [{ type: 'array', items: integer }, '["1", 2]', '[1, 2]', 'string to integer at [0]'],
    [{ properties: { n: integer } }, "{'n': '1'}", '{"n":1}', 'python literal; string to integer at n'],
    // Closed lists.
    [modes, 'Fast', '"Fast"'],
    [modes, ' Fast\n', '"Fast"'],
    [modes, 'fast', '"Fast"', 'enum case'],
    [modes, 'null', '"null"'],
    [modes, '5', '"5"'],
    [modes, 'other', '"other"'],
    [{ enum: ['a', 'A'] }, 'A', '"A"'],
    [{ enum: ['ab', 'AB'] }, 'Ab', '"Ab"'],
    [{ enum: [1, 2] }, '2', '2'],
    [{ enum: ['auto', 1] }, 'AUTO', '"auto"', 'enum case'],
    [{ enum: ['auto', 1] }, '1', '1'],
    [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, 'null', 'null'],
    [{ anyOf: [{ enum: ['a'] }, { type: 'null' }] }, 'A', '"a"', 'enum case'],
    // Undeclared.
    [true, '5', '5'],
    [true, ' 1.0 ', '1.0'],
    [true, 'true', 'true'],
    [true, 'True', '"True"'],
    [true, 'null', 'null'],
    [true, '"quoted"', '"quoted"'],
    [true, '{"a": [1]}', '{"a": [1]}'],
    [true, '{a: 1}', '"{a: 1}"'],
    [true, '5 apples', '"5 apples"'],
    [true, '007', '"007"'],
    [true, '1e400', '"1e400"'],
    [true, '{"a": 1e400}', '{"a": 1e400}'],
    [true, ' words ', '" words "'],
    [true, '', '""'],
    [{ description: 'x' }, '5', '5'],
    // Nothing allowed fits.
    [false, '5', '5'],
    [false, 'x', '"x"'],
  ]
  for (const [schema, text, json, changed] of table) {
    test(`${JSON.stringify(schema)}: ${JSON.stringify(text)} is ${json}`, () => {
      expect(coerceText(compileSchema(schema), text)).toEqual(changed === undefined ? { json } : { json, changed })
    })
  }
})

describe('a JSON value of the wrong type', () => {
  const counts: JsonSchema = {
    type: 'object',
    properties: {
      count: integer,
      name: string,
      on: boolean,
      tags: { type: 'array', items: string },
      filter: { type: 'object', properties: { limit: either('integer', 'null') } },
      free: {},
    },
  }
  const table: readonly (readonly [JsonSchema, string, string, string?])[] = [
    [counts, '{ "count" : "5" }', '{ "count" : 5 }', 'string to integer at count'],
    [counts, '{"count":5.0,"count":1e3}', '{"count":5.0,"count":1e3}'],
    [counts, '{"count":"five"}', '{"count":"five"}'],
    [counts, '{"count":"5.5"}', '{"count":"5.5"}'],
    [counts, '{"count":"null"}', '{"count":"null"}'],
    [counts, '{"count":null}', '{"count":null}'],
    [counts, '{"count":"123456789012345678901"}', '{"count":123456789012345678901}', 'string to integer at count'],
    [counts, '{"name":1.50}', '{"name":"1.50"}', 'number to string at name'],
    [counts, '{"name":12345678901234567890}', '{"name":"12345678901234567890"}', 'integer to string at name'],
    [counts, '{"name":true}', '{"name":"true"}', 'boolean to string at name'],
    [counts, '{"name":null}', '{"name":null}'],
    [counts, '{"name":{"a" : [1]}}', '{"name":"{\\"a\\" : [1]}"}', 'object to string at name'],
    [counts, '{"name":[ 1,2 ]}', '{"name":"[ 1,2 ]"}', 'array to string at name'],
    [counts, '{"name":"5"}', '{"name":"5"}'],
    [counts, '{"on":"True"}', '{"on":true}', 'string to boolean at on'],
    [counts, '{"on":1}', '{"on":1}'],
    [counts, '{"tags":"[\\"a\\", 1]"}', '{"tags":["a", "1"]}', 'string to array at tags'],
    [counts, '{"tags": "a" }', '{"tags": ["a"] }', 'string to array at tags'],
    [counts, '{"tags":"[a"}', '{"tags":"[a"}'],
    [counts, '{"tags":5}', '{"tags":5}'],
    [counts, '{"tags":null}', '{"tags":null}'],
    [counts, '{"tags":{"a":"b"}}', '{"tags":{"a":"b"}}'],
    [array, '5', '[5]', 'integer to array'],
    [listOf(integer), '"5"', '"5"'],
    [listOf(integer), '"1, 2"', '"1, 2"'],
    [listOf(modes), '"slow"', '["slow"]', 'string to array'],
    [listOf(modes), '"other"', '"other"'],
    [listOf(listOf(integer)), '[1, [2]]', '[[1], [2]]', 'integer to array at [0]'],
    [listOf(listOf(integer)), '1', '1'],
    [either('array', 'string'), '"a"', '"a"'],
    [either('array', 'object'), '"a"', '"a"'],
    [
      counts,
      '{"tags":["a",1 , true]}',
      '{"tags":["a","1" , "true"]}',
      'integer to string at tags[1]; boolean to string at tags[2]',
    ],
    [counts, '{"filter":{"limit":"5"}}', '{"filter":{"limit":5}}', 'string to integer at filter.limit'],
    [counts, '{"filter":{"limit":"null"}}', '{"filter":{"limit":null}}', 'string to null at filter.limit'],
    [counts, '{"filter":"{\\"limit\\": \\"5\\"}"}', '{"filter":{"limit": 5}}', 'string to object at filter'],
    [counts, '{"filter":"{\'limit\': 5}"}', '{"filter":{"limit":5}}', 'string to object at filter'],
    [counts, '{"free":"5","other":"6"}', '{"free":"5","other":"6"}'],
    [counts, '{"c\\u006funt":"5"}', '{"c\\u006funt":5}', 'string to integer at count'],
    [counts, ' {"count":"1","name":"}"} ', ' {"count":1,"name":"}"} ', 'string to integer at count'],
    [counts, '{}', '{}'],
    [counts, '"{\\"count\\": 1}"', '{"count": 1}', 'string to object'],
    [
      { additionalProperties: integer },
      '{"__proto__":"1","a":"2"}',
      '{"__proto__":1,"a":2}',
      'string to integer at __proto__; string to integer at a',
    ],
    [
      { type: 'array', items: integer },
      '["1","2","3","4","5"]',
      '[1,2,3,4,5]',
      'string to integer at [0]; string to integer at [1]; string to integer at [2]; 2 more',
    ],
    [{ prefixItems: [integer, string] }, '["1",2]', '[1,"2"]', 'string to integer at [0]; integer to string at [1]'],
    [{ anyOf: [integer, boolean] }, '"5"', '5', 'string to integer'],
    [{ anyOf: [integer, string] }, '"5"', '"5"'],
    [either('string', 'null'), '5', '"5"', 'integer to string'],
    [either('string', 'object'), '5', '5'],
    [integer, '"3.0"', '3', 'string to integer'],
    [number, '"1e400"', '"1e400"'],
    [number, '1e400', '1e400'],
    [integer, '[1]', '[1]'],
    [{ enum: ['1', '2'] }, '1', '"1"', 'integer to string'],
    [{ enum: ['Fast'] }, '"fast"', '"fast"'],
    [true, '"5"', '"5"'],
    // Not JSON at all: left alone.
    [counts, '{"count":"5"', '{"count":"5"'],
    [array, '[}', '[}'],
  ]
  for (const [schema, json, expected, changed] of table) {
    test(`${JSON.stringify(schema)}: ${json} becomes ${expected}`, () => {
      expect(coerceJson(compileSchema(schema), json, parsePythonLiteral)).toEqual(
        changed === undefined ? { json: expected } : { json: expected, changed },
      )
    })
  }

  test('what lies deeper than two hundred levels is left as it is', () => {
    const node = compileSchema({ anyOf: [{ type: 'array', items: { $ref: '#' } }, integer] })
    const nested = (depth: number): string => `${'['.repeat(depth)}"1"${']'.repeat(depth)}`
    expect(coerceJson(node, nested(150)).json).toBe(nested(150).replace('"1"', '1'))
    expect(coerceJson(node, nested(10_000)).json).toBe(nested(10_000))
  })
})

test.each([
  [string, true],
  [{ enum: ['a', 'b'] }, true],
  [{ allOf: [string] }, true],
  [either('string', 'null'), false],
  [{ enum: ['a', 1] }, false],
  [true, false],
  [integer, false],
] satisfies [JsonSchema, boolean][])('%j is text only: %s', (schema, expected) => {
  expect(isTextOnly(compileSchema(schema))).toBe(expected)
})

const leaf = fc.constantFrom<JsonSchema>(
  string,
  integer,
  number,
  boolean,
  object,
  array,
  modes,
  true,
  false,
  {},
  { type: ['string', 'null'] },
  { const: 5 },
)
const { schema: schemas } = fc.letrec<{ schema: JsonSchema }>((tie) => ({
  schema: fc.oneof(
    { maxDepth: 3 },
    leaf,
    fc.array(tie('schema'), { minLength: 1, maxLength: 3 }).map((anyOf) => ({ anyOf })),
    fc.array(tie('schema'), { minLength: 1, maxLength: 2 }).map((allOf) => ({ allOf })),
    tie('schema').map((items) => ({ type: 'array', items })),
    fc
      .dictionary(fc.constantFrom('a', 'b', '__proto__'), tie('schema'))
      .map((properties) => ({ type: 'object', properties })),
    tie('schema').map((additionalProperties) => ({ type: 'object', additionalProperties })),
  ),
}))
const texts = fc.oneof(
  fc.string(),
  fc.json(),
  fc.constantFrom(
    'null',
    'None',
    'TRUE',
    '1',
    '0',
    '3.0',
    '+5',
    '.5',
    '1e400',
    "{'a': '1'}",
    '(1, 2)',
    '{"a":"1","b":["2"]}',
    '\ud800',
    '[',
    '{',
  ),
)

describe('laws', () => {
  test('the text of a parameter always becomes JSON', () => {
    fc.assert(
      fc.property(schemas, texts, (schema, text) => {
        JSON.parse(coerceText(compileSchema(schema), text).json)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a declared string is the text itself', () => {
    fc.assert(fc.property(texts, (text) => JSON.parse(coerceText(compileSchema(string), text).json) === text))
  })

  test('JSON stays JSON, whatever the schema, and a second pass changes nothing', () => {
    fc.assert(
      fc.property(schemas, fc.json(), (schema, json) => {
        const node = compileSchema(schema)
        const once = coerceJson(node, json)
        JSON.parse(once.json)
        expect(coerceJson(node, once.json)).toEqual({ json: once.json })
      }),
      { numRuns: 2_000 },
    )
  })

  const spaces = fc.constantFrom('', ' ', '\n\t')
  const typed = fc.oneof(
    fc.tuple(fc.constant(integer), fc.bigInt().map(String)),
    fc.tuple(
      fc.constant(number),
      fc.oneof(
        fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
        fc.constantFrom('1.0', '1e400', '-0.00'),
      ),
    ),
    fc.tuple(
      fc.constant(string),
      fc.string().map((value) => JSON.stringify(value)),
    ),
    fc.tuple(fc.constant(boolean), fc.constantFrom('true', 'false')),
    fc.tuple(fc.constant<JsonSchema>(true), fc.json()),
  )
  test('what fits stays byte for byte', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.string(), typed, spaces)), (members) => {
        const named = [...new Map(members.map((member) => [member[0], member])).values()]
        const properties = Object.fromEntries(named.map(([name, [schema]]) => [name, schema]))
        const json = `{${named.map(([name, [, value], space]) => `${space}${JSON.stringify(name)}${space}:${space}${value}${space}`).join(',')}}`
        expect(coerceJson(compileSchema({ type: 'object', properties }), json)).toEqual({ json })
      }),
    )
  })

  test('a number given as a string comes back digit for digit', () => {
    fc.assert(
      fc.property(fc.bigInt(), (value) => {
        expect(coerceJson(compileSchema(integer), `"${value}"`).json).toBe(String(value))
        expect(coerceText(compileSchema(number), `${value}.50`).json).toBe(`${value}.50`)
      }),
    )
  })
})

describe('a megabyte', () => {
  const size = 1 << 20
  const union: JsonSchema = {
    type: ['object', 'array', 'number', 'boolean', 'null'],
    items: { type: 'string' },
    additionalProperties: integer,
  }
  const inputs: readonly (readonly [string, JsonSchema, string])[] = [
    ['of digits', integer, '1'.repeat(size)],
    ['of zeros', integer, '0'.repeat(size)],
    ['of zeros after the point', integer, `1.${'0'.repeat(size)}1`],
    ['of spaces', object, ' '.repeat(size)],
    ['of open brackets', union, '['.repeat(size)],
    ['of open braces', union, "{'a':".repeat(size / 5)],
    ['of quotes', union, `[${"'".repeat(size)}`],
    ['of backslashes', union, `['${'\\'.repeat(size)}`],
    ['of escapes', union, `['${'\\n'.repeat(size / 2)}']`],
    ['of numbers for strings', union, `[${'1,'.repeat(size / 2)}1]`],
    ['of strings for integers', union, `{${'"a":"1",'.repeat(size / 8)}"b":"2"}`],
    ['of nested arrays', union, '['.repeat(size / 2) + ']'.repeat(size / 2)],
    ['of numbers in a row', listOf(number), '1, '.repeat(size / 3)],
    ['of lines', listOf(number), '1\n'.repeat(size / 2)],
    ['of commas', listOf(number), ','.repeat(size)],
    ['of text', string, 'x'.repeat(size)],
  ]
  test.each(inputs)('%s is read in a moment', (_name, schema, text) => {
    const node = compileSchema(schema)
    const start = process.cpuUsage()
    coerceText(node, text)
    coerceJson(node, text)
    coerceJson(node, JSON.stringify(text))
    const { user, system } = process.cpuUsage(start)
    // Work of this process, not the time on the wall: linear takes well under a second, quadratic would take minutes.
    expect(user + system).toBeLessThan(5_000_000)
  })
})
