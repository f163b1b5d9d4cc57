import { afterEach, describe, expect, test } from 'vitest'
import { GatewayError } from '../../src/errors.ts'
import type { Figures, ModelFigures, Overview, Page } from '../../src/traces/api.ts'
import { ask } from '../server/scripted.ts'
import { readFile, reads, requestsAt, runTraced, type Script, saying, type Traced } from './traced.ts'

let traced: Traced | undefined
afterEach(async () => {
  await traced?.gateway.close()
  traced?.recorder.close()
  traced = undefined
})

const call = (json: string): string => `<tool_call>\n{"name": "read_file", "arguments": ${json}}\n</tool_call>`

/** What a model says to each question. */
const script: Script = ({ messages }) => {
  const question = String(messages.findLast(({ role }) => role === 'user')?.content)
  if (question.includes('call twice')) return saying(`${call('{"path": "a"}')}\n${call('{"path": "b"}')}`)
  if (question.includes('call wrongly')) return saying(call('{"lines": 3}'))
  if (question.includes('call with a comma')) return saying(call('{"path": "a",}'))
  if (question.includes('fail')) return dies()
  return saying('Hello there')
}

async function* dies(): ReturnType<Script> {
  yield* reads()
  throw new GatewayError('upstream_timeout', 'Nothing came.')
}

/** What is sent, and what each adds to the figures. */
interface Sent {
  readonly path: string
  readonly body: unknown
  readonly model?: string
  readonly calls?: number
  readonly error?: string
  readonly notes?: readonly string[]
}

/** Each of the questions at every door, whole and streamed, and what no door takes. */
function traffic(): readonly Sent[] {
  const sent: Sent[] = []
  for (const stream of [false, true]) {
    for (const [text, expected] of [
      ['say hello', {}],
      ['call twice', { calls: 2 }],
      ['call wrongly', { calls: 1, notes: ['schema_violation'] }],
      ['call with a comma', { calls: 1, notes: ['json_repaired'] }],
      ['fail', { error: 'upstream_timeout' }],
    ] as const) {
      for (const at of Object.values(requestsAt(text, stream))) sent.push({ ...at, model: 'm', ...expected })
    }
  }
  for (const { path, body } of Object.values(requestsAt('Hi', false))) {
    sent.push({ path, body: '', error: 'invalid_json' })
    sent.push({ path, body: '{"model": "m", ', error: 'invalid_json' })
    sent.push({ path, body: { ...body, model: 'other' }, model: 'other', error: 'model_not_found' })
    sent.push({ path, body: { ...body, model: 'm', messages: 3, input: 3 }, model: 'm', error: 'invalid_type' })
    sent.push({ path, body: { ...body, model: 7 }, error: 'invalid_type' })
  }
  return sent
}

const sumOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0)

function tally(values: readonly string[]): Record<string, number> {
  return Object.fromEntries([...Map.groupBy(values, (value) => value)].map(([value, same]) => [value, same.length]))
}

function compare(figures: Figures | undefined, sent: readonly Sent[]): void {
  const answered = sent.filter(({ error }) => error === undefined)
  expect(figures?.total).toMatchObject({
    requests: sent.length,
    failed: sent.length - answered.length,
    aborted: 0,
    calls: sumOf(sent.map(({ calls = 0 }) => calls)),
    promptTokens: 11 * answered.length,
    completionTokens: 5 * answered.length,
  })
  expect(sumOf(figures?.buckets.map(({ requests }) => requests) ?? [])).toBe(sent.length)
  const errors = figures?.errors.map(({ code, exchanges }) => [code, exchanges]) ?? []
  expect(Object.fromEntries(errors)).toEqual(tally(sent.flatMap(({ error }) => error ?? [])))
  const notes = Object.fromEntries(figures?.notes.map(({ kind, exchanges }) => [kind, exchanges]) ?? [])
  expect(notes).toMatchObject(tally(sent.flatMap(({ notes = [] }) => notes)))
  const calls = sumOf(figures?.dialects.map((one) => one.calls) ?? [])
  expect(calls).toBe(figures?.total.calls)
}

describe('the overview', () => {
  test('counts what was sent, in all and for each model, and what named none', async () => {
    traced = await runTraced({ script, traces: { entries: 1000 } })
    const { port, get, clock } = traced
    const sent = traffic()
    for (const { path, body } of sent) {
      await ask(port, { path, body })
      clock.advance(1000)
    }
    const { total } = await get<Page>('/inspector/api/exchanges')
    expect(total).toBe(sent.length)
    const overview = await get<Overview>('/inspector/api/overview')
    compare(overview.all, sent)
    const byModel = new Map(overview.models.map((figures: ModelFigures) => [figures.model, figures]))
    expect(byModel.size).toBe(overview.models.length)
    const models = Map.groupBy(sent, ({ model }) => model)
    expect([...byModel.keys()].sort()).toEqual([...models.keys()].sort())
    for (const [model, of] of models) compare(byModel.get(model), of)
    expect(overview).toMatchObject({ isComplete: true, otherModels: 0 })
  })

  test('of more models than it shows says so, and counts them', async () => {
    traced = await runTraced({ script })
    for (let nth = 0; nth < 30; nth++) {
      await ask(traced.port, { path: '/v1/chat/completions', body: { model: `no${nth}`, messages: [] } })
    }
    const overview = await traced.get<Overview>('/inspector/api/overview')
    expect(overview.all.total.requests).toBe(30)
    expect(overview.models.length + overview.otherModels).toBe(30)
  })

  test('counts those of the time that is asked for', async () => {
    traced = await runTraced({ script })
    const body = { model: 'm', messages: [{ role: 'user', content: 'call twice' }], tools: [readFile] }
    const requestsIn = async (last: number): Promise<number> =>
      (await (traced as Traced).get<Overview>(`/inspector/api/overview?last=${last}`)).all.total.requests
    await ask(traced.port, { path: '/v1/chat/completions', body })
    traced.clock.advance(600_000)
    await ask(traced.port, { path: '/v1/chat/completions', body })
    expect([await requestsIn(599_000), await requestsIn(601_000)]).toEqual([1, 2])
  })
})
