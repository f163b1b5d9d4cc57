import { expect, test } from 'vitest'
import { schemaOf } from '../../../test/engine/collect.ts'
import type { JsonSchema } from '../../protocol/json.ts'
import { isWrapper, memberFor } from './members.ts'

const properties: Readonly<Record<string, JsonSchema>> = {
  file_path: { type: 'string' },
  'max-count': { type: 'integer' },
  Text: {},
  text: {},
  never: false,
}

function member(key: string, closed: boolean) {
  const notes: string[] = []
  const node = schemaOf(properties, closed)
  const { name } = memberFor(node, key, {
    write: () => undefined,
    note: (kind, detail) => void notes.push(`${kind} ${detail}`),
  })
  return { name, notes }
}

test.each([
  ['file_path', 'file_path'],
  ['text', 'text'],
  ['Text', 'Text'],
])('%s is taken as it is written', (key, name) => {
  for (const closed of [true, false]) expect(member(key, closed)).toEqual({ name, notes: [] })
})

test.each([
  ['filePath', 'file_path'],
  ['file-path', 'file_path'],
  ['File Path', 'file_path'],
  ['MAX_COUNT', 'max-count'],
])('%s is %s', (key, name) => {
  for (const closed of [true, false])
    expect(member(key, closed)).toEqual({ name, notes: [`key_corrected ${key} to ${name}`] })
})

test.each(['other', 'TEXT', 'file_path_2'])(
  '%s, which is no one property, stays unless the schema is closed',
  (key) => {
    expect(member(key, false)).toEqual({ name: key, notes: [] })
    expect(member(key, true)).toEqual({ name: undefined, notes: [`member_dropped ${key}`] })
  },
)

test('a property that allows no value is left out', () => {
  expect(member('never', false)).toEqual({ name: undefined, notes: ['member_dropped never'] })
})

test.each(['arguments', 'parameters', 'args', 'input', 'params', 'kwargs', 'properties'])(
  '%s wraps the arguments, unless it is one of them',
  (key) => {
    expect(isWrapper(schemaOf({ a: {} }), key)).toBe(true)
    expect(isWrapper(schemaOf({ a: {}, [key]: {} }), key)).toBe(false)
    expect(isWrapper(schemaOf({}), key)).toBe(false)
    expect(isWrapper(schemaOf({ a: {} }), `${key}s`)).toBe(false)
  },
)
