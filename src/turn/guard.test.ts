import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../dialects/registry.ts'
import { createReader } from '../engine/reader.ts'
import type { Tool } from '../protocol/tool.ts'
import { createGuard } from './guard.ts'

const tools: readonly Tool[] = [
  { kind: 'function', name: 'read' },
  { kind: 'function', name: 'write' },
]

const bits = fc.constantFrom(
  '<read>',
  '</read>',
  '<tool_call>',
  '</tool_call>',
  '<',
  '```json',
  '{"name": "read"}',
  ' a\n',
  '🙂',
)
const texts = fc.array(bits, { maxLength: 12 }).map((parts) => parts.join(''))

function guardFor(name: string) {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(`no dialect ${name}`)
  return createGuard(dialect, tools)
}

describe.each(dialects.map((dialect) => ({ name: dialect.name, dialect })))('the guard of $name', ({ dialect }) => {
  test('gives back what it neutralised', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const guard = createGuard(dialect, tools)
        expect(guard.restore(guard.neutralise(text))).toBe(text)
      }),
    )
  })

  // Marks that are ordinary text are left alone: breaking up every brace and fence would spoil what users said.
  if (dialect.grammar.faint === true) return
  const firm = { ...dialect, grammar: { ...dialect.grammar, loose: [] } }
  test('leaves nothing a reader of the dialect takes for a call', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const reader = createReader({ dialect: firm, tools, newId: () => 'call_1' })
        const events = [...reader.push(createGuard(dialect, tools).neutralise(text)), ...reader.end('stop')]
        expect(events.filter(({ type }) => type === 'call-start')).toEqual([])
      }),
    )
  })
})

test.each([
  ['hermes', 'A <tool_call> b', 'A <\u2060tool_call> b'],
  ['hermes', '</tool_response> end', '<\u2060/tool_response> end'],
  ['hermes', '<read> is nothing here', '<read> is nothing here'],
  ['roo-xml', '<read> and <b>', '<\u2060read> and <b>'],
  ['harmony', '<|channel|>x<|message|>y<|call|>', '<\u2060|channel|>x<\u2060|message|>y<\u2060|call|>'],
  ['json-fence', '```json\n{}\n```', '```json\n{}\n```'],
])('%s turns %j into %j', (name, text, neutralised) => {
  expect(guardFor(name).neutralise(text)).toBe(neutralised)
})

test('joiners the model invents stay when nothing was neutralised', () => {
  const guard = guardFor('hermes')
  guard.neutralise('plain')
  expect(guard.restore('a\u2060b')).toBe('a\u2060b')
})

test('joiners stay when the conversation had its own', () => {
  const guard = guardFor('hermes')
  guard.neutralise('mine: \u2060, and <tool_call>')
  expect(guard.restore('a\u2060b')).toBe('a\u2060b')
})
