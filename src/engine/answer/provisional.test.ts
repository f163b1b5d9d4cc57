import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

test('a list of calls after words is text as a whole where one of them cannot be read', () => {
  const said = 'Here:\n[{"name": "ping"}, {"name": "set_lamp", "arguments": {"room": "x" ?}}]'
  expect(hear('json-bare-array', said)).toMatchObject({ calls: [], text: said, failures: [] })
})

test('after a call that failed, a call without marks is an example where words follow it', () => {
  const failed = '<tool_call>{"name": "set_lamp", "arguments": {"level": 5 ?}}</tool_call>'
  const heard = hear('json-bare', `${failed}\n{"name": "ping", "arguments": {}}\nBye.`)
  expect(heard).toMatchObject({ calls: [], failures: ['unreadable'], notes: ['example'] })
})

test('a call that nobody marked is made although one before it lacked its closer', () => {
  const heard = hear('hermes', '<set_lamp>\n<room>den</room> words.\n{"name": "ping", "arguments": {}}')
  expect(heard).toMatchObject({ calls: ['ping {}'], text: '<set_lamp>\n<room>den</room> words.' })
})

test.each([
  ['after words', 'So:\n', 'length'],
  ['after a call and words', '{"name": "ping", "arguments": {}}\nSo:\n', 'length'],
])('a call without marks %s, where the length ran out, may have had more: it is no example', (_, before, finish) => {
  const heard = hear('json-bare', `${before}{"name": "ping", "arguments": {}}`, { ends: 'length' })
  expect(heard).toMatchObject({ notes: [], finish })
})
