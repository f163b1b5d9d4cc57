import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { findingsOf } from './findings.ts'
import { readByHand } from './hand.ts'
import { compare } from './judge.ts'
import { grounds } from './promises.ts'
import { printMarkdown, tally } from './report.ts'
import type { Vector } from './vector.ts'

const call = '<tool_call>{"name":"run","arguments":{"command":"ls"}}</tool_call>'
const run = { name: 'run', arguments: { command: 'ls' } }
const tools = [
  {
    name: 'run',
    parameters: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
  },
]

interface Told {
  readonly text: string
  readonly format?: string
  readonly calls?: readonly (typeof run | { name: string; arguments: object })[]
  readonly content?: string
  readonly reasoning?: string
}

/** A row that expects `wanted`, and a reader that gave `got`, whatever the real one would. */
function rowOf(wanted: Told, got: Omit<Told, 'text'>, id = 'made-up:1') {
  const vector: Vector = {
    ...{ id, source: 'made-up', test: '', tier: 'A', format: wanted.format ?? 'hermes', text: wanted.text, tools },
    expected_calls: wanted.calls ?? [],
    expected_content: wanted.content ?? null,
    expected_reasoning: wanted.reasoning ?? null,
  }
  return compare(vector, {
    calls: (got.calls ?? []).map(({ name, arguments: json }) => ({ id: '', name, arguments: JSON.stringify(json) })),
    content: got.content ?? '',
    reasoning: got.reasoning ?? '',
    notes: [],
  })
}

function listsOf(row: ReturnType<typeof rowOf>) {
  const { calls, content } = findingsOf(row)
  return [calls?.ground.list, content?.ground.list]
}

describe('a call we make that the row does not have is our limit', () => {
  test.each([
    ['in plain prose', 'I would run ls.'],
    ['that is complete', call],
    ['that lacks its closer', call.replace('</tool_call>', '')],
    ['that is cut off', '<tool_call>{"name":"run","arguments":{"command":"l'],
    ['of a tool that was not declared', call.replace('run', 'walk')],
    ['with arguments that break the schema', '<tool_call>{"name":"run","arguments":{}}</tool_call>'],
    ['with a sensitive name', call.replace('command', 'constructor')],
    ['that is written twice', call + call],
  ])('%s', (_, text) => {
    const [calls, content] = listsOf(rowOf({ text, content: text }, { calls: [run] }))
    expect([calls, content]).toEqual(['limit', 'limit'])
  })

  test('beside one that is expected', () => {
    const row = rowOf({ text: call + call, calls: [run] }, { calls: [run, run] })
    expect(listsOf(row)).toEqual(['limit', undefined])
  })

  test('under another name', () => {
    const row = rowOf({ text: call, calls: [run] }, { calls: [{ ...run, name: 'ls' }] })
    expect(listsOf(row)).toEqual(['limit', undefined])
  })
})

describe('a mark we leak is our limit', () => {
  test.each([
    ['a closer', `${call}</tool_call>`, '</tool_call>'],
    ['an opener', `<tool_call>${call}`, '<tool_call>'],
    ['a control token', `${call}<|im_end|>`, '<|im_end|>'],
    ['a bracket', `${call}]`, ']'],
    ['words up to a closer', `${call} oops</tool_call>`, 'oops</tool_call>'],
    ['the end of a call', call, '"ls"}}</tool_call>'],
    ['a parameter', `${call}<parameter=a>1</parameter>`, '<parameter=a>1</parameter>'],
    ['a call without its closer', `${call}<tool_call>garbage</tool_call> Bye.`, '<tool_call>garbage'],
    ['an empty list', '<TOOLCALL>[]</TOOLCALL>', '<TOOLCALL>[]</TOOLCALL>'],
  ])('%s', (_, text, content) => {
    const calls = text.includes(call) ? [run] : []
    expect(listsOf(rowOf({ text, calls }, { calls, content }))).toEqual([undefined, 'limit'])
  })
})

describe('what else is our limit', () => {
  test.each([
    ['a call we miss', { text: call, calls: [run] }, { content: call }, ['limit', 'limit']],
    [
      'a value we cut',
      { text: call, calls: [run] },
      { calls: [{ ...run, arguments: { command: 'l' } }] },
      ['limit', undefined],
    ],
    [
      'white space we take from a value',
      { text: '<parameter=command> ls </parameter>', calls: [{ ...run, arguments: { command: ' ls ' } }] },
      { calls: [run] },
      ['limit', undefined],
    ],
    ['words we lose', { text: `Hi. ${call}`, calls: [run], content: 'Hi.' }, { calls: [run] }, [undefined, 'limit']],
    ['words we make up', { text: call, calls: [run] }, { calls: [run], content: 'I ran it.' }, [undefined, 'limit']],
    [
      'a thought we show',
      { text: `hm</think>${call}`, calls: [run], reasoning: 'hm' },
      { calls: [run], content: 'hm' },
      [undefined, 'limit'],
    ],
    [
      'a complete call we miss before one that is cut off',
      { text: `${call}<tool_call>{"name":"run","arguments":{"command":"p`, calls: [run] },
      { content: `${call}<tool_call>{"name":"run","arguments":{"command":"p` },
      ['limit', 'limit'],
    ],
  ] as const)('%s', (_, wanted, got, lists) => {
    expect(listsOf(rowOf(wanted, got))).toEqual(lists)
  })
})

