import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createInputText } from './input-text.ts'

function decode(pieces: readonly string[]): { readonly told: readonly string[]; readonly whole: string } {
  const input = createInputText()
  const told = [...pieces.map((piece) => input.push(piece)), input.end()]
  expect(told.join('')).toBe(input.told)
  return { told, whole: input.told }
}

test('any text in any spelling and any cutting is decoded', () => {
  const plain = fc.string({ unit: 'binary' }).filter((text) => !/^\s*[`{]/.test(text) && text.isWellFormed())
  fc.assert(
    fc.property(plain, fc.boolean(), fc.array(fc.integer({ min: 1, max: 9 })), (text, escaped, sizes) => {
      const literal = JSON.stringify(text)
      const spelt = escaped
        ? literal.replace(/[^\x20-\x7e]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`)
        : literal
      let rest = `{ "input" : ${spelt} }`
      const pieces = sizes.flatMap((size) => {
        const piece = rest.slice(0, size)
        rest = rest.slice(size)
        return piece === '' ? [] : [piece]
      })
      expect(decode([...pieces, rest]).whole).toBe(text)
    }),
  )
})

test('half a character waits for its other half', () => {
  expect(decode(['{"input":"a\\ud83d', '\\ude00b"}']).told).toEqual(['a', '😀b', ''])
})

test.each([
  ['a fence around it', '```diff\n*** Begin\n*** End\n```', '*** Begin\n*** End\n'],
  ['the arguments once more', '{"input":"*** Begin"}', '*** Begin'],
  ['a fence that is only its beginning', '```js\nx\n```\nand more', '```js\nx\n```\nand more'],
  ['an object that is the text', '{"a":1}', '{"a":1}'],
])('%s', (_name, text, expected) => {
  expect(decode([JSON.stringify({ input: text })]).whole).toBe(expected)
})

test.each([
  ['under another key', '{"patch":"*** Begin"}', '*** Begin'],
  ['after another key', '{"why":"so","input":"*** Begin"}', '*** Begin'],
  ['that is no text', '{"input":{"a":1}}', '{"input":{"a":1}}'],
  ['that is not there', '{}', '{}'],
])('a text %s', (_name, json, expected) => {
  expect(decode([json]).whole).toBe(expected)
})
