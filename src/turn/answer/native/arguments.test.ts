import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileParameters } from '../../../schema/compile.ts'
import { createNativeArguments } from './arguments.ts'

const open = compileParameters({ type: 'object' })

function pass(text: string, sizes: readonly number[], node = open) {
  const reading = createNativeArguments(node)
  let json = ''
  let at = 0
  for (let place = 0; at < text.length; place++) {
    const size = sizes[place % sizes.length] ?? 1
    json += reading.push(text.slice(at, at + size))
    at += size
  }
  const { outcome, rest } = reading.end()
  return { json: json + rest, outcome, notes: reading.notes.map(({ kind }) => kind) }
}

const cuts = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 8 })
const objects = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 4 }))
const spaces = fc.constantFrom('', ' ', '  ', '\t')

test('any JSON object passes to the letter, however it is cut', () => {
  fc.assert(
    fc.property(objects, spaces, cuts, (value, space, sizes) => {
      const text = JSON.stringify(value, undefined, space)
      expect(pass(text, sizes)).toEqual({ json: text, outcome: 'complete', notes: [] })
    }),
  )
})

test('what is put into strings comes out of them', () => {
  fc.assert(
    fc.property(objects, cuts, fc.integer({ min: 1, max: 3 }), (value, sizes, depth) => {
      const text = JSON.stringify(value)
      let wrapped = text
      for (let i = 0; i < depth; i++) wrapped = JSON.stringify(wrapped)
      expect(pass(wrapped, sizes)).toMatchObject({ json: text, outcome: 'complete' })
    }),
  )
})

test('no beginning of an object is taken for the whole of it', () => {
  fc.assert(
    fc.property(objects, cuts, fc.nat(), (value, sizes, at) => {
      const text = JSON.stringify(value)
      const cut = text.slice(0, 1 + (at % (text.length - 1)))
      expect(pass(cut, sizes).outcome).not.toBe('complete')
    }),
  )
})

test.each([
  ['', '{}', 'complete'],
  ['  ', '{}', 'complete'],
  ['null', '{}', 'complete'],
  ['[]', '{}', 'complete'],
  ['""', '{}', 'complete'],
  ['None', '{}', 'complete'],
  ['{}{"a":1}', '{"a":1}', 'complete'],
  ['nul', '', 'cut'],
  ['"{', '', 'cut'],
  ['42', '', 'stuck'],
  ["{'a': True,}", '{"a": true}', 'complete'],
  ['{"a":1} and so on', '{"a":1}', 'complete'],
])('%j is %j, %s', (text, json, outcome) => {
  expect(pass(text, [3])).toMatchObject({ json, outcome })
})

const city = compileParameters({ type: 'object', properties: { city: { type: 'string' } }, required: ['city'] })

test.each([
  ['```json\n{"city":"Rome"}\n```', '{"city":"Rome"}', 'complete'],
  ['json\n{"city":"Rome"}', '{"city":"Rome"}', 'complete'],
  ['{"arguments":{"city":"Rome"}}', '{"city":"Rome"}', 'complete'],
  ['{"name":"weather","arguments":{"city":"Rome"}}', '{"city":"Rome"}', 'complete'],
  ['see {"town":"Rome"}', '', 'stuck'],
  ['```json\n{"city":"Rome', '', 'stuck'],
])('what stands around arguments that fit is left out: %j', (text, json, outcome) => {
  expect(pass(text, [3], city)).toMatchObject({ json, outcome })
})
