import { expect, test } from 'vitest'
import { type Explanation, printExplanation } from './explain-text.ts'

const plain = (_: string, text: string) => text

const nothing: Explanation = {
  content: null,
  reasoning: null,
  tool_calls: [],
  finish_reason: 'stop',
  dialect: null,
  notes: [],
}

test('thoughts, text and calls are marked in the order they were said', () => {
  const said = [
    { kind: 'reasoning', text: 'first\nlook' },
    { kind: 'text', text: 'I read it.\n\n' },
    { kind: 'call', text: 'read_file' },
    { kind: 'call', text: 'ls' },
  ] as const
  const explanation: Explanation = {
    ...nothing,
    tool_calls: [
      { name: 'read_file', arguments: '{"path":"a"}' },
      { name: 'ls', arguments: '{}' },
    ],
    finish_reason: 'tool_calls',
    dialect: 'hermes',
    notes: [{ kind: 'name-corrected', detail: 'readFile to read_file', index: 0 }, { kind: 'something_new' }],
  }
  expect(printExplanation(said, explanation, plain)).toBe(
    [
      '│ first',
      '│ look',
      'I read it.',
      '▶ call 1: read_file',
      '▶ call 2: ls',
      '',
      'Calls',
      '#  NAME       ARGUMENTS',
      '1  read_file  {"path":"a"}',
      '2  ls         {}',
      '',
      'Notes',
      '- name-corrected (call 1): the name differed from the tool only in its spelling: readFile to read_file',
      '- something_new',
      '',
      'dialect hermes, finish_reason tool_calls',
      '',
    ].join('\n'),
  )
})

test('an answer without calls says so', () => {
  expect(printExplanation([{ kind: 'text', text: 'Hello' }], nothing, plain)).toBe(
    'Hello\n\nCalls\nnone: all of it is text\n\ndialect none, finish_reason stop\n',
  )
})

test('a call that was cut off is shown as it was said', () => {
  const printed = printExplanation([{ kind: 'broken call', text: '<tool_call>{"na' }], nothing, plain)
  expect(printed).toContain('✗ a call that cannot be used; as it was said:\n<tool_call>{"na\n')
})
