import { describe, expect, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { hermes } from '../../src/dialects/hermes.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { printCalls } from '../../src/engine/print.ts'
import { createReader } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { createListener, cut, hear, toPlain } from './hear.ts'
import { marksOf } from './marks.ts'

const write: Tool = {
  kind: 'function',
  name: 'write',
  parameters: { type: 'object', properties: { content: { type: 'string' }, tree: { type: ['array', 'object'] } } },
}

function called(json: string) {
  return [{ id: 'call_1', name: 'write', arguments: json }]
}

describe.each(dialects)('$name', (dialect) => {
  test('a string of a megabyte arrives whole', () => {
    const line = `const a = "b" + 'c' // ${marksOf(dialect).join(' ')} 🙂\r\n`
    const content = line.repeat(Math.ceil(2 ** 20 / line.length))
    const calls = called(JSON.stringify({ content }))
    const answer = hear(dialect, [write], cut(printCalls(dialect, calls, [write]), [4093]))
    expect(answer.content.slice(0, 200)).toBe('')
    expect(answer.calls.map(({ name }) => name)).toEqual(['write'])
    expect((JSON.parse(answer.calls[0]?.arguments ?? '{}') as { content: string }).content === content).toBe(true)
  })

  test.each([
    ['arrays', '['.repeat(99) + ']'.repeat(99)],
    ['objects', `${'{"a":'.repeat(99)}"deep"${'}'.repeat(99)}`],
    ['both', `${'[{"a":'.repeat(49)}null${'}]'.repeat(49)}`],
  ])('a hundred levels of %s arrive whole', (_, tree) => {
    const calls = called(`{"tree":${tree}}`)
    const answer = hear(dialect, [write], cut(printCalls(dialect, calls, [write]), [1]))
    expect(toPlain(answer.calls)).toEqual(toPlain(calls))
  })

  test('what a push returned does not change later', () => {
    const reader = createListener(dialect, [write])
    const returned = reader.push(' ')
    const before = JSON.stringify(returned)
    reader.push('words')
    reader.end('stop')
    expect(JSON.stringify(returned)).toBe(before)
  })
})

/** Adding a dialect is one record: here a made-up one. */
const madeUp: Dialect = {
  ...hermes,
  name: 'made-up',
  grammar: {
    section: { open: ['⟪calls⟫\n'], close: ['\n⟪/calls⟫'] },
    call: { open: ['⟪call {name}⟫'], close: ['⟪/call⟫'] },
    separator: '\n',
    arguments: { as: 'json' },
  },
}

test.each([
  ['taught', { dialect: madeUp, others: dialects }],
  ['only understood', { dialect: hermes, others: [...dialects, madeUp] }],
])('a dialect from one record is read, and printed, when it is %s', (_, chosen) => {
  const calls = [...called('{"content": "⟪call"}'), ...called('{}')]
  const text = `So:\n${printCalls(madeUp, calls, [write])}`
  for (const pieces of [[text], text.split('')]) {
    const reader = createReader({ ...chosen, tools: [write], newId: () => 'id' })
    const answer = fold([...pieces.flatMap((piece) => [...reader.push(piece)]), ...reader.end('stop')])
    expect(toPlain(answer.calls)).toEqual(toPlain(calls))
    expect(answer.content).toBe('So:')
    expect(reader.spoken).toBe('made-up')
  }
})

test('a dialect that borrows another’s name keeps its own marks', () => {
  const renamed: Dialect = { ...madeUp, name: hermes.name }
  const text = printCalls(renamed, called('{}'))
  for (const dialect of [hermes, renamed]) {
    const reader = createReader({ dialect, tools: [write], newId: () => 'id' })
    const answer = fold([...reader.push(text), ...reader.end('stop')])
    expect(answer.calls.length).toBe(dialect === renamed ? 1 : 0)
  }
})
