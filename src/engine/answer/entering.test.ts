import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const mark = '<tool_call>'
const ping = `${mark}{"name": "ping"}</tool_call>`

test.each([
  ['where the closer of another should be', `${mark}{"name": "ping"}${ping}`, 2, '', ['closer_missing \n</tool_call>']],
  ['after a call, at the end', `${ping}\n${mark}`, 1, '', [`mark_dropped ${mark}`]],
  ['after a call and words', `${ping}x ${mark}`, 1, `x ${mark}`, []],
  ['over and over before a call', `${mark}${mark}\n${ping}x`, 1, 'x', [`mark_dropped ${mark}`, `mark_dropped ${mark}`]],
  ['twice in words before a call', `a ${mark}${mark} b ${ping}`, 1, `a ${mark}${mark} b`, []],
  ['alone', mark, 0, mark, []],
  ['twice', `${mark}\n${mark}`, 0, `${mark}\n${mark}`, []],
  ['twice before words', `${mark} ${mark} x`, 0, `${mark} ${mark} x`, []],
  ['twice before what is no call', `${mark}${mark}{"x": 1}</tool_call>`, 0, `${mark}${mark}{"x": 1}</tool_call>`, []],
])('a mark %s', (_, said, count, text, notes) => {
  expect(hear('hermes', said)).toMatchObject({ calls: Array(count).fill('ping {}'), text, notes })
})

test.each(['[TOOL_CALLS]', '<function='])('%s after a call of another dialect is text, at the end, too', (other) => {
  expect(hear('hermes', `${ping}\n${other}`)).toMatchObject({ calls: ['ping {}'], text: `\n${other}`, notes: [] })
})

test('a mark after a call, where the length ran out, is the beginning of another', () => {
  const heard = hear('hermes', `${ping}\n${mark}`, { ends: 'length' })
  expect(heard).toMatchObject({ calls: ['ping {}'], text: `\n${mark}`, notes: [], finish: 'length' })
})

test('a call that nobody marked is made where it fits its tool', () => {
  const heard = hear('hermes', '<set_lamp>\n<room>den</room>\n</set_lamp>')
  expect(heard).toMatchObject({ calls: ['set_lamp {"room":"den"}'], text: '', notes: ['call_unmarked'] })
})

test.each([
  ['it lacks what the tool needs', '{"name": "set_lamp", "arguments": {"level": 1}}'],
  ['it has what the tool does not know', '{"name": "set_lamp", "arguments": {"room": "a", "zone": 1}}'],
  ['it has elements the tool does not know', '<set_lamp>\n<room>den</room>\n<zone>1</zone>\n</set_lamp>'],
  ['its closer is missing', '<set_lamp>\n<room>den</room>'],
])('a call that nobody marked is text where %s', (_, text) => {
  expect(hear('hermes', text)).toMatchObject({ calls: [], text, notes: [] })
})
