import { afterEach, expect, test } from 'vitest'
import { examine } from '../../src/doctor/examine.ts'
import type { Advice, Check, Verdict } from '../../src/doctor/finding.ts'
import { createOpenAiUpstream } from '../../src/upstreams/openai/pooled.ts'
import { timeouts } from '../doubles/openai-upstream.ts'
import { patients, startPatient } from '../doubles/patient.ts'

const undo: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const step of undo.splice(0)) await step()
})

async function examined(name: keyof typeof patients, settings: Parameters<typeof examine>[0]['settings'] = {}) {
  const subject = await startPatient(patients[name])
  const upstream = createOpenAiUpstream({ name: 'subject', url: subject.url, timeouts })
  undo.push(upstream.close, subject.close)
  const doing: string[] = []
  const result = await examine(
    { upstream, reach: { url: subject.url }, settings },
    (step) => doing.push(step),
    new AbortController().signal,
  )
  const verdicts: Partial<Record<Check, Verdict>> = Object.fromEntries(
    result.findings.map(({ check, verdict }) => [check, verdict]),
  )
  return { ...result, verdicts, doing }
}

const well = { reachable: 'good', answers: 'good', usage: 'good', system: 'good', alternation: 'good' } as const
const callsWell = {
  native: 'good',
  whole: 'good',
  required: 'good',
  named: 'good',
  parallel: 'good',
  prompt: 'good',
} as const

test.each<[keyof typeof patients, Partial<Record<Check, Verdict>>, Advice | undefined, RegExp]>([
  ['healthy', { ...well, ...callsWell, context: 'good', grammar: 'good' }, { tools: 'native' }, /65,536/],
  ['cutting', { ...well, ...callsWell, context: 'bad' }, { tools: 'native' }, /OLLAMA_CONTEXT_LENGTH/],
  ['parserless', { ...well, native: 'warning', prompt: 'good' }, { tools: 'prompt' }, /--enable-auto-tool-choice/],
  ['leaking', { ...well, native: 'warning', whole: 'good' }, { tools: 'prompt' }, /left calls in the text/],
  ['losing', { native: 'bad', usage: 'warning', prompt: 'good' }, { tools: 'prompt' }, /its streaming loses calls/],
  [
    'picky',
    { system: 'warning', alternation: 'warning', native: 'warning', prompt: 'good' },
    { tools: 'prompt', template: { system: false, alternate: true } },
    /template: \{ system: false \}/,
  ],
  ['locked', { reachable: 'bad' }, undefined, /It wants an API key/],
  ['dull', { ...well, native: 'bad', prompt: 'bad' }, undefined, /a larger model/],
])('%s', async (name, verdicts, advice, words) => {
  const { verdicts: found, findings, advice: given } = await examined(name)
  expect(found).toMatchObject(verdicts)
  expect(given).toEqual(advice)
  expect(findings.map(({ says, fix = '' }) => `${says} ${fix}`).join('\n')).toMatch(words)
  expect(findings.filter(({ verdict, fix }) => verdict !== 'good' && fix === undefined)).toEqual([])
})

test('what the config says already is no finding', async () => {
  const { verdicts } = await examined('picky', { tools: 'prompt', template: { system: false, alternate: true } })
  expect(verdicts).toMatchObject({ system: 'good', alternation: 'good', prompt: 'good' })
  expect((await examined('losing', { tools: 'prompt' })).verdicts).toMatchObject({ native: 'warning' })
  expect((await examined('parserless', { tools: 'native' })).verdicts).toMatchObject({ native: 'bad' })
})

test('it says what it is doing', async () => {
  const { doing } = await examined('healthy')
  expect(doing).toContain('native tools: two calls at once')
  expect(doing).toContain('tools in the prompt: hermes')
})
