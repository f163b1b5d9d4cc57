import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { hear } from '../../../test/engine/hear.ts'
import type { Frame } from '../../dialects/dialect.ts'
import { classify, readHeader } from './messages.ts'

const frame: Frame = {
  open: ['<|start|>'],
  body: ['<|message|>', '<|code|>'],
  close: ['<|end|>'],
  call: /^to=(\w+)<\|\w+\|>$/,
  thought: /^analysis<\|message\|>$/,
  text: /^final<\|message\|>$/,
}

test.each([
  ['to=ping<|message|>{}', { kind: 'call', name: 'ping' }, '{}'],
  ['to=ping<|code|>{}', { kind: 'call', name: 'ping' }, '{}'],
  ['analysis<|message|>hm', { kind: 'thought' }, 'hm'],
  ['final<|message|>', { kind: 'text' }, ''],
  ['other<|message|>x', undefined, 'x'],
  ['final<|mess', undefined, ''],
  ['', undefined, ''],
])('the header of %s', (text, header, rest) => {
  expect(collect(text, (source) => readHeader(source, frame))).toMatchObject({ result: header, rest })
})

test('a call without a name is one all the same', () => {
  expect(classify({ ...frame, call: /^tools/ }, 'tools<|message|>')).toMatchObject({ kind: 'call', name: undefined })
})

test.each([
  [256, 'call'],
  [257, undefined],
])('a header of %i characters: %s', (length, kind) => {
  const name = 'a'.repeat(length - 3)
  expect(collect(`to=${name}<|code|>`, (source) => readHeader(source, frame)).result?.kind).toBe(kind)
})

test('the end of a text that is far too long for a header is none', () => {
  expect(collect(`${'a'.repeat(257)}final<|message|>`, (source) => readHeader(source, frame)).result).toBeUndefined()
})

test.each([
  ['to=ping<|message|>', { kind: 'call', name: 'ping', isSure: true }],
  ['to=tools.ping<|message|>', { kind: 'call', name: 'tools.ping', isSure: false }],
  ['to nobody<|message|>', undefined],
])('%s says who is called, and how surely', (header, expected) => {
  expect(classify({ ...frame, knownCall: /^to=([\w.]+)/ }, header)).toEqual(expected)
})

const call = '<|channel|>commentary to=functions.ping<|message|>{}<|call|>'
const header = (channel: string) => `<|start|>assistant<|channel|>${channel}<|message|>`

test.each([
  [`Hi<|end|>${call}`, 1, 'Hi', ['mark_dropped <|end|>']],
  [`${call}${header('final')}Done.`, 1, 'Done.', []],
  [`${call}<|channel|>final<|message|>Done.`, 1, 'Done.', []],
  [`${call}\n<|message|>Done.`, 1, 'Done.', []],
  ['<|message|>Done.', 0, 'Done.', []],
  ['Done.<|message|>So.', 0, 'Done.<|message|>So.', []],
  [`${header('final')}Hi<|end|>${header('final')} you`, 0, 'Hi you', ['mark_dropped <|end|>']],
  [`${header('final')}Hi ${header('final')}you`, 0, `Hi ${header('final')}you`, []],
  [`<|start|>${'x'.repeat(300)}<|message|>`, 0, `<|start|>${'x'.repeat(300)}<|message|>`, []],
  ['<|channel|>commentary to=ping<|message|>{}<|call|>', 1, '', []],
])('of the messages %j %i are calls, and the text is %j', (said, count, text, notes) => {
  expect(hear('harmony', said)).toMatchObject({ calls: Array(count).fill('ping {}'), text, reasoning: '', notes })
})

test.each([
  [`${header('analysis')}hm${header('final')}Hi`, 'Hi', 'hm', []],
  [`${header('analysis')}hm<|end|>${header('final')}Hi<|return|>`, 'Hi', 'hm', ['mark_dropped <|return|>']],
  [`${header('final')}Hi<|end|>\n${header('analysis')}hm<|end|> you`, 'Hi\nyou', 'hm', ['mark_dropped <|end|>']],
  [`${header('analysis')}hm<|start|>assistant`, '<|start|>assistant', 'hm', []],
])('a thought is a message of its own: %j', (said, text, reasoning, notes) => {
  expect(hear('harmony', said)).toMatchObject({ calls: [], text, reasoning, notes })
})

test.each([
  '<|channel|>commentary to=functions.ping<|message|>what<|end|>',
  '<|channel|>commentary to=nosuch<|message|>{}<|call|>',
])('a message to a tool that is no call is shown, and the next one read: %s', (said) => {
  expect(hear('harmony', said)).toMatchObject({ calls: [], text: said, notes: [] })
  expect(hear('harmony', `${said}${header('final')}Hi`)).toMatchObject({ calls: [], text: `${said}Hi`, notes: [] })
})

test('messages are understood where nobody taught them: calls anywhere, others where they are the answer', () => {
  expect(hear('hermes', `So: ${call} x`)).toMatchObject({ calls: ['ping {}'], text: 'So:  x' })
  expect(hear('hermes', `${header('analysis')}hm<|end|>x`)).toMatchObject({ text: 'x', reasoning: 'hm' })
  const quoted = `x\n${header('analysis')}hm<|end|>x`
  expect(hear('hermes', quoted)).toMatchObject({ text: quoted, reasoning: '' })
})

test.each(['hermes', 'harmony'])(
  '%s: a call in a fence or in quotes, with words after it, is an example',
  (dialect) => {
    for (const text of [`\`\`\`\n${call}\n\`\`\`\nso`, `"${call}" so`])
      expect(hear(dialect, text)).toMatchObject({ calls: [], text, notes: ['example'] })
    const fenced = `\`\`\`\n${call}\n\`\`\``
    expect(hear(dialect, fenced)).toMatchObject({ calls: ['ping {}'], text: '', notes: ['fence_removed'] })
  },
)
