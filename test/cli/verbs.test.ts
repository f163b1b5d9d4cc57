import { afterAll, expect, test } from 'vitest'
import { createFolder, runDragoman } from '../dragoman.ts'

const call = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>'
const place = createFolder({
  'tools.json': JSON.stringify([{ name: 'ls' }]),
  'said.txt': `I look.\n${call}`,
  'batch.jsonl': `${JSON.stringify({ id: 1, text: call, tools: [{ name: 'ls' }] })}\n\n${JSON.stringify({ id: 2, text: 'x\u2028y' })}\n`,
  'half-bad.jsonl': `nope\n${JSON.stringify({ id: 2, text: 'fine' })}`,
  'request.json': JSON.stringify({
    model: 'm',
    messages: [{ role: 'user', content: 'List' }],
    tools: [{ type: 'function', function: { name: 'ls' } }],
  }),
  'no-request.json': '{"model": "m"}',
  'good.yaml':
    'keys: [env:KEY, hunter2]\nupstreams: { a: { kind: openai, url: "http://127.0.0.1:9/v1", key: s3cret } }\n',
  'bad.yaml': 'listen: 127.0.0.1:1\nmodles: {}\nlimits: { tools: none }\n',
})
afterAll(place.remove)

const environment = { KEY: 'k' }
const run = (args: readonly string[], input?: string) => runDragoman(args, { folder: place.folder, environment }, input)

test.each<[string[], number, string]>([
  [['doctr'], 2, 'Did you mean "doctor"? Commands: serve, doctor, tune, explain, prompt, dialects, config'],
  [['explain', 'said.txt'], 2, '--tools FILE'],
  [['explain', '--tools', 'gone.json'], 1, "I can't read gone.json"],
  [['explain', '--tools', 'said.txt'], 1, 'said.txt is not valid JSON'],
  [['prompt'], 2, '--request FILE'],
  [['prompt', '--request', 'no-request.json'], 1, 'no-request.json: '],
  [['config'], 2, 'Choose check, schema or print.'],
  [['config', 'chek'], 2, 'Did you mean "check"?'],
  [['config', 'check', '--config', 'gone.yaml'], 1, 'there is no such file'],
  [['--tools', 'nativ'], 2, 'Did you mean "native"?'],
  [['--dialect', 'hermess'], 2, 'Did you mean "hermes"? Run `dragoman dialects` for the list.'],
  [['dialects', 'hermess'], 2, 'Did you mean "hermes"?'],
  [['--listen', 'nowhere'], 2, '--listen: expected HOST:PORT'],
  [['--listen', '0.0.0.0:0'], 1, 'no keys are set'],
])('%j ends with %d, says why, and leaves standard output empty', async (args, code, reason) => {
  const outcome = await run(args)
  expect(outcome.complaints).toContain(reason)
  expect(outcome).toMatchObject({ code, out: '' })
})

