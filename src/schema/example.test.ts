import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../protocol/json.ts'
import { checkArguments } from './check.ts'
import { compileParameters } from './compile.ts'
import { exampleArguments } from './example.ts'

const string: JsonSchema = { type: 'string' }
const number: JsonSchema = { type: 'number' }

const values: readonly (readonly [string, JsonSchema, unknown])[] = [
  ['city', string, 'city'],
  ['customerName', string, 'customer name'],
  ['filePath', string, '/path/to/file'],
  ['file_path', string, '/path/to/file'],
  ['directory', string, '/path/to/directory'],
  ['imageUrl', string, 'https://example.com'],
  ['command', string, 'npm install'],
  ['description', string, 'What this does'],
  ['when', { type: 'string', format: 'date' }, '2025-01-31'],
  ['', string, 'text'],
  ['offset', number, 10],
  ['limit', { type: 'integer' }, 50],
  ['limit', { type: 'integer', maximum: 20 }, 20],
  ['page', { type: 'integer', minimum: 3 }, 3],
  ['timeout', number, 30_000],
  ['timeoutMs', number, 30_000],
  ['temperature', number, 1],
  ['recursive', { type: 'boolean' }, true],
  ['paths', { type: 'array', items: string }, ['/path/to/file']],
  ['address', { type: 'array', items: string }, ['address']],
  ['tags', { type: 'array', items: string, minItems: 5 }, ['tag', 'tag']],
  ['pair', { prefixItems: [string, number], minItems: 2 }, ['pair', 1]],
  ['x', { type: 'string', default: 'd' }, 'd'],
  ['x', { type: 'string', default: null, examples: ['e', 'f'] }, 'e'],
  ['x', { type: 'string', default: 5 }, 'x'],
  ['x', { type: 'string', default: 'y'.repeat(1_000) }, 'x'],
  ['mode', { enum: ['fast', 'slow'] }, 'fast'],
  ['mode', { enum: [null, 'slow'] }, 'slow'],
  ['kind', { const: 7 }, 7],
  ['x', { anyOf: [{ type: 'null' }, { type: 'integer' }] }, 1],
  ['nothing', { type: 'null' }, null],
  ['anything', true, 'anything'],
  ['options', { properties: { limit: number, path: string }, required: ['path'] }, { path: '/path/to/file' }],
  ['options', { properties: { limit: number } }, { limit: 50 }],
]
test.each(values)('%s of %j: %j', (name, schema, expected) => {
  expect(exampleArguments({ type: 'object', properties: { [name]: schema }, required: [name] })).toEqual({
    [name]: expected,
  })
})

describe('arguments', () => {
  test('a tool for reading files', () => {
    const properties = { filePath: string, offset: number, limit: number }
    expect(exampleArguments({ type: 'object', properties, required: ['filePath'] })).toEqual({
      filePath: '/path/to/file',
      offset: 10,
      limit: 50,
    })
  })

  test('every required property and two of the others, in the order of the schema', () => {
    const properties = { a: string, b: string, c: string, d: string }
    expect(Object.keys(exampleArguments({ properties, required: ['d'] }))).toEqual(['a', 'b', 'd'])
  })

  test.each([undefined, true, false, {}, { type: 'string' }] satisfies (JsonSchema | undefined)[])(
    '%j: none',
    (schema) => {
      expect(exampleArguments(schema)).toEqual({})
    },
  )

  test('a required property that is not declared has a value all the same', () => {
    expect(exampleArguments({ type: 'object', required: ['city'] })).toEqual({ city: 'city' })
  })

  test('__proto__ is a plain name', () => {
    const schema = JSON.parse(
      '{"properties": {"__proto__": {"type": "integer"}}, "required": ["__proto__"]}',
    ) as JsonSchema
    expect(JSON.stringify(exampleArguments(schema))).toBe('{"__proto__":1}')
  })

  test('a recursive schema and a very wide one end soon', () => {
    const tree: JsonSchema = { properties: { left: { $ref: '#' }, right: { $ref: '#' } }, required: ['left', 'right'] }
    expect(JSON.stringify(exampleArguments(tree)).length).toBeLessThan(2_000)
    const names = Array.from({ length: 10_000 }, (_, index) => `p${index}`)
    const wide = { properties: Object.fromEntries(names.map((name) => [name, string])), required: names }
    expect(Object.keys(exampleArguments(wide)).length).toBeLessThanOrEqual(100)
  })

  test('an example satisfies its own schema', () => {
    const leaf = fc.constantFrom<JsonSchema>(
      string,
      number,
      { type: 'boolean' },
      { type: 'integer', minimum: 5, maximum: 7 },
      { enum: ['a', 'b'] },
      { type: ['null', 'integer'] },
      { type: 'array', items: number, minItems: 2 },
    )
    const names = fc.constantFrom('path', 'limit', 'city', 'url', 'tags')
    const object = (inner: fc.Arbitrary<JsonSchema>): fc.Arbitrary<JsonSchema> =>
      fc.dictionary(names, inner).map((properties) => ({
        type: 'object',
        properties,
        required: Object.keys(properties),
        additionalProperties: false,
      }))
    fc.assert(
      fc.property(object(fc.oneof(leaf, object(leaf))), (schema) => {
        const example = exampleArguments(schema)
        expect(checkArguments(compileParameters(schema), example)).toEqual([])
        expect(exampleArguments(structuredClone(schema))).toEqual(example)
      }),
    )
  })
})
