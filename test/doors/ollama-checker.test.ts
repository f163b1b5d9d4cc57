import { describe, expect, test } from 'vitest'
import { checkBody, checkError, checkLines } from './ollama-checker.ts'

const head = { model: 'm', created_at: '2026-11-15T17:00:00.000Z' }
const facts = {
  total_duration: 5,
  load_duration: 1,
  prompt_eval_count: 7,
  prompt_eval_duration: 2,
  eval_count: 3,
  eval_duration: 2,
}
const message = (fields: object = {}) => ({ ...head, message: { role: 'assistant', content: '', ...fields } })
const piece = (fields: object) => ({ ...message(fields), done: false })
const done = { ...message(), done: true, done_reason: 'stop', ...facts }
const call = (index: unknown, given: unknown = {}, id = `call_${index}`) => ({
  tool_calls: [{ id, function: { index, name: 'read', arguments: given } }],
})
const lines = (...objects: readonly object[]) => objects.map((object) => `${JSON.stringify(object)}\n`).join('')

describe('what is right', () => {
  test.each<[string, string]>([
    ['text', lines(piece({ content: 'Hi' }), done)],
    [
      'thoughts, text and two calls',
      lines(piece({ thinking: 'Hm' }), piece({ content: 'a' }), piece(call(0)), piece(call(1)), done),
    ],
    ['a cut', lines(piece({ content: 'a' }), { ...done, done_reason: 'length' })],
    ['an error in the middle', lines(piece({ content: 'a' }), { error: 'gone' })],
    ['a model that is loaded', lines({ ...message(), done: true, done_reason: 'load' })],
    ['logprobs', lines({ ...piece({}), logprobs: [{}] }, done)],
  ])('%s in lines', (_, text) => {
    expect(checkLines(text)).toEqual([])
  })

  test('a whole answer', () => {
    expect(checkBody(JSON.stringify({ ...done, ...message({ content: 'a', thinking: 'b', ...call(0) }) }))).toEqual([])
  })

  test('a refusal', () => {
    expect(checkError(404, '{"error":"model \'m\' not found"}')).toEqual([])
  })
})

/** What clients choke on, or act on wrongly. */
describe('what is wrong is found', () => {
  test.each<[string, string]>([
    ['no end', lines(piece({ content: 'a' }))],
    ['nothing at all', ''],
    ['no line end', JSON.stringify(done)],
    ['server-sent events', `data: ${JSON.stringify(done)}\n\n`],
    ['a blank line', `\n${lines(done)}`],
    ['arguments as a string', lines(piece(call(0, '{}')), done)],
    ['arguments as a list', lines(piece(call(0, [])), done)],
    ['two calls of one id', lines(piece(call(0, {}, 'call_a')), piece(call(1, {}, 'call_a')), done)],
    ['a call without an id', lines(piece(call(0, {}, '')), done)],
    ['an index that jumps', lines(piece(call(1)), done)],
    ['an index that is missing', lines(piece(call(undefined)), done)],
    ['calls that are none', lines(piece({ tool_calls: [] }), done)],
    ['an error that is an object', lines({ error: { message: 'gone' } })],
    ['something after an error', lines({ error: 'gone' }, done)],
    ['something after the end', lines(done, piece({ content: 'a' }))],
    ['two ends', lines(done, done)],
    ['words at the end', lines({ ...done, ...message({ content: 'a' }) })],
    ['an unknown reason', lines({ ...done, done_reason: 'tool_calls' })],
    ['loading after words', lines(piece({ content: 'a' }), { ...message(), done: true, done_reason: 'load' })],
    ['no usage', lines({ ...done, prompt_eval_count: undefined })],
    ['seconds with a fraction', lines({ ...done, total_duration: 0.5 })],
    ['a time as a number', lines({ ...done, created_at: 1_700_000_000 })],
    ['another model', lines(piece({ content: 'a' }), { ...done, model: 'n' })],
    ['an empty line', lines(piece({}), done)],
    ['content that is null', lines(piece({ content: null, thinking: 'a' }), done)],
    ['another role', lines(piece({ role: 'tool', content: 'a' }), done)],
    ['fields of another protocol', lines({ ...piece({ content: 'a' }), choices: [] }, done)],
    ['figures before the end', lines({ ...piece({ content: 'a' }), eval_count: 1 }, done)],
  ])('%s', (_, text) => {
    expect(checkLines(text)).not.toEqual([])
  })

  test.each<[string, string]>([
    ['not done', JSON.stringify({ ...message({ content: 'a' }), done: false })],
    ['two objects', lines(done, done)],
    ['a list', '[]'],
  ])('%s in one piece', (_, text) => {
    expect(checkBody(text)).not.toEqual([])
  })

  test.each<[string, number, string]>([
    ['an object', 400, '{"error":{"message":"no"}}'],
    ['a good status', 200, '{"error":"no"}'],
    ['no JSON', 404, '404 page not found'],
    ['words that are retried on', 400, '{"error":"a timeout of 500"}'],
  ])('%s as a refusal', (_, status, text) => {
    expect(checkError(status, text)).not.toEqual([])
  })
})
