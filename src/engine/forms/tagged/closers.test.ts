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
