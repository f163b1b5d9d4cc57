import { expect, test } from 'vitest'
import { noteSentences, whySentences } from '../../protocol/trace/sentences.ts'
import { explainAnswer, toTools } from './answer.ts'
import { type Explanation, printExplanation, printStream } from './text.ts'

const plain = (_: string, text: string) => text
const tools = toTools([
  { name: 'read_file', parameters: { type: 'object', properties: { path: { type: 'string' } } } },
  { name: 'ls' },
])

const nothing: Explanation = {
  content: null,
  reasoning: null,
  tool_calls: [],
  finish_reason: 'stop',
  dialect: null,
  notes: [],
}

function explained(text: string, cut?: number): readonly string[] {
  const { explanation, spans, steps } = explainAnswer({ text, tools, dialect: 'hermes', cut })
  const printed =
    cut === undefined ? printExplanation(text, spans, explanation, plain) : printStream(steps, explanation, plain)
  return printed.split('\n')
}

test('every part of the text is shown with what became of it', () => {
  const text =
    '<think>\nfirst\nlook\n</think>\nI read it.\n<tool_call>\n{"name": "readFile", "arguments": {"path": "a"}}\n' +
    '</tool_call>\n<tool_call>{"name": "ls"}</tool_call></think>\nDone.'
  expect(explained(text)).toEqual([
    '',
    '   dropped ✂ <think>',
    `           ╰ ${whySentences['edge']}`,
    '   thought ┊ first',
    '           ┊ look',
    '   dropped ✂ </think>',
    `           ╰ ${whySentences['edge']}`,
    '      text │ I read it.',
    '    call 1 ┃ <tool_call>',
    '           ┃ {"name": "readFile", "arguments": {"path": "a"}}',
    '           ┃ </tool_call>',
    '    call 2 ┃ <tool_call>{"name": "ls"}</tool_call>',
    '   dropped ✂ </think>',
    `           ╰ ${whySentences['mark']}`,
    '      text │ Done.',
    '',
    'Calls',
    '   1  read_file {"path": "a"}',
    '   2  ls {}',
    '',
    'Notes',
    '   ●  name_corrected · call 1',
    `      ${noteSentences['name_corrected']}`,
    '      readFile to read_file',
    '   ●  mark_dropped',
    `      ${noteSentences['mark_dropped']}`,
    '      </think>',
    '',
    'dialect hermes · finish_reason tool_calls',
    '',
  ])
})

test('a stream is shown push by push, with what is held back', () => {
  expect(explained('Hi.\n<tool_call>{"name": "ls", "arguments": {}}</tool_call>', 12).slice(1, 12)).toEqual([
    '1  Hi.⏎<tool_ca  → text Hi.',
    '                   … holds ⏎<tool_ca',
    '2  ll>{"name":   → … holds ⏎<tool_call>{"name":␣',
    '3  "ls", "argum  → … holds ⏎<tool_call>{"name": "ls", "argum',
    '4  ents": {}}</  → call 1 begins: ls',
    '                   call 1 {',
    '5  tool_call>    → call 1 }',
    '                   call 1 ends',
    '6  end           → finish tool_calls',
    '',
    'Calls',
  ])
})

test('an answer without calls says so', () => {
  expect(printExplanation('Hello', [{ kind: 'text', from: 0, to: 5 }], nothing, plain)).toBe(
    '\n      text │ Hello\n\nCalls\n      none: all of it is text\n\ndialect none · finish_reason stop\n',
  )
})

test('a call that cannot be used is shown as it was said', () => {
  const lines = explained('So:\n<tool_call>{"name": "ls", "arguments": {"a": %}}</tool_call>')
  expect(lines.slice(1, 7)).toEqual([
    '      text │ So:',
    '  broken 1 ╳ <tool_call>{"name": "ls", "arguments": {"a":',
    `           ╰ ${whySentences['unreadable']}`,
    '      text │ %}}',
    '      text │ </tool_call>',
    `           ╰ ${whySentences['no-call']}`,
  ])
  expect(lines).toContain('      none: all of it is text')
})

test('a thought that is never ended is shown as one', () => {
  expect(explained('<think>hm').slice(1, 4)).toEqual([
    '   dropped ✂ <think>',
    `           ╰ ${whySentences['edge']}`,
    '   thought ┊ hm',
  ])
})

test('what is held back is known by where it stands, not by how it reads', () => {
  expect(explained('a `a` <think>\n```\n{"name": "ls", "arguments": {}}\n``` a', 17).slice(1, 8)).toEqual([
    '1  a `a` <think>⏎```  → text a `a` <think>',
    '                        … holds ⏎```',
    '2  ⏎{"name": "ls", "  → … holds ⏎```⏎{"name": "ls", "',
    '3  arguments": {}}⏎`  → … holds ⏎```⏎{"name": "ls", "arguments": {}}⏎`',
    '4  `` a               → ● example',
    '                        text ⏎```⏎{"name": "ls", "arguments": {}}⏎``` a',
    '5  end                → finish stop',
  ])
})

test('a note of an undescribed kind is shown all the same', () => {
  const notes = [{ kind: 'queued' as const, detail: 'a\nb' }]
  expect(printExplanation('', [], { ...nothing, notes }, plain)).toContain('   ●  queued\n      a⏎b\n')
})
