import { describe, expect, test } from 'vitest'
import type { JsonSchema } from '../../../protocol/json.ts'
import { describeParameters } from './describe.ts'

const cases: readonly { name: string; schema: JsonSchema | undefined; lines: readonly string[] }[] = [
  { name: 'nothing declared is nothing to list', schema: undefined, lines: [] },
  {
    name: 'names, need, types and descriptions',
    schema: {
      type: 'object',
      properties: {
        filePath: { type: 'string', description: 'Absolute path to the file' },
        offset: { type: 'number', description: 'Line number to start reading from' },
        follow: { type: 'boolean' },
      },
      required: ['filePath'],
    },
    lines: [
      '- filePath: (required) string - Absolute path to the file',
      '- offset: (optional) number - Line number to start reading from',
      '- follow: (optional) boolean',
    ],
  },
  {
    name: 'enums, defaults and limits follow the description',
    schema: {
      type: 'object',
      properties: {
        unit: { enum: ['c', 'f'], default: 'c', description: 'Scale' },
        days: { type: 'integer', minimum: 1, maximum: 7 },
        tags: { type: 'array', items: { enum: ['a', 'b'] }, minItems: 1 },
      },
    },
    lines: [
      '- unit: (optional) string - Scale (one of: "c", "f"; default: "c")',
      '- days: (optional) integer (minimum: 1; maximum: 7)',
      '- tags: (optional) array of string (one of: "a", "b"; minimum items: 1)',
    ],
  },
  {
    name: 'nested objects and objects in arrays are indented below their parent',
    schema: {
      type: 'object',
      properties: {
        options: { type: 'object', properties: { retries: { type: 'integer' } }, required: ['retries'] },
        edits: {
          type: 'array',
          items: { type: 'object', properties: { line: { type: 'integer', description: 'Where' } } },
        },
      },
    },
    lines: [
      '- options: (optional) object',
      '  - retries: (required) integer',
      '- edits: (optional) array of object',
      '  - line: (optional) integer - Where',
    ],
  },
  {
    name: 'references and alternatives are looked through',
    schema: {
      type: 'object',
      properties: {
        at: { $ref: '#/$defs/place', description: 'Where to go' },
        note: { anyOf: [{ type: 'string' }, { type: 'null' }], description: 'Perhaps' },
      },
      $defs: { place: { type: 'string', description: 'A place', maxLength: 9 } },
    },
    lines: ['- at: (optional) string - Where to go (maximum length: 9)', '- note: (optional) string or null - Perhaps'],
  },
  {
    name: 'further lines of a description stand deeper than a nested parameter',
    schema: { type: 'object', properties: { a: { type: 'string', description: 'One\n- two: (required) string' } } },
    lines: ['- a: (optional) string - One\n    - two: (required) string'],
  },
]

describe('parameters in words', () => {
  test.each(cases)('$name', ({ schema, lines }) => {
    expect(describeParameters(schema)).toEqual(lines)
  })

  test('a schema that contains itself ends', () => {
    const schema = {
      type: 'object',
      properties: { child: { $ref: '#' }, name: { type: 'string' } },
    }
    const lines = describeParameters(schema)
    expect(lines.length).toBeLessThan(20)
    expect(lines[0]).toBe('- child: (optional) object')
  })
})
