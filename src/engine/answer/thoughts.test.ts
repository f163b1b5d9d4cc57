import { expect, test } from 'vitest'
import { hear } from '../../../test/engine/hear.ts'

const ping = '<tool_call>{"name": "ping"}</tool_call>'

test.each([
  ['in code', '<think>say `</think>` so</think>b', 'say `</think>` so', 'b', []],
  ['in quotes', '<think>say "</think>" so</think>b', 'say "</think>" so', 'b', []],
  ['after a quote only', '<think>a "</think>b', 'a "', 'b', []],
  ['on a line of its own', 'x\n</think>\nb', '', 'x\n\nb', ['mark_dropped </think>']],
  ['in a line', 'x </think> b', '', 'x </think> b', []],
  ['at a word', 'a</think>b', '', 'a</think>b', []],
])('the end of a thought %s', (_, said, reasoning, text, notes) => {
  expect(hear('hermes', said)).toMatchObject({ calls: [], reasoning, text, notes })
})

test.each([
  ['closed behind it', `<think>a ${ping} b</think>c`, 0, `a ${ping} b`, 'c', []],
  ['not closed', `<think>a ${ping}`, 1, 'a', '', ['thought_unclosed']],
  ['not closed, with words behind it', `<think>a ${ping} b`, 1, 'a', 'b', ['thought_unclosed']],
  ['closed before it', `<think>a</think>\n${ping}\n<think>b</think>c`, 1, 'ab', 'c', []],
  ['closed behind it, which nobody opened', `${ping}</think>b`, 1, '', 'b', ['mark_dropped </think>']],
])('a call and a thought that is %s', (_, said, count, reasoning, text, notes) => {
  expect(hear('hermes', said)).toMatchObject({ calls: Array(count).fill('ping {}'), reasoning, text, notes })
})

test('a call in a thought is a thought where the length ran out', () => {
  const heard = hear('hermes', `<think>a ${ping}`, { ends: 'length' })
  expect(heard).toMatchObject({ calls: [], reasoning: `a ${ping}`, text: '', notes: [], finish: 'length' })
})

test.each([
  ['hermes', 'x\n<think>a</think>b', 'a', 'x\nb'],
  ['hermes', 'x <think>a</think>b', '', 'x <think>a</think>b'],
  ['hermes', '[THINK]a[/THINK]b', 'a', 'b'],
  ['hermes', 'x\n[THINK]a[/THINK]b', '', 'x\n[THINK]a[/THINK]b'],
  ['mistral-v11', 'x\n[THINK]a[/THINK]b', 'a', 'x\nb'],
  ['mistral-v11', 'x [THINK]a[/THINK]b', '', 'x [THINK]a[/THINK]b'],
])('%s: where a thought may begin: %j', (dialect, said, reasoning, text) => {
  expect(hear(dialect, said)).toMatchObject({ calls: [], reasoning, text })
})

test.each([
  ['hermes', 'So:\n<think>\nis a tag.', 'So:\n<think>\nis a tag.', '', []],
  ['hermes', '<think>a</think>\nb', 'b', 'a', []],
  ['hermes', 'Fine.<|im_end|>\nuser\nGo on.\n<tool_call>{"name": "ping"}</tool_call>', 'Fine.', '', []],
  ['hermes', 'Fine.<|im_end|>\nusers are many.', 'Fine.<|im_end|>\nusers are many.', '', []],
])('%s: of %j the text is %j', (dialect, said, text, reasoning, calls) => {
  expect(hear(dialect, said)).toMatchObject({ text, reasoning, calls })
})
