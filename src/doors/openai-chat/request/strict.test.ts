import { expect, test } from 'vitest'
import type { GatewayError } from '../../../errors.ts'
import { readRequest } from './request.ts'

type Schema = Readonly<Record<string, unknown>>

const closed = (properties: Schema, more: Schema = {}): Schema => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
  additionalProperties: false,
  ...more,
})
const many = (count: number): Schema =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`p${n}`, { type: 'string' }]))
/** So many objects, one inside the other, the root among them. */
const nested = (levels: number, wrap = (schema: Schema) => schema): Schema =>
  closed({ a: levels === 1 ? { type: 'string' } : wrap(nested(levels - 1, wrap)) })

function refusalOf(parameters: Schema, strict: boolean): GatewayError | undefined {
  const tools = [
    { type: 'function', function: { name: 'first' } },
    { type: 'function', function: { name: 'read', parameters, strict } },
  ]
  try {
    readRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], tools })
    return undefined
  } catch (thrown) {
    return thrown as GatewayError
  }
}

const fits: readonly (readonly [string, Schema])[] = [
  ['5,000 properties', closed(many(5_000))],
  ['ten levels', nested(10)],
  ['ten levels, each in a list', nested(10, (items) => ({ type: 'array', items }))],
  ['ten levels, each in an alternative', nested(10, (schema) => ({ anyOf: [schema, { type: 'null' }] }))],
  ['ten levels in a definition', closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: nested(10) } })],
  ['a schema inside itself', closed({ a: { anyOf: [{ $ref: '#' }, { type: 'null' }] } })],
]

test.each(fits)('strict takes %s', (_, parameters) => {
  expect(refusalOf(parameters, true)).toBeUndefined()
})

const tooMuch: readonly (readonly [string, Schema, string])[] = [
  ['5,001 properties', closed(many(5_001)), '5,000 object properties'],
  ['5,001 properties in two objects', closed({ ...many(2_500), a: closed(many(2_500)) }), '5,000 object properties'],
  [
    'properties of definitions',
    closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: closed(many(5_000)) } }),
    '5,000 object properties',
  ],
  ['eleven levels', nested(11), '10 levels'],
  ['eleven levels, each in a list', nested(11, (items) => ({ type: 'array', items })), '10 levels'],
  ['eleven levels in a definition', closed({ a: { $ref: '#/$defs/a' } }, { $defs: { a: nested(11) } }), '10 levels'],
]

test.each(tooMuch)('strict refuses %s, and without strict it is taken', (_, parameters, words) => {
  const refusal = refusalOf(parameters, true)
  expect(refusal).toMatchObject({
    status: 400,
    code: 'invalid_function_parameters',
    param: 'tools[1].function.parameters',
    message: expect.stringContaining(words),
  })
  expect(refusal?.message).not.toMatch(/500|429/)
  expect(refusalOf(parameters, false)).toBeUndefined()
})
