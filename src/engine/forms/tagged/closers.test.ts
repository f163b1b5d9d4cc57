import { expect, test } from 'vitest'
import { hear } from '../../../../test/engine/hear.ts'

const closers = '</parameter>\n</function>\n</tool_call>'
const note = (inner: string) => `<tool_call>\n<function=write_note>\n<parameter=text>\n${inner}`

test.each([
  ['after one sign and a blank', 'one\n- </parameter> and\ntwo'],
  ['in quotes at the start of a line', 'one\n"</parameter></function>" and\ntwo'],
])('a closer that a line speaks of %s is text', (_, inner) => {
  const heard = hear('qwen3-coder', note(`${inner}\n${closers}`))
  expect(heard).toMatchObject({ calls: [`write_note ${JSON.stringify({ text: inner })}`], text: '' })
})

test('a call is whole although the sentence after it was cut off', () => {
  const heard = hear('qwen3-coder', `${note(`a${closers}`)}, and then`, { ends: 'length' })
  expect(heard).toMatchObject({ calls: ['write_note {"text":"a"}'], text: ', and then', failures: [] })
})

const xml = (inner: string) => `<set_lamp>\n${inner}\n</set_lamp>x`

test.each([
  ['before another closer', '<room>a</room></b>\nc</room>', 'a</room></b>\nc', ['closer_quoted </room>']],
  ['twice', '<room>a</room>\n</room>', 'a', ['mark_dropped </room>']],
  ['twice, and words behind it', '<room>a</room></room> b</room>', 'a</room></room> b', ['closer_quoted </room>']],
  ['after what closes the call', '<room>a</set_lamp> b</room>', 'a</set_lamp> b', ['closer_quoted </room>']],
  ['nowhere', '<room>a</set_lamp>', 'a', ['closer_missing </room>', 'mark_dropped </set_lamp>']],
  ['after the tag of another argument', '<room>see <level> here</room>', 'see <level> here', []],
  ['after its own tag', '<room>a <room>b</room> c</room>', 'a <room>b</room> c', []],
])('where arguments are tags of any name, a closer %s', (_, inner, room, notes) => {
  const heard = hear('xml-toolname', xml(inner))
  expect(heard).toMatchObject({ calls: [`set_lamp ${JSON.stringify({ room })}`], text: 'x', notes })
})
