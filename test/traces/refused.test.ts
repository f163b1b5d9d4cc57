import { afterEach, describe, expect, test } from 'vitest'
import type { Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { ask } from '../server/scripted.ts'
import { requestsAt, runTraced, saying, type Traced } from './traced.ts'

let traced: Traced | undefined
afterEach(async () => {
  await traced?.gateway.close()
  traced?.recorder.close()
  traced = undefined
})

const doors = ['chat', 'responses', 'messages', 'ollama'] as const
const pathOf = (door: (typeof doors)[number]): string => requestsAt('Hi', false)[door]?.path ?? ''

/** Bodies that no door takes, and the model that each names. */
const refused: readonly (readonly [what: string, body: string, model: string | undefined])[] = [
  ['no body', '', undefined],
  ['white space', ' \n', undefined],
  ['half a body', '{"model": "m", "messages": [', undefined],
  ['no JSON', 'Hello', undefined],
  ['an array', '[1, 2]', undefined],
  ['null', 'null', undefined],
  ['an empty object', '{}', undefined],
  ['no model', '{"messages": "Hi", "input": 3}', undefined],
  ['a model that is a number', '{"model": 42, "messages": "Hi", "input": 3}', undefined],
  ['a model without a name', '{"model": "", "messages": "Hi", "input": 3}', undefined],
  ['messages that are none', '{"model": "m", "messages": "Hi", "input": 3}', 'm'],
  ['a model that is not served', '{"model": "x", "messages": "Hi", "input": 3}', 'x'],
]

describe.each(['memory', 'sqlite'] as const)('a request that is refused, kept in %s', (store) => {
  test.each(refused)('%s: can be looked at, by itself, with the model it names', async (_what, body, model) => {
    traced = await runTraced({ script: () => saying('Hello'), traces: { store, file: ':memory:' } })
    const { port, get } = traced
    for (const door of doors) await ask(port, { path: pathOf(door), body })
    const { exchanges } = await get<Page>('/inspector/api/exchanges')
    expect(exchanges.map(({ door }) => door).toReversed()).toEqual(doors)
    for (const { id } of exchanges) {
      const told = await get<Exchange>(`/inspector/api/exchanges/${id}`)
      expect(told).toMatchObject({ id, state: 'failed', attempts: [], calls: 0 })
      expect(told.asked.body?.text ?? '').toBe(body)
      expect(told.model).toBe(model)
      expect(told).not.toHaveProperty('conversation')
    }
  })

  test('of a conversation its client names belongs to it', async () => {
    traced = await runTraced({ script: () => saying('Hello'), traces: { store, file: ':memory:' } })
    const { port, get } = traced
    const headers = { 'x-conversation-id': 'mine' }
    const { path = '', body = {} } = requestsAt('Hi', false)['chat'] ?? {}
    await ask(port, { path, body, headers })
    await ask(port, { path, body: { ...body, messages: 'Hi' }, headers })
    const { exchanges } = await get<Page>('/inspector/api/exchanges')
    const [conversation] = exchanges.map((one) => one.conversation)
    expect(exchanges.map((one) => [one.state, one.conversation])).toEqual([
      ['failed', conversation],
      ['done', conversation],
    ])
    expect(conversation).toMatch(/^conv_/)
  })
})
