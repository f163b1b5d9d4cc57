import { expect, test } from 'vitest'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import { createLog, type ExchangeRecord } from './log.ts'

const record: ExchangeRecord = {
  requestId: 'req_1',
  method: 'POST',
  path: '/v1/chat/completions',
  status: 200,
  ms: 812.4,
  model: 'qwen3-coder',
  upstream: 'local',
  mode: 'prompt',
  dialect: 'hermes',
  calls: 1,
}

function lineOf(over: Partial<ExchangeRecord>, pretty: boolean): string {
  let line = ''
  createLog({ write: (text) => (line += text), pretty, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) }).exchange({
    ...record,
    ...over,
  })
  return line
}

test('a person gets one line, and below it what was put right or is missing', () => {
  expect(lineOf({}, true)).toBe('03:04:05 POST qwen3-coder prompt/hermes local 200 812ms 1 call\n')
  const notes = ['echo', 'schema_violation;path="read: lines"', 'usage_split']
  expect(lineOf({ calls: 2, notes, code: 'upstream_truncated' }, true)).toBe(
    `03:04:05 POST qwen3-coder prompt/hermes local 200 812ms 2 calls upstream_truncated
         This call is quoted from the request, so the model isn't making it. (echo)
         The call breaks its tool's schema; the client got it as the model wrote it. (schema_violation;path="read: lines")
`,
  )
})

test('every note is told to a person as a sentence, and to a machine by its code', () => {
  for (const [kind, sentence] of Object.entries(changeSentences)) {
    expect(sentence).toMatch(/^[A-Z].*\.$/)
    if (kind !== 'usage_split') expect(lineOf({ notes: [kind] }, true)).toContain(`\n         ${sentence} (${kind})\n`)
    expect(JSON.parse(lineOf({ notes: [kind] }, false)).notes).toEqual([kind])
  }
})

test('the line says how soon the model spoke and how many tokens it took', () => {
  expect(lineOf({ firstByteMs: 93.6, promptTokens: 1204, completionTokens: 87 }, true)).toBe(
    '03:04:05 POST qwen3-coder prompt/hermes local 200 812ms first 94ms 1204+87 tokens 1 call\n',
  )
})

test.each([
  [{ service: 'local', state: 'back' } as const, '03:04:05 local is back.\n'],
  [
    { service: 'local', state: 'down', reason: 'It takes too long.', remedy: 'Check it.' } as const,
    '03:04:05 local is down. It takes too long. Check it.\n',
  ],
])('a service that changed is a line: %j', (change, expected) => {
  let line = ''
  const write = (text: string) => (line += text)
  createLog({ write, pretty: true, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) }).service?.(change)
  expect(line).toBe(expected)
  line = ''
  createLog({ write, pretty: false, now: () => Date.UTC(2026, 0, 2, 3, 4, 5) }).service?.(change)
  expect(JSON.parse(line)).toEqual({ time: '2026-01-02T03:04:05.000Z', ...change })
})

test('a machine gets one JSON object', () => {
  expect(JSON.parse(lineOf({}, false))).toEqual({ time: '2026-01-02T03:04:05.000Z', ...record })
})

test('what a client made up cannot draw on the terminal or start a line', () => {
  const line = lineOf({ model: 'a\u001b[2J\nb\u0085c' }, true)
  expect(line.trimEnd()).not.toMatch(/\p{Cc}/u)
  expect(lineOf({ model: 'a\nb' }, false).trimEnd()).not.toContain('\n')
})

test.each([
  'sk-abcdefgh12345678',
  'Bearer hunter2hunter2',
  'hf_abcdefgh12345678',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc',
])('a cause that holds %s is logged without it', (secret) => {
  for (const pretty of [true, false]) {
    const line = lineOf({ cause: new Error(`refused: ${secret}`) }, pretty)
    expect(line).toContain('[hidden]')
    expect(line).not.toContain(secret)
  }
})

test.each([true, false])('what a note names is logged without secrets, for a person: %s', (pretty) => {
  const line = lineOf({ notes: ['field_dropped;fields="sk-abcdefgh12345678"'] }, pretty)
  expect(line).toContain('[hidden]')
  expect(line).not.toContain('sk-abcdefgh12345678')
})

const changes = [
  { severity: 'info', kind: 'tools_taught', detail: '2 tools as hermes' },
  { severity: 'warning', kind: 'schema_violation', detail: 'read: a\nb \u001b[2J sk-abcdefgh12345678' },
] as const

test('where every change is wanted, each has its line, its severity and its reason, and no secret', () => {
  let text = ''
  const write = (line: string) => void (text += line)
  createLog({ write, pretty: true, now: () => 0 }).exchange({ ...record, changes })
  expect(text.split('\n').slice(1)).toEqual([
    '         info     tools_taught: 2 tools as hermes. The tools were described in the system message.',
    "         warning  schema_violation: read: a?b ?[2J [hidden]. The call breaks its tool's schema; the client got it as the model wrote it.",
    '',
  ])
  text = ''
  createLog({ write, pretty: false, now: () => 0 }).exchange({ ...record, changes })
  expect(JSON.parse(text).changes).toEqual([
    {
      severity: 'info',
      kind: 'tools_taught',
      detail: '2 tools as hermes',
      why: 'The tools were described in the system message.',
    },
    {
      severity: 'warning',
      kind: 'schema_violation',
      detail: 'read: a\nb \u001b[2J [hidden]',
      why: "The call breaks its tool's schema; the client got it as the model wrote it.",
    },
  ])
})
