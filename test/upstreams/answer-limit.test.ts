import { expect, test } from 'vitest'
import { type Answer, answer, ending, json, type Script } from '../doubles/openai-compat.ts'
import { eventsOf, startStage, weather } from './stage.ts'

const answerBytes = 10_000
const piece = 'ü'.repeat(50)
const stage = (script: Script) =>
  startStage([script], { upstream: { limits: { answerBytes } }, model: { tools: 'native' } })

/** More than the limit, in small pieces, and then silence: only closing the connection ends it. */
const endless = (content: Answer) => ending(answer({ ...content, finish: null, usage: null, done: false }), 'hang')

const pieces = Array.from({ length: 101 }, () => piece)
const much: readonly [string, Answer][] = [
  ['words', { text: pieces }],
  ['thoughts', { reasoning: pieces }],
  ['arguments', { calls: [{ name: 'get_weather', arguments: ['{"city":"', ...pieces] }] }],
  ['thoughts and words together', { reasoning: pieces.slice(50), text: pieces.slice(50) }],
]

test.each(much)('too many %s are an error, and the service is hung up on', async (_, content) => {
  const { ask, double } = await stage(endless(content))
  const { status, json: said } = await ask({ tools: [weather] })
  expect([status, said.error]).toMatchObject([502, { code: 'answer_too_large', type: 'server_error' }])
  expect(said.error.message).toContain('limits.answer')
  expect(await double.requests.at(-1)?.over).toBe('aborted')
})

test.each(much)('too many %s, streamed, end in an error, without a finish', async (_, content) => {
  const { ask, double } = await stage(endless(content))
  const reply = await ask({ stream: true, tools: [weather] })
  expect(eventsOf(reply).at(-1)).toMatchObject({ error: { code: 'answer_too_large' } })
  expect(reply.text).not.toMatch(/\[DONE\]|"finish_reason":"/)
  expect(await double.requests.at(-1)?.over).toBe('aborted')
})

test('what comes to the limit exactly is an answer, however small its pieces', async () => {
  const { ask } = await stage(answer({ text: Array.from({ length: answerBytes }, () => 'x') }))
  const { json: said } = await ask()
  expect(said.choices[0].message.content).toHaveLength(answerBytes)
})

test.each([
  ['is an answer within the limit', answerBytes, 200],
  ['is an error beyond it', answerBytes + 1, 502],
  ['is an error far beyond it', 100 * answerBytes, 502],
])('one JSON value %s', async (_, length, expected) => {
  const message = { role: 'assistant', content: 'x'.repeat(length) }
  const { ask } = await stage(json({ choices: [{ index: 0, message, finish_reason: 'stop' }] }))
  const { status, json: said } = await ask()
  expect([status, said.error?.code]).toEqual([expected, expected === 200 ? undefined : 'answer_too_large'])
})
