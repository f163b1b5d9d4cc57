import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const call = (written: string) => `<tool_call>{"name": "set_lamp", "arguments": ${written}}</tool_call>`

test.each([
  ['{"room": "den"}', '{"room": "den"}'],
  ['"{\\"room\\": \\"den\\"}"', '{"room": "den"}'],
  ['\'{"room": "den"}\'', '{"room": "den"}'],
  ['"\\"{\\\\\\"room\\\\\\": \\\\\\"den\\\\\\"}\\""', '{"room": "den"}'],
  ['" {\\"level\\": \\"3\\"} "', '{"level": 3}'],
  ['"{}"', '{}'],
])('arguments written %s are %s', (written, json) => {
  expect(hear('hermes', call(written))).toMatchObject({ calls: [`set_lamp ${json}`], text: '' })
})

test.each(['"  "', '""', 'null', '[]'])('arguments written %s are none, if the tool needs none', (written) => {
  const ping = call(written).replace('set_lamp', 'ping')
  expect(hear('hermes', ping)).toMatchObject({ calls: ['ping {}'], text: '' })
  expect(hear('hermes', call(written))).toMatchObject({ calls: [], text: call(written) })
})

test.each(['5', 'true', '[1]', '"den"', '"5"', '"\\"{"', 'nope'])('arguments written %s make no call', (written) => {
  expect(hear('hermes', call(written))).toMatchObject({ calls: [], text: call(written), failures: [] })
})

test.each([
  ['', []],
  ['{"room": "d', ['cut-off']],
  ['"', []],
  ['"{\\"room\\": \\"d', ['cut-off']],
  ['nul', []],
])('arguments cut off after %j make no call, and none is told that has none yet', (written, failures) => {
  const text = `<tool_call>{"name": "set_lamp", "arguments": ${written}`
  expect(hear('hermes', text, { ends: 'length' })).toMatchObject({ calls: [], text, failures, finish: 'length' })
})

test.each([
  ['```azAZ_-\n', '\n```', 1],
  ['```', '```', 1],
  ['`````json\n', '\n', 1],
  ['``', '``', 0],
  ['```5\n', '```', 0],
])('an envelope between %j and %j', (before, after, count) => {
  for (const inner of ['{"name": "ping"}', '[{"name": "ping"}]']) {
    const text = `<tool_call>${before}${inner}${after}</tool_call>`
    const rest = count === 0 ? text : ''
    expect(hear('hermes', text)).toMatchObject({ calls: Array(count).fill('ping {}'), text: rest })
  }
})

test('a string of arguments that is not closed is cut off, whole as they may be', () => {
  const text = '[TOOL_CALLS]ping[ARGS]"{}'
  expect(hear('mistral-v11', text, { ends: 'length' })).toMatchObject({ calls: [], text, failures: ['cut-off'] })
})

test.each(['"{}"', "'{}'", '{}'])('arguments that stand alone may be in a string too: %s', (written) => {
  expect(hear('mistral-v11', `[TOOL_CALLS]ping[ARGS]${written}`)).toMatchObject({ calls: ['ping {}'], text: '' })
})
