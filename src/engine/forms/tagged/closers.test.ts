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

test('comments between arguments are nobody’s', () => {
  const text = '<parameter=room>den</parameter>\n<!-- a -->\n<?b c?>\n<parameter=level>3</parameter>'
  const heard = hear('qwen3-coder', `<tool_call>\n<function=set_lamp>\n${text}\n</function>\n</tool_call>`)
  expect(heard).toMatchObject({ calls: ['set_lamp {"room":"den","level":3}'], text: '' })
})

test('a value without its closer that took in an argument of another spelling is refused', () => {
  const text = '<room>den\n<parameter=level>3</parameter>'
  const heard = hear('qwen3-coder', `<tool_call>\n<function=set_lamp>\n${text}\n</function>\n</tool_call>`)
  expect(heard).toMatchObject({ calls: [], failures: ['unreadable'] })
})

test.each([
  ['{"text": "a"}', '{"text": "a"}'],
  ['{"other": "a"}', '{"text":"{\\"other\\": \\"a\\"}"}'],
])('words in a tool’s own tag that are its arguments as JSON, %s, are these', (inner, json) => {
  expect(hear('xml-toolname', `<write_note>${inner}</write_note>`).calls).toEqual([`write_note ${json}`])
})

test('the note of a missing closer says which', () => {
  const heard = hear('xml-toolname', '<set_lamp><room>den</room>')
  expect(heard).toMatchObject({ calls: ['set_lamp {"room":"den"}'], notes: ['closer_missing </set_lamp>'] })
})
