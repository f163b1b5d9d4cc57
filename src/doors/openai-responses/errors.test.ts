import { expect, test } from 'vitest'
import { GatewayError } from '../../errors.ts'
import { printError, toResponseError } from './errors.ts'

test.each([
  ['model_not_found', 404, 'model_not_found', 'invalid_request_error'],
  ['rate_limit_exceeded', 429, 'rate_limit_exceeded', 'rate_limit_error'],
  ['insufficient_quota', 429, 'insufficient_quota', 'insufficient_quota'],
  ['upstream_overloaded', 503, 'server_is_overloaded', 'server_error'],
  ['draining', 503, 'server_is_overloaded', 'server_error'],
  ['upstream_error', 502, 'upstream_error', 'server_error'],
] as const)('%s is answered as %i', (code, status, said, type) => {
  const reply = printError(new GatewayError(code, 'Why.', { param: 'input' }))
  expect(reply.status).toBe(status)
  expect(JSON.parse(reply.body)).toEqual({ error: { message: 'Why.', type, param: 'input', code: said } })
})

test('how long to wait stands in the words of a limit', () => {
  const error = new GatewayError('queue_full', 'Busy.', { retryAfterSeconds: 2.5 })
  expect(toResponseError(error)).toEqual({ code: 'rate_limit_exceeded', message: 'Busy. Please try again in 3s.' })
})
