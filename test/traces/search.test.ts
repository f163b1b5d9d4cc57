import { afterEach, describe, expect, test } from 'vitest'
import type { Page } from '../../src/traces/api.ts'
import { ask } from '../server/scripted.ts'
import { requestsAt, runTraced, saying, type Traced } from './traced.ts'

let traced: Traced | undefined
afterEach(async () => {
  await traced?.gateway.close()
  traced?.recorder.close()
  traced = undefined
})

const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz'

describe.each(['memory', 'sqlite'] as const)('exchanges kept in %s', (store) => {
  const found = async (text: string): Promise<readonly (string | undefined)[]> => {
    const page = await traced?.get<Page>(`/inspector/api/exchanges?text=${encodeURIComponent(text)}`)
    return page?.exchanges.map(({ gist }) => gist) ?? []
  }

  test.each([
    ['what was asked', 'first question', ['A first Question']],
    ['in any case of its letters', 'A FIRST', ['A first Question']],
    ['what was said, though it came in pieces', 'the answer number 1', ['A second one']],
    ['text that a body has as an escape', 'said "so"', ['A second one', 'A first Question']],
    ['text of several lines', 'so"\nindeed', ['A second one', 'A first Question']],
    ['letters beyond ASCII', 'blåbær', ['A second one', 'A first Question']],
    ['names of fields only where they were said', 'promptTokens', []],
    ['what nobody said', 'nothing like it', []],
    ['all of one kind', 'answer number', ['A second one', 'A first Question']],
  ])('are found by %s', async (_what, text, expected) => {
    const script = (_request: unknown, nth: number) =>
      saying(`Blåbær: the answer number ${nth} is: he said "so"\nindeed`)
    traced = await runTraced({ script, traces: { store, file: ':memory:' } })
    for (const question of ['A first Question', 'A second one']) {
      const { path = '', body = {} } = requestsAt(question, true)['chat'] ?? {}
      await ask(traced.port, { path, body })
    }
    expect(await found(text)).toEqual(expected)
  })

  test('are not found by a secret, nor by the beginning of one', async () => {
    traced = await runTraced({ script: () => saying(`The key is ${key}.`), traces: { store, file: ':memory:' } })
    const { path = '', body = {} } = requestsAt(`My key: ${key}`, false)['chat'] ?? {}
    await ask(traced.port, { path, body, headers: { authorization: `Bearer ${key}` } })
    expect(await found('The key is')).toHaveLength(1)
    for (const part of [key, key.slice(0, 12), key.slice(4)]) expect(await found(part)).toEqual([])
  })

  test('say what was answered first, in words or by the names of calls, without a secret that is cut', async () => {
    const answers = [
      `${'Hi! '.repeat(28)}${key} and more`,
      '<tool_call>\n{"name": "read_file", "arguments": {"path": "a"}}\n</tool_call>',
    ]
    traced = await runTraced({ script: (_, nth) => saying(answers[nth] ?? ''), traces: { store, file: ':memory:' } })
    const { path = '', body = {} } = requestsAt('Go', false)['chat'] ?? {}
    for (const _ of answers) await ask(traced.port, { path, body })
    const { exchanges } = await traced.get<Page>('/inspector/api/exchanges')
    expect(exchanges.map(({ reply }) => reply)).toEqual(['read_file', `${'Hi! '.repeat(28)}${'•'.repeat(8)}`])
  })
})
