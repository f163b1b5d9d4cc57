import { expect, test } from 'vitest'
import type { Summary } from '../../src/traces/exchange.ts'
import { completionsOf } from './complete.ts'
import { hintFor, toFilter } from './filter.ts'

const summary: Summary = {
  id: 'x1',
  requestId: 'req-7',
  at: 0,
  client: 'opencode',
  door: 'chat',
  path: '/v1/chat/completions',
  model: 'Qwen3-Coder',
  service: 'ollama',
  mode: 'prompt',
  dialect: 'hermes',
  streamed: true,
  state: 'failed',
  status: 504,
  error: { code: 'upstream_timeout', message: 'Nothing came.' },
  firstByteMs: 412,
  totalMs: 3_200,
  usage: { promptTokens: 1_800, completionTokens: 200 },
  calls: 2,
  notes: ['json_repaired'],
  gist: 'Where is the reader?',
  conversation: 'c1',
}

test.each<[string, boolean]>([
  ['', true],
  ['qwen', true],
  ['QWEN hermes', true],
  ['qwen cline', false],
  ['"the reader"', true],
  ['"reader the"', false],
  ['"the rea', true],
  ['model:qwen', true],
  ['model:glm', false],
  ['model:', true],
  ['-model:qwen', false],
  ['-client:cline', true],
  ['status:5', true],
  ['status:504', true],
  ['status:2', false],
  ['status>=500', true],
  ['status<500', false],
  ['calls:2', true],
  ['calls:20', false],
  ['calls>1', true],
  ['total>2s', true],
  ['total>4s', false],
  ['total:>2s', true],
  ['first<500', true],
  ['first<500ms', true],
  ['first<0.4s', false],
  ['tokens>1.9k', true],
  ['total>', true],
  ['total>soon', false],
  ['note:repaired', true],
  ['notes:1', true],
  ['error:timeout', true],
  ['id:req-7', true],
  ['constructor:x', false],
  ['__proto__:x', false],
  ['-', true],
  ['(', false],
])('%s', (query, matches) => {
  expect(toFilter(query)(summary)).toBe(matches)
})

test('what was not measured is neither more nor less', () => {
  const { totalMs: _totalMs, ...open } = summary
  expect(['total>1', 'total<1', '-total>1'].map((query) => toFilter(query)(open))).toEqual([false, false, true])
})

test.each<[query: string, hint: RegExp | undefined]>([
  ['qwen -client:cline total>2s', undefined],
  ['nosuch:3', /^There is no field “nosuch”\. The fields are id, client/],
  ['-nosuch:3', /no field “nosuch”/],
  ['total>abc', /^Compare total with a number/],
  ['model>3', /^“model” is a text: write model:word/],
  ['words only', undefined],
])('a search for %s that finds nothing gets its hint', (query, hint) => {
  if (hint === undefined) expect(hintFor(query)).toBeUndefined()
  else expect(hintFor(query)).toMatch(hint)
})

const others = [summary, summary, { ...summary, client: 'cline' }, { ...summary, client: 'cli tool' }]
test.each<[query: string, completed: readonly string[]]>([
  ['cl', ['client:']],
  ['status:5 -cl', ['status:5 -client:']],
  ['client:', ['client:opencode', 'client:cline', 'client:"cli tool"']],
  ['total>2s -client:CL', ['total>2s -client:cline', 'total>2s -client:"cli tool"']],
  ['model:', ['model:Qwen3-Coder']],
  ['client:cline', []],
  ['nosuch:', []],
  ['__proto__:', []],
  ['total:', []],
  ['"two words', []],
  ['"cl', []],
  ['"two words" cl', ['"two words" client:']],
  ['xyz', []],
])('%s may be completed', (query, completed) => {
  expect(completionsOf(query, others)).toEqual(completed)
})

test('where no word is begun, all fields are offered', () => {
  expect(completionsOf('', others)).toContain('status:')
  expect(completionsOf('model:qwen ', others)).toContain('model:qwen status:')
})
