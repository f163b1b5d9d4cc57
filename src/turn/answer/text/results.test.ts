import { describe, expect, test } from 'vitest'
import { findDialect } from '../../../dialects/registry.ts'
import type { Event } from '../../../protocol/event.ts'
import { createInventedResults } from './results.ts'

const call: readonly Event[] = [
  { type: 'call-start', index: 0, id: 'call_1', name: 'read' },
  { type: 'call-delta', index: 0, json: '{}' },
  { type: 'call-end', index: 0 },
]

/** An answer of texts and calls, its texts in pieces of so many characters. */
function passed(name: string, answer: readonly (string | typeof call)[], size = 1_000) {
  const dialect = findDialect(name)
  if (dialect === undefined) throw new Error(name)
  const stage = createInventedResults(dialect)
  const events: Event[] = []
  for (const part of answer) {
    if (typeof part !== 'string') events.push(...stage.push(part))
    else
      for (let at = 0; at < part.length; at += size)
        events.push(...stage.push([{ type: 'text-delta', text: part.slice(at, at + size) }]))
  }
  events.push(...(stage.end?.() ?? []))
  return {
    text: events.map((event) => (event.type === 'text-delta' ? event.text : '')).join(''),
    calls: events.filter(({ type }) => type === 'call-end').length,
    notes: events.flatMap((event) => (event.type === 'note' ? [event.kind] : [])),
    isCut: stage.isCut,
  }
}

const rows: readonly [string, string, readonly (string | typeof call)[], object][] = [
  [
    'after a call the answer is cut',
    'hermes',
    [call, '\n<tool_response>\n{"a": 1}\n</tool_response>\nIt is 1.'],
    { text: '', calls: 1, notes: ['invented_result'], isCut: true },
  ],
  [
    'and so is a call after it',
    'hermes',
    [call, '\n<tool_response>1</tool_response>\n', call],
    { text: '', calls: 1, notes: ['invented_result'], isCut: true },
  ],
  [
    'words between the call and the result stay',
    'hermes',
    [call, ' Let me see.\n<tool_response>1'],
    { text: ' Let me see.\n', calls: 1, isCut: true },
  ],
  [
    'at the very beginning its words are the answer',
    'hermes',
    ['<tool_response>\nThe word is x.\n</tool_response>'],
    { text: 'The word is x.', calls: 0, notes: ['invented_result'], isCut: false },
  ],
  [
    'with words behind it',
    'hermes',
    ['\n<tool_response>\nThe word is x.\n</tool_response>\nDone.'],
    { text: 'The word is x.\nDone.', calls: 0 },
  ],
  [
    'an opener with a name',
    'xml-toolname',
    ['<tool_result name="read">\nx\n</tool_result>'],
    { text: 'x', notes: ['invented_result'] },
  ],
  [
    'in running prose it is a word',
    'hermes',
    ['Say <tool_response> to end.\n<tool_response>'],
    { notes: [], isCut: false },
  ],
  [
    'in the middle of a line after a call too',
    'hermes',
    [call, ' The <tool_response> tag.'],
    { text: ' The <tool_response> tag.', notes: [] },
  ],
  ['a mark of another dialect ends it, too', 'hermes', [call, '\n[TOOL_RESULTS] 1'], { text: '', isCut: true }],
  ['but not at the beginning', 'hermes', ['[TOOL_RESULTS] 1'], { text: '[TOOL_RESULTS] 1', notes: [] }],
  ['with an attribute', 'hermes', [call, '\n<tool_response id="1">1'], { text: '', isCut: true }],
  ['several of them', 'hermes', [call, '\n<tool_responses>\n<tool_response>1'], { text: '', isCut: true }],
  ['in words that only name the tool', 'json-fence', [call, '\nResult of read:\n1'], { text: '', isCut: true }],
  ['words about another tool stay', 'json-fence', [call, '\nResult of all:\n1'], { text: '\nResult of all:\n1' }],
  ['by the first tag of several', 'anthropic-xml', [call, '\n<function_results>1'], { text: '', isCut: true }],
  [
    'at the beginning, by the first tag of several',
    'anthropic-xml',
    ['<function_results>\nThe word is x.\n</function_results>'],
    { text: 'The word is x.', notes: ['invented_result'] },
  ],
  [
    'at the beginning, with all tags',
    'xml-name-args',
    ['<tool_result>\n<name>read</name>\n<output>The word is x.</output>\n</tool_result>'],
    { text: 'The word is x.' },
  ],
  [
    'two at the beginning',
    'hermes',
    ['<tool_response>\none\n</tool_response>\n<tool_response>\ntwo\n</tool_response>'],
    { text: 'onetwo', notes: ['invented_result'] },
  ],
  [
    'one at the beginning, and one after a call behind it',
    'hermes',
    ['<tool_response>\none', call, '\n<tool_response>\ntwo'],
    { text: 'one', calls: 1, isCut: true },
  ],
  ['cut off inside its mark', 'hermes', [call, '\n<tool_resp'], { text: '', notes: ['invented_result'] }],
  ['cut off inside its closer', 'hermes', ['<tool_response>\nThe word is x.\n</tool_res'], { text: 'The word is x.' }],
  ['Mistral’s results', 'mistral-v11', [call, '[TOOL_RESULTS]1[/TOOL_RESULTS]'], { text: '', isCut: true }],
  ['ReAct’s observations', 'react', [call, '\nObservation: 1\n'], { text: '', isCut: true }],
  ['a beginning that comes to nothing', 'hermes', [call, '\n<tool_rest'], { text: '\n<tool_rest', notes: [] }],
  ['blank lines alone', 'hermes', ['\n\n'], { text: '\n\n', notes: [] }],
]

describe.each([1, 3, 7, 1_000])('results a model makes up, in pieces of %i', (size) => {
  test.each(rows)('%s', (_, dialect, answer, expected) => {
    expect(passed(dialect, answer, size)).toMatchObject(expected)
  })

  test('text without a mark passes unchanged', () => {
    const text = 'One.\n\n<b>two</b> <tool> <\n  <tool_\nthree'
    expect(passed('hermes', [text], size).text).toBe(text)
    expect(passed('hermes', [call, text], size).text).toBe(text)
  })
})
