import { expect, test } from 'vitest'
import { createJsonWatcher } from './json-prefix.ts'

const wholes = [
  '{}',
  ' { "a" : [ ] } ',
  '{"a":"\\u00e9\\n\\"","b":[1,-0.5e+7,{"c":null}],"d":true}',
  '{"a":12345678901234567890,"a":[[[]]],"":{"x":false}}',
]

test.each(wholes)('%s is JSON and so is every prefix of it its beginning', (json) => {
  for (let length = 0; length <= json.length; length++) {
    const watcher = createJsonWatcher()
    expect(watcher.push(json.slice(0, length))).toBe(true)
    expect(watcher.isComplete).toBe(length >= json.trimEnd().length)
  }
})

const wrongs = [
  '[',
  '"a"',
  '{a',
  "{'",
  '{,',
  '{"a",',
  '{"a":,',
  '{"a":01',
  '{"a":1.}',
  '{"a":+1',
  '{"a":tru}',
  '{"a":nul,',
  '{"a":1,}',
]
const wrongToo = [
  '{"a":[1,]',
  '{"a":[}',
  '{"a":"\n',
  '{"a":"\\x',
  '{"a":"\\u12g',
  '{"a":1]',
  '{}{',
  '{"a":1}x',
  '{"a":--',
  '{"a":NaN',
  '{"a":.5',
]

test.each([...wrongs, ...wrongToo])('%j can no longer become JSON', (json) => {
  const watcher = createJsonWatcher()
  expect(watcher.push(json)).toBe(false)
  expect(watcher.isComplete).toBe(false)
})
