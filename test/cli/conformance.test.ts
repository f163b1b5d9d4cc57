import { afterAll, afterEach, expect, test } from 'vitest'
import { conformanceCases } from '../../scripts/conformance-cases.ts'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { createReader } from '../../src/engine/reader.ts'
import { fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import { patients, startPatient } from '../doubles/patient.ts'
import { createFolder, runDragoman } from '../dragoman.ts'

const tools = [{ type: 'function', function: { name: 'ls', parameters: { type: 'object', properties: {} } } }]
const call = '<tool_call>{"name": "ls", "arguments": {"n": 1.0}}</tool_call>'
const line = (id: string, format: string, text: string, expected: object): string =>
  JSON.stringify({ id, format, tier: 'strict', text, tools, expected: { content: null, tool_calls: [], ...expected } })
const cases = [
  line('a call', 'hermes', call, { tool_calls: [{ name: 'ls', arguments: '{ "n": 1 }' }] }),
  line('words', 'hermes', 'Hello there', { content: 'Hello there' }),
  line('two calls', 'hermes', call + call, { tool_calls: Array(2).fill({ name: 'ls', arguments: '{"n":1}' }) }),
  line('unknown', 'other', 'x', { content: 'x' }),
]

/** Reads the first call with a regular expression, and loses words that come in pieces of two characters. */
const parser = `import { createInterface } from 'node:readline'
for await (const line of createInterface({ input: process.stdin })) {
  const { id, format, pieces } = JSON.parse(line)
  const text = pieces.join('')
  const found = /<tool_call>(.*?)<\\/tool_call>/.exec(text)
  const call = found && JSON.parse(found[1])
  const tool_calls = call ? [{ name: call.name, arguments: JSON.stringify(call.arguments) }] : []
  const content = call || pieces[0].length === 2 ? null : text + '\\n'
  console.log(JSON.stringify(format === 'other' ? { id, skip: true } : { id, content, tool_calls }))
}`
const place = createFolder({ 'cases.jsonl': `${cases.join('\n')}\n`, 'parser.mjs': parser })
afterAll(place.remove)

const undo: (() => unknown)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

const run = (...args: readonly string[]) => runDragoman(['conformance', ...args], place)
const command = `${process.execPath} parser.mjs`

test('a parser is tried with every case and cutting, formats it skips aside', async () => {
  const { code, out } = await run('--cases', 'cases.jsonl', '--parser', command, '--failures')
  expect(out.split('\n').map((row) => row.replace(/ +/g, ' '))).toEqual([
    ' cases calls content cutting',
    'hermes 3 66.6% 100% 66.6%',
    'strict 3 66.6% 100% 66.6%',
    'sample 0',
    'around 0',
    'damaged 0',
    'all 3 66.6% 100% 66.6%',
    'words: cutting',
    'two calls: calls',
    '',
  ])
  expect(code).toBe(1)
})

test('where all is right, the exit code is 0', async () => {
  const right = createFolder({ 'cases.jsonl': cases[0] ?? '', 'parser.mjs': parser })
  undo.push(right.remove)
  const args = ['conformance', '--cases', 'cases.jsonl', '--parser', command, '--json']
  const { code, out } = await runDragoman(args, right)
  expect(JSON.parse(out)).toEqual([{ id: 'a call', calls: true, content: true, cutting: true }])
  expect(code).toBe(0)
})

test.each<[readonly string[], number, string]>([
  [['--cases', 'cases.jsonl', '--parser', 'exit 3'], 1, 'The command ended with 3.'],
  [['--cases', 'gone.jsonl', '--parser', command], 1, "I can't read gone.jsonl"],
  [['--url', 'http://127.0.0.1:9/v1'], 2, '--model NAME'],
  [[], 2, 'Pass --url URL, or --parser COMMAND.'],
])('%j ends with %d and says why', async (args, code, reason) => {
  const outcome = await run(...args)
  expect(outcome.complaints).toContain(reason)
  expect(outcome.code).toBe(code)
})

test('an endpoint is asked each question streamed and whole, and what is wrong with its answers is told', async () => {
  const patient = await startPatient({ illness: { finish: 'stop' } })
  undo.push(patient.close)
  const { code, out } = await run('--url', patient.url, '--model', 'tiny-chat')
  expect(out).toContain(
    '✕ parallel, whole\n    `finish_reason` is "stop" where it has to be "tool_calls".\n✕ awkward text, streamed: not',
  )
  expect(out).toContain('✕ awkward text, whole: not the answer asked for\n')
  expect(out).toContain('\n8 of 14 answers are right, 2 have the right shape.\n')
  expect(code).toBe(1)
  const healthy = await startPatient(patients.healthy)
  undo.push(healthy.close)
  expect((await run('--url', healthy.url, '--model', 'm')).out).toContain('✓ single, whole\n')
})

test('the cases are what Dragoman reads, and few enough to be sent with it', () => {
  const all = conformanceCases()
  const wrong = all.filter(({ format, text, tools: offered, expected }) => {
    const reader = createReader({
      dialect: findDialect(format),
      others: dialects,
      tools: offered.map((one): Tool => ({ kind: 'function', ...(one as { function: Omit<Tool, 'kind'> }).function })),
      newId: () => 'id',
    })
    const { calls } = fold([...reader.push(text), ...reader.end('stop')])
    const parse = (json: string): unknown => JSON.parse(json)
    const names = calls.map((one) => [one.name, parse(one.arguments)])
    return JSON.stringify(names) !== JSON.stringify(expected.tool_calls.map((one) => [one.name, parse(one.arguments)]))
  })
  expect(wrong.map(({ id }) => id)).toEqual([])
  expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
  expect(new Set(all.map(({ format }) => format))).toEqual(new Set(dialects.map(({ name }) => name)))
  expect(JSON.stringify(all).length).toBeLessThan(1.5e6)
})