test('version and help are answers', async () => {
  expect(await run(['--version'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    complaints: '',
  })
  expect(await run(['explain', '--help'])).toMatchObject({
    code: 0,
    out: expect.stringContaining('--batch FILE'),
    complaints: '',
  })
})

test('explain shows a person what is a call, without colours in a pipe', async () => {
  const { code, out, complaints } = await run(['explain', 'said.txt', '--tools', 'tools.json'])
  expect({ code, complaints }).toEqual({ code: 0, complaints: '' })
  expect(out).toContain('      text │ I look.\n    call 1 ┃ <tool_call>\n')
  expect(out).toContain('   1  ls {}\n')
  expect(out).not.toContain('\u001b')
})

test('explain --cut shows the stream step by step', async () => {
  const { code, out } = await run(['explain', 'said.txt', '--tools', 'tools.json', '--cut', '16'])
  expect(code).toBe(0)
  expect(out).toContain('1  I look.⏎<tool_ca  → text I look.\n')
  expect(out).toContain('… holds ⏎<tool_ca\n')
  expect(out).toContain('call 1 ends\n')
})

test('explain --json reads standard input', async () => {
  const { out } = await run(['explain', '-', '--tools', 'tools.json', '--json'], call)
  expect(JSON.parse(out)).toMatchObject({
    content: null,
    tool_calls: [{ name: 'ls', arguments: '{}' }],
    dialect: 'hermes',
    spans: [{ kind: 'call', index: 0, from: 0, to: call.length, text: call }],
  })
})

test('explain --batch answers line by line, in order', async () => {
  const { code, out } = await run(['explain', '--batch', 'batch.jsonl'])
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(0)
  expect(answers).toMatchObject([
    { id: 1, tool_calls: [{ name: 'ls' }] },
    { id: 2, content: 'x\u2028y' },
  ])
})

test('a bad line of a batch is told in its place, and the exit code says so', async () => {
  const { code, out } = await run(['explain', '--batch', 'half-bad.jsonl'])
  const answers = out
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
  expect(code).toBe(1)
  expect(answers).toMatchObject([
    { id: null, error: expect.stringContaining('not JSON') },
    { id: 2, content: 'fine' },
  ])
})

test.each([
  ['gbnf', /^root ::= /],
  ['ebnf', /^root ::= /],
  ['structural-tag', /^\{\n {2}"type": "structural_tag"/],
  ['schema', /^\{\n {2}"type": "object"/],
] as const)('prompt --grammar %s prints the grammar of a valid answer', async (form, expected) => {
  const { code, out } = await run(['prompt', '--request', 'request.json', '--dialect', 'hermes', '--grammar', form])
  expect(code).toBe(0)
  expect(out).toMatch(expected)
})

test('prompt prints the messages in the dialect asked for', async () => {
  const { code, out } = await run(['prompt', '--request', 'request.json', '--dialect', 'hermes'])
  const messages = JSON.parse(out)
  expect(code).toBe(0)
  expect(messages.map(({ role }: { role: string }) => role)).toEqual(['system', 'user'])
  expect(messages[0].content).toContain('<tool_call>')
  expect(messages[1].content).toContain('List')
})

test('dialects are a table, or JSON, or one of them in full', async () => {
  const table = await run(['dialects'])
  expect(table.out).toMatch(/^NAME +MODELS/)
  expect(table.out).toMatch(/^hermes .*\n(?: .*\n)? +<tool_call>⏎/m)
  const json = JSON.parse((await run(['dialects', '--json'])).out)
  expect(json[0]).toEqual({ name: 'hermes', models: expect.any(String), example: expect.stringContaining('read_file') })
  expect((await run(['dialects', 'hermes'])).out).toContain(`\n\n${json[0].example}\n`)
})

test.each([
  ['dialects'],
  ['--help'],
  ...['serve', 'explain', 'prompt', 'dialects', 'config', 'connect'].map((verb) => [verb, '--help']),
])('%s %s fits a terminal of 80 columns, and names no more dialects than it has to', async (...args) => {
  const { out, code } = await run(args)
  expect(code).toBe(0)
  expect(out.split('\n').filter((line) => [...line].length > 80)).toEqual([])
  if (args.includes('--help')) expect(out).not.toContain('xml-name-args')
})

test('config check is content with a good file and names every problem of a bad one', async () => {
  expect(await run(['config', 'check', '--config', 'good.yaml'])).toMatchObject({ code: 0, complaints: '' })
  const { code, out, complaints } = await run(['config', 'check', '--config', 'bad.yaml'])
  expect({ code, out }).toEqual({ code: 1, out: '' })
  expect(complaints).toContain('bad.yaml:2:1: modles: unknown key "modles". Did you mean "models"?')
  expect(complaints).toContain('bad.yaml:3:11: limits.tools: expected a whole number from 1')
  const json = await run(['config', 'check', '--config', 'bad.yaml', '--json'])
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out)).toMatchObject({ fine: false, problems: [{ path: 'modles' }, { path: 'limits.tools' }] })
})

test('a wrong dialect in the file is told without the names of all of them', async () => {
  const folder = createFolder({ 'dragoman.yaml': 'models: { m: { dialect: hermess } }' })
  const { code, complaints } = await runDragoman(['config', 'check'], folder)
  folder.remove()
  expect(code).toBe(1)
  expect(complaints).toContain('run `dragoman dialects` for the list')
  expect(complaints).toContain('Did you mean "hermes"?')
  expect(complaints.length).toBeLessThan(300)
})

test('config print hides secrets, config schema is a JSON Schema', async () => {
  const { out } = await run(['config', 'print', '--config', 'good.yaml'])
  expect(out).toContain('- env:KEY')
  expect(out).toContain('key: "***"')
  expect(out).not.toMatch(/hunter2|s3cret/)
  expect(JSON.parse((await run(['config', 'schema'])).out)).toMatchObject({
    type: 'object',
    additionalProperties: false,
  })
})
