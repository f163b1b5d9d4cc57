import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'
import { dialects, findDialect } from '../../dialects/registry.ts'
import { allEntriesOf } from './name-entries.ts'
import { signsFor } from './signs.ts'
import { controlTokens } from './vocabulary.ts'

test.each(controlTokens)('the token %s is left out next to a call and stays in words', (token) => {
  const call = '<tool_call>{"name": "ping"}</tool_call>'
  expect(hear('hermes', `${token}${call}${token}`, { others: [] })).toMatchObject({ text: '', calls: ['ping {}'] })
  for (const text of [`a ${token}b`, `${token} begins`, `it ends with ${token}`])
    expect(hear('jamba', text, { others: [] })).toMatchObject({ text, notes: [] })
})

test.each([
  ['<think>', '</think>'],
  ['<thinking>', '</thinking>'],
])('%s and %s are understood in every dialect', (open, close) => {
  for (const { name } of dialects)
    expect(hear(name, `${open}a${close}b`)).toMatchObject({ reasoning: 'a', text: 'b', notes: [] })
})

test.each([
  ['hermes', '<ping></ping>', '<ping></ping>'],
  ['hermes', '<tool_call>{"name": "ping"}</tool_call></ping>', '</ping>'],
  ['hermes', '<tool_call>{"name": "ping"}</tool_call>\n```\nls\n```', '```\nls\n```'],
  ['hermes', '</tool_call>', '</tool_call>'],
  ['xml-toolname', '<ping></ping></ping>', ''],
  ['xml-toolname', '<ping></ping></set_lamp>', ''],
  ['xml-toolname', '</ping>', '</ping>'],
])('%s: of the closers in %j there remains the text %j', (dialect, said, text) => {
  expect(hear(dialect, said).text).toBe(text)
})

test('a quotation is one even where no mark begins with a backtick', () => {
  const text = 'Write `<tool_call>{"name": "ping"}</tool_call>` here.'
  expect(hear('hermes', text, { others: [] })).toMatchObject({ text, calls: [] })
})

test('signs are made once per dialect and, where names are marks, per set of names', () => {
  const hermes = findDialect('hermes')
  const [one, other] = ['a', 'b'].map((name) => signsFor(hermes, dialects, new Set([name]), false, allEntriesOf))
  const under = (signs: typeof one, mark: string) => signs?.marks.root.next.get(mark.charCodeAt(0))
  expect(one?.calls).toBe(other?.calls)
  expect(under(one, '[')).toBe(under(other, '['))
  expect(under(one, '<')).not.toBe(under(other, '<'))
  const xml = findDialect('xml-toolname')
  const signs = signsFor(xml, dialects, new Set(['a', 'b']), false, allEntriesOf)
  expect(signsFor(xml, dialects, new Set(['a', 'b']), false, allEntriesOf)).toBe(signs)
  expect(signsFor(xml, dialects, new Set(['ab']), false, allEntriesOf)).not.toBe(signs)
  expect(signsFor(xml, dialects, new Set(['a', 'b']), true, allEntriesOf)).not.toBe(signs)
  expect(signsFor(xml, [], new Set(['a', 'b']), false, allEntriesOf)).not.toBe(signs)
})

test('the signs of no more than 64 sets of names are remembered', () => {
  const others = [...dialects]
  const xml = findDialect('roo-xml')
  const sign = (number: number) => signsFor(xml, others, new Set([`tool_${number}`]), false, allEntriesOf)
  const first = sign(0)
  for (let number = 1; number < 64; number++) sign(number)
  expect(sign(0)).toBe(first)
  sign(64)
  expect(sign(0)).not.toBe(first)
})
