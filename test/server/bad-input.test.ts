import { afterAll, beforeAll, expect, test } from 'vitest'
import { type RunningGateway, startGateway } from '../dragoman.ts'
import { ask } from './scripted.ts'

/** The real program gets what no client should send, one thing after the other, and goes on serving. */

let gateway: RunningGateway
let port = 0

beforeAll(async () => {
  gateway = await startGateway({ config: 'limits: { body: 8mb }' })
  port = Number(new URL(gateway.origin).port)
}, 30_000)
afterAll(() => gateway.stop())

const messages = [{ role: 'user', content: 'Hello' }]
const fine = { model: 'rehearsal', messages }
const megabytes = (count: number) => 'x'.repeat(count << 20)

interface Refusal {
  readonly what: string
  readonly body: unknown
  readonly status: number
  readonly code: string
  readonly param?: string
}

const refusals: readonly Refusal[] = [
  { what: 'an empty body', body: '', status: 400, code: 'invalid_json' },
  { what: 'broken JSON', body: '{"model": "rehearsal", "messages": [', status: 400, code: 'invalid_json' },
  { what: 'JSON that is no object', body: '"hello"', status: 400, code: 'invalid_type' },
  { what: '7 MB of brackets', body: '['.repeat(7 << 20), status: 400, code: 'invalid_json' },
  { what: '10 MB', body: { ...fine, user: megabytes(10) }, status: 413, code: 'body_too_large' },
  { what: '10 MB of nothing', body: megabytes(10), status: 413, code: 'body_too_large' },
  {
    what: 'an unknown model',
    body: { ...fine, model: 'nobody' },
    status: 404,
    code: 'model_not_found',
    param: 'model',
  },
  { what: 'no model', body: { messages }, status: 400, code: 'missing_required_parameter', param: 'model' },
  { what: 'a model that is a number', body: { ...fine, model: 7 }, status: 400, code: 'invalid_type', param: 'model' },
  {
    what: 'messages that are text',
    body: { ...fine, messages: 'Hello' },
    status: 400,
    code: 'invalid_type',
    param: 'messages',
  },
  {
    what: 'a message that is a number',
    body: { ...fine, messages: [...messages, 1] },
    status: 400,
    code: 'invalid_type',
    param: 'messages[1]',
  },
  {
    what: 'a temperature in words',
    body: { ...fine, temperature: 'hot' },
    status: 400,
    code: 'invalid_type',
    param: 'temperature',
  },
]

test.each(refusals)('$what is refused with $status', async ({ body, status, code, param = null }) => {
  const reply = await ask(port, { body })
  expect(reply.status).toBe(status)
  expect(reply.headers['content-type']).toMatch(/^application\/json/)
  expect(reply.json).toEqual({
    error: { message: expect.stringMatching(/\w/), type: 'invalid_request_error', param, code },
  })
  expect(reply.json.error.message.length).toBeLessThan(500)
  expect(await ask(port, { body: fine })).toMatchObject({ status: 200 })
})

test('7 MB that are right are answered', async () => {
  const content = `Hello ${megabytes(7)}`
  const reply = await ask(port, { body: { ...fine, messages: [{ role: 'user', content }] } })
  expect(reply).toMatchObject({ status: 200, json: { choices: [{ finish_reason: 'stop' }] } })
})

test('after all that it is the same process', () => {
  expect(gateway.child.exitCode).toBeNull()
})
