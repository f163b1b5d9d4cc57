import { expect, test } from 'vitest'
import { hear } from '../../../../test/engine/hear.ts'

/** The other spelling of the dialect has this before the name of each tag. */
const space = 'antml:'
const invoke = (prefix: string) => `<${prefix}invoke name="ping"></${prefix}invoke>`
const section = (prefix: string) =>
  `<${prefix}function_calls>\n${invoke(prefix)}\n</${prefix}function_calls>\n<${prefix}function_calls>`

test.each([
  ['two calls', `${invoke('')}\n${invoke('')}`],
  ['two calls in the other spelling', `${invoke(space)}\n${invoke(space)}`],
  ['a section, and what opens another', section('')],
  ['a section, and what opens another, in the other spelling', section(space)],
])('a value may quote %s of its own dialect', (_, text) => {
  const said = `<function_calls>\n<invoke name="write_note">\n<parameter name="text">${text}</parameter>\n</invoke>\n</function_calls>`
  expect(hear('anthropic-xml', said)).toMatchObject({ calls: [`write_note ${JSON.stringify({ text })}`], text: '' })
})
