import { expect, test } from 'vitest'
import { explainAnswer } from './answer.ts'

const marked = '<tool_call>{"name": "f", "arguments": {}}</tool_call>'

test.each([
  ['no tools, no dialect: text', marked, undefined, []],
  ['no tools, dialect auto: text', marked, 'auto', []],
  ['no tools, the dialect named: its calls', marked, 'hermes', ['f']],
  ['no tools, a dialect of names named: its calls', '<f>\n<a>1</a>\n</f>', 'roo-xml', ['f']],
  ['no tools, a dialect of faint marks named: its calls', '[f(a=1)]', 'pythonic', ['f']],
])('%s', (_, text, dialect, names) => {
  const { explanation } = explainAnswer({ text, tools: [], dialect })
  expect(explanation.tool_calls.map(({ name }) => name)).toEqual(names)
  if (names.length === 0) expect(explanation.content).toBe(text)
})

test('no tools allowed: text, whatever is named', () => {
  const { explanation } = explainAnswer({ text: marked, tools: [], dialect: 'hermes', toolChoice: { mode: 'none' } })
  expect(explanation).toMatchObject({ content: marked, tool_calls: [], finish_reason: 'stop' })
})
