import fc from 'fast-check'
import { expect, test } from 'vitest'
import { describeJsonFault } from './json-body.ts'

test.each<[string, string, string]>([
  ['nothing after a colon', '{\n  "model": "m",\n  "messages":\n}', "Line 4, column 1: expected a value, found '}'."],
  ['a comma too many', '{"model": "m",}', "Line 1, column 15: expected a name in double quotes, found '}'."],
  ['a comma too many in a list', '[1,\n]', "Line 2, column 1: expected a value, found ']'."],
  ['a comma too few', '{"a": 1\n "b": 2}', "Line 2, column 2: expected ',' or '}', found '\"'."],
  ['a comma too few in a list', '[1 2]', "Line 1, column 4: expected ',' or ']', found '2'."],
  ['a colon too few', '{"a" 1}', "Line 1, column 6: expected ':', found '1'."],
  ['single quotes', "{'model': 'm'}", "Line 1, column 2: expected a name in double quotes, found '''."],
  ['names without quotes', '{model: 1}', "Line 1, column 2: expected a name in double quotes, found 'm'."],
  ['typographic quotes', '{“model”: 1}', "Line 1, column 2: expected a name in double quotes, found '“'."],
  ["Python's words", '{"stream": True}', "Line 1, column 12: expected a value, found 'T'."],
  ['no number', '{"temperature": NaN}', "Line 1, column 17: expected a value, found 'N'."],
  ['a leading zero', '{"n": 01}', "Line 1, column 8: expected ',' or '}', found '1'."],
  ['a comment', '{ // a model\n}', "Line 1, column 3: expected a name in double quotes, found '/'."],
  ['a line break inside a string', '{"content": "a\nb"}', 'Line 1, column 15: a line break inside a string.'],
  ['a tab inside a string', '["a\tb"]', 'Line 1, column 4: a tab inside a string.'],
  ['a path of Windows', '["C:\\project"]', 'Line 1, column 5: a backslash that begins no escape; write it as \\\\.'],
  ['a string that goes on', '{"a": "b}', 'Line 1, column 7: this string is never closed.'],
  ['an end too soon', '{"a": [1', "Line 1, column 9: expected ',' or ']', found the end of the text."],
  ['a wrong closer', '{"a": [1}', "Line 1, column 9: expected ',' or ']', found '}'."],
  ['two values', '{} {}', "Line 1, column 4: expected the end of the text, found '{'."],
  ['a form', 'model=m&n=1', "Line 1, column 1: expected a value, found 'm'."],
  ['a figure that agents retry on', `[\n${' '.repeat(428)}x]`, "Line 2: expected a value, found 'x'."],
  [
    'a line of such a figure',
    `[${' '.repeat(100)}${'\n'.repeat(499)}x]`,
    "Character 601: expected a value, found 'x'.",
  ],
])('%s', (_, text, told) => {
  expect(describeJsonFault(text)).toBe(told)
})

test('it is where the JSON of the runtime says it is, wherever that says it', () => {
  const spoilt = fc
    .tuple(fc.json(), fc.nat(), fc.constantFrom('', ',', ':', '"', '{', ']', '\\', '\n', 'x', '-', '.'))
    .map(([json, place, put]) => {
      const at = place % (json.length + 1)
      return json.slice(0, at) + put + json.slice(at + 1)
    })
  fc.assert(
    fc.property(spoilt, (text) => {
      let message: string
      try {
        JSON.parse(text)
        return
      } catch (thrown) {
        message = (thrown as SyntaxError).message
      }
      const fault = describeJsonFault(text)
      // A column that looks like a status is left out.
      expect(fault).toMatch(/^(?:Line \d+(?:, column \d+)?|Character \d+|Far into the body): .*\.$/s)
      const told = /^Line (\d+), column (\d+): /.exec(fault)
      if (told === null) return
      const place = /\(line (\d+) column (\d+)\)/.exec(message)
      // Of strings and numbers, the runtime tells another end.
      if (place === null || /string|escape|control|number|fraction|exponent|minus/i.test(message)) return
      expect(told?.slice(1, 3)).toEqual(place.slice(1, 3))
    }),
    { numRuns: 2000 },
  )
})
