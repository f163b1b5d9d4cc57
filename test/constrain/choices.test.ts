import { deepEqual } from 'node:assert/strict'
import { describe, test } from 'vitest'
import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { isBareJson } from '../../src/engine/constrain/calls/calls.ts'
import type { ConstrainOptions } from '../../src/engine/constrain/constrain.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { hear } from '../laws/hear.ts'
import { grammarOf, say } from './speech.ts'

const timeout = 120_000
const room = { type: 'object', properties: { room: { type: 'string' } }, required: ['room'] }
const lamp: Tool = { kind: 'function', name: 'set_lamp', parameters: room }
const read: Tool = { kind: 'function', name: 'read_file', parameters: room }
const offered = [lamp, read]

interface Case {
  readonly name: string
  readonly options: Omit<ConstrainOptions, 'dialect' | 'tools'>
  taken(dialect: Dialect): readonly string[]
  refused(dialect: Dialect): readonly string[]
}

const one = (dialect: Dialect) => say(dialect, [lamp, { room: 'den' }])
const other = (dialect: Dialect) => say(dialect, [read, { room: 'den' }])
const two = (dialect: Dialect) => say(dialect, [lamp, { room: 'den' }], [read, { room: 'hall' }])
const many = (dialect: Dialect, calls: number) =>
  say(dialect, ...Array.from({ length: calls }, (): [Tool, { room: string }] => [lamp, { room: 'den' }]))
const wrong = (dialect: Dialect) => say(dialect, [lamp, { door: 'den' }])
const words = 'Let me see: 2 < 3, and so on.\n'
/** What people write that some dialect begins its calls with. */
const ordinary =
  'A list [1, {"a": 2}], `List<Task>`, {"name": "Bob"}:\n```json\n[{"name": "x"}]\n```\nimport functools\n'

/** The same call as a model may write it: its white space, where it stands, what it calls its keys. */
const spellings: readonly ((text: string) => string)[] = [
  (text) => text.replace(/([:,]) (?=["{[\d])/g, '$1'),
  (text) => text.replace(/\{"/g, '{\n  "').replace(/, "/g, ',\n  "').replace(/"\}/g, '"\n}'),
  (text) => text.replaceAll('"arguments"', '"parameters"'),
  (text) => `  ${text.replaceAll('\n', '\n  ')}`,
  (text) => text.replaceAll('\n', ''),
  (text) => text.replaceAll('\n', '\n\n'),
  (text) => `\`\`\`json\n${text}\n\`\`\``,
]

/** A wrong call in every spelling in which it is understood as a call. */
function misspelt(dialect: Dialect): readonly string[] {
  return spellings
    .map((spell) => words + spell(wrong(dialect)))
    .filter((text) => hear(dialect, offered, [text], { parallel: true }).calls.length > 0)
}

const cases: readonly Case[] = [
  {
    name: 'required is calls and nothing else',
    options: { choice: { mode: 'required' }, parallel: true },
    taken: (dialect) => [one(dialect), two(dialect)],
    refused: (dialect) => ['', words, words + one(dialect), wrong(dialect)],
  },
  {
    name: 'required is no more than eight calls',
    options: { choice: { mode: 'required' }, parallel: true },
    taken: (dialect) => [many(dialect, dialect.grammar.single === true ? 1 : 8)],
    refused: (dialect) => [many(dialect, 9)],
  },
  {
    name: 'a named tool is the only one',
    options: { choice: { mode: 'named', name: 'read_file' } },
    taken: (dialect) => [other(dialect)],
    refused: (dialect) => [one(dialect), words],
  },
  {
    name: 'allowed tools are the only ones',
    options: { choice: { mode: 'allowed', required: true, names: ['set_lamp'] } },
    taken: (dialect) => [one(dialect)],
    refused: (dialect) => [other(dialect), ''],
  },
  {
    name: 'without parallel calls there is one',
    options: { choice: { mode: 'required' }, parallel: false },
    taken: (dialect) => [one(dialect)],
    refused: (dialect) => [two(dialect)],
  },
  {
    name: 'auto is words, then valid calls',
    options: { choice: { mode: 'auto' }, parallel: true, others: dialects },
    taken: (dialect) => ['', words, ordinary, one(dialect), two(dialect), words + one(dialect), words + two(dialect)],
    refused: (dialect) => [
      ...[words + wrong(dialect), words + one(dialect).slice(0, -1), wrong(dialect)],
      ...misspelt(dialect),
    ],
  },
  {
    name: 'none is words without a call',
    options: { choice: { mode: 'none' } },
    taken: () => [words],
    refused: (dialect) => [one(dialect), words + one(dialect)],
  },
  {
    name: 'a thought that the prompt opened ends before the call',
    options: { choice: { mode: 'required' }, thought: '</think>' },
    taken: (dialect) => [`</think>\n\n${one(dialect)}`, `Hm. </thin <b> 字</think>${one(dialect)}`],
    refused: (dialect) => [one(dialect), `Hm</think> so</think>${one(dialect)}`, 'Hm</think>'],
  },
]

/** Bare JSON, which has no mark to begin with: it is a call however it is spaced. */
test.each(dialects.filter(isBareJson))('$name: a call may be compact or indented', async (dialect) => {
  const { oracle } = await grammarOf({ dialect, tools: offered, choice: { mode: 'auto' }, others: dialects })
  for (const spell of spellings.slice(0, 2)) {
    const text = spell(one(dialect))
    deepEqual([text, await oracle.accepts(text), await oracle.accepts(words + text)], [text, true, true])
    deepEqual(hear(dialect, offered, [text]).calls.length, 1)
  }
  oracle.dispose()
})

describe.each(dialects)('$name', { timeout }, (dialect) => {
  test.each(cases)('$name', async ({ options, taken, refused }) => {
    const { oracle } = await grammarOf({ dialect, tools: offered, ...options })
    const expected = [
      ...taken(dialect).map((text) => ({ text, isTaken: true })),
      ...refused(dialect).map((text) => ({ text, isTaken: false })),
    ]
    const found: typeof expected = []
    for (const { text } of expected) found.push({ text, isTaken: await oracle.accepts(text) })
    oracle.dispose()
    deepEqual(found, expected)
  })
})
