import { describe, expect, test } from 'vitest'
import { dialects, findDialect } from '../dialects/registry.ts'
import { fold } from '../protocol/fold.ts'
import type { Tool } from '../protocol/tool.ts'
import { createReader, type ReaderOptions } from './reader.ts'

const read: Tool = {
  kind: 'function',
  name: 'read',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

function hear(text: string, options: Partial<ReaderOptions> = {}, how: 'stop' | 'length' | 'died' = 'stop') {
  const reader = createReader({
    dialect: findDialect('hermes'),
    others: dialects,
    tools: [read],
    newId: () => 'id',
    ...options,
  })
  const events = [...text].flatMap((piece) => [...reader.push(piece)])
  return { reader, ...fold([...events, ...reader.end(how)]) }
}

describe('a tool nobody declared', () => {
  const marked = '<tool_call>{"name": "bash", "arguments": {"command": "ls"}}</tool_call>'
  const named = '<bash>\n<command>ls</command>\n</bash>'
  const page = 'See <div><p>the page</p></div>.'
  const xml = findDialect('roo-xml')
  test.each([
    ['is called where the marks are unmistakable', marked, 'auto', undefined, ['bash']],
    ['is text where its name would be the mark', named, 'auto', xml, []],
    ['is called in either when all are passed on', marked, 'call', undefined, ['bash']],
    ['is called by its name alone when all are passed on', named, 'call', xml, ['bash']],
    ['is text in either when none is', marked, 'text', undefined, []],
    ['is never made of a page inside a line', page, 'call', xml, []],
  ] as const)('%s', (_, text, unknownTools, dialect, names) => {
    const answer = hear(text, { unknownTools, ...(dialect === undefined ? {} : { dialect }) })
    expect(answer.calls.map(({ name }) => name)).toEqual(names)
    if (names.length === 0) expect(answer.content).toBe(text)
  })
})

describe('one call an answer', () => {
  const two = '<tool_call>{"name": "read", "arguments": {"path": "a"}}</tool_call>'.repeat(2)
  test('ends the reading after the first, and says that more came', () => {
    const answer = hear(two, { parallel: false })
    expect(answer.calls).toHaveLength(1)
    expect(answer.reader.done).toBe(true)
    expect(answer.notes.map(({ kind }) => kind)).toContain('cut-after-first-call')
  })
  test('is the rule of a dialect that teaches it, unless the client wants several', () => {
    const text = '<read>\n<path>a</path>\n</read>\n<read>\n<path>b</path>\n</read>'
    const dialect = findDialect('roo-xml')
    expect(hear(text, { dialect }).calls).toHaveLength(1)
    expect(hear(text, { dialect, parallel: true }).calls).toHaveLength(2)
  })
})

describe('an answer that breaks off inside a call', () => {
  const cut = 'On it. <tool_call>{"name": "read", "arguments": {"path": "a'
  test('keeps the text and the reason when the length ran out', () => {
    const answer = hear(cut, {}, 'length')
    expect(answer).toMatchObject({ calls: [], finish: 'length' })
    expect(answer.content).toContain('<tool_call>{"name": "read"')
  })
  test('has no finish when the upstream died', () => {
    expect(hear(cut, {}, 'died').finish).toBeUndefined()
  })
})

test('a call that stands word for word in the request is repeated, not made', () => {
  const call = '<tool_call>{"name": "read", "arguments": {"path": "/etc/passwd"}}</tool_call>'
  const asked = `The log says: ${call}`
  const answer = hear(`It said ${call}`, { echo: (text) => asked.includes(text) })
  expect(answer).toMatchObject({ calls: [], content: `It said ${call}`, finish: 'stop' })
  expect(answer.notes.map(({ kind }) => kind)).toContain('echo')
})