describe('what rests on a line of the contract or on a decision', () => {
  const cut = '<tool_call>{"name":"run","arguments":{"command":"ls'
  test.each([
    [
      'words the row drops',
      { text: `Hi. ${call} Bye.`, calls: [run], content: 'Hi.' },
      { calls: [run], content: 'Hi. Bye.' },
      [undefined, grounds.content],
    ],
    [
      'a call that could not be read, as it was',
      { text: '<tool_call>garbage</tool_call>' },
      { content: '<tool_call>garbage</tool_call>' },
      [undefined, grounds.malformed],
    ],
    ['a call that was cut off', { text: cut, calls: [run] }, { content: cut }, [grounds.cutOff, grounds.cutOff]],
    [
      'a member the schema does not list',
      { text: call.replace('"ls"', '"ls","why":"x"'), calls: [run] },
      { calls: [{ ...run, arguments: { command: 'ls', why: 'x' } }] },
      [grounds.values, undefined],
    ],
    [
      'a thought the row shows',
      { text: `<think>hm</think>${call}`, calls: [run], content: '<think>hm</think>' },
      { calls: [run], reasoning: 'hm' },
      [undefined, grounds.thoughts],
    ],
  ] as const)('%s', (_, wanted, got, expected) => {
    const { calls, content } = findingsOf(rowOf(wanted, got))
    expect([calls?.ground, content?.ground]).toEqual(expected)
  })
})

test('an excuse counts for its own score only', () => {
  const text = `${call.replace('"ls"', '"ls","why":"x"')}]`
  const got = { calls: [{ ...run, arguments: { command: 'ls', why: 'x' } }], content: ']' }
  expect(listsOf(rowOf({ text, calls: [run] }, got))).toEqual(['decision', 'limit'])
})

describe('the report', () => {
  const right = rowOf({ text: call, calls: [run] }, { calls: [run] })
  const contradicting = rowOf({ text: `${call} Bye.`, calls: [run] }, { calls: [run], content: 'Bye.' })
  const decided = rowOf({ text: '<think>hm</think>', content: '<think>hm</think>' }, { reasoning: 'hm' })
  const losing = rowOf({ text: `${call}]` }, { calls: [run], content: ']' })

  test('counts each list for each score, and decisions and limits as lost', () => {
    const rows = [right, contradicting, decided, losing]
    expect(tally(rows, 'calls')).toEqual({
      rows: 4,
      right: 3,
      raw: 0.75,
      contract: 0,
      decision: 0,
      limit: 1,
      fair: 0.75,
    })
    expect(tally(rows, 'content')).toEqual({
      rows: 4,
      right: 1,
      raw: 0.25,
      contract: 1,
      decision: 1,
      limit: 1,
      fair: 1 / 3,
    })
  })

  test('shows an invented call and a leaked mark under our limits', () => {
    const [, limits = ''] = printMarkdown([{ ...losing, cutting: undefined }]).split('## Our limits')
    expect(limits).toContain('- **calls**: We make a call that the row does not have. 1 row: made-up 1.')
    expect(limits).toContain('- **content**: We show more. 1 row: made-up 1.')
  })
})

describe('the rows read by hand', () => {
  const rows = readByHand.flatMap((group) =>
    group.rows
      .trim()
      .split(/\s+/)
      .map((row) => `${group.score} ${row}`),
  )

  test('are each listed once, with a seal', () => {
    expect(rows.filter((row) => !/^(?:calls|content) [\w-]+:\d+@[\da-f]{6}$/.test(row))).toEqual([])
    expect(new Set(rows.map((row) => row.replace(/@.*/, ''))).size).toBe(rows.length)
  })

  test('are a limit again once we make something else of them', () => {
    const [id = ''] = rows[0]?.split(' ')[1]?.split('@') ?? []
    expect(listsOf(rowOf({ text: call, content: call }, { calls: [run] }, id))).toEqual(['limit', 'limit'])
  })

  test('never rest on nothing', () => {
    expect(readByHand.filter(({ ground, why }) => ground.list === 'limit' || why === '')).toEqual([])
  })
})

test('every decision has its record', () => {
  const records = Object.values(grounds).flatMap(({ list, says }) => (list === 'decision' ? [says] : []))
  expect(records.filter((name) => !existsSync(`docs/decisions/${name}.md`))).toEqual([])
})
