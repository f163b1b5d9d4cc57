import { request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import type { Event } from '../../src/protocol/event.ts'
import { ask, askRaw, batches, chat, type Running, run, say, scriptTurns, stop } from './scripted.ts'

let running: Running
afterEach(() => running.gateway.close())

const late: readonly Event[] = [
  { type: 'note', kind: 'schema_violation', detail: 'book: seats[1].row' },
  { type: 'note', kind: 'schema_violation', detail: 'book: "ci\u00e9"' },
]
const early: Event = { type: 'note', kind: 'field_dropped', detail: 'max_tokens, seed' }

/** The trailers of a streamed answer, with its headers. */
function trailersOf(port: number) {
  return new Promise<readonly unknown[]>((resolve, reject) => {
    const sent = request({ port, method: 'POST', path: '/v1/chat/completions', agent: false }, (response) => {
      response.resume()
      response.on('end', () => resolve([response.headers['x-dragoman-notice'], response.trailers['x-dragoman-notice']]))
    })
    sent.on('error', reject)
    sent.end(JSON.stringify({ ...chat, stream: true }))
  })
}

test('a whole answer has all its notices in a header, with their details', async () => {
  running = await run({ turns: scriptTurns(() => batches([early, say('Well.'), ...late, stop])) })
  const logged = running.nextRecord()
  expect((await ask(running.port)).headers['x-dragoman-notice']).toBe(
    'field_dropped;fields="max_tokens, seed", schema_violation;path="book: seats[1].row; book: \\"ci?\\""',
  )
  expect(await logged).toMatchObject({
    notes: ['field_dropped;fields="max_tokens, seed"', 'schema_violation;path="book: seats[1].row; book: \\"ci?\\""'],
  })
})

test('a stream has those known before it in its header, and all of them at its end', async () => {
  running = await run({ turns: scriptTurns(() => batches([early, say('Well.')], [...late, stop])) })
  const [header, trailer] = await trailersOf(running.port)
  expect(header).toBe('field_dropped;fields="max_tokens, seed"')
  expect(trailer).toMatch(/^field_dropped;fields="max_tokens, seed", schema_violation;path="book: seats/)
})

test('a stream for HTTP/1.0 has no end to put them in, and is whole all the same', async () => {
  running = await run({ turns: scriptTurns(() => batches([say('Well.')], [...late, stop])) })
  const body = JSON.stringify({ ...chat, stream: true })
  const head = `POST /v1/chat/completions HTTP/1.0\r\nhost: localhost\r\ncontent-length: ${body.length}`
  expect(await askRaw(running.port, `${head}\r\n\r\n${body}`)).toMatch(/"Well\."[\s\S]*data: \[DONE\]\n\n$/)
})

test('an answer without any has none', async () => {
  running = await run({ turns: scriptTurns(() => batches([{ type: 'note', kind: 'coerced' }, say('Well.'), stop])) })
  expect((await ask(running.port)).headers).not.toHaveProperty('x-dragoman-notice')
})

test.each([true, false])('the log is told every change in order where that is wanted (%s)', async (debug) => {
  const events: readonly Event[] = [
    early,
    { type: 'call-start', index: 0, id: 'call_1', name: 'book' },
    { type: 'note', kind: 'repair', detail: 'what the model said' },
    { type: 'call-end', index: 0 },
    ...late.slice(0, 1),
    { type: 'finish', reason: 'tool_calls' },
  ]
  const turns = scriptTurns(() => batches(events))
  const preparations = () => [{ kind: 'tools_taught', detail: '1 tool as hermes' } as const]
  running = await run({
    turns: { ...turns, start: async (...asked) => ({ ...(await turns.start(...asked)), preparations }) },
    debug,
  })
  const logged = running.nextRecord()
  await ask(running.port)
  const expected = [
    { severity: 'info', kind: 'tools_taught', detail: '1 tool as hermes' },
    { severity: 'warning', kind: 'field_dropped', detail: 'max_tokens, seed' },
    { severity: 'info', kind: 'repair' },
    { severity: 'info', kind: 'call_read', detail: 'book' },
    { severity: 'warning', kind: 'schema_violation', detail: 'book: seats[1].row' },
  ]
  expect((await logged).changes).toEqual(debug ? expected : undefined)
})
