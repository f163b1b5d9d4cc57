import { expect, test } from 'vitest'
import { checkError } from '../../../test/doors/messages-checker.ts'
import { type FailureCode, GatewayError } from '../../errors.ts'
import { printError } from './errors.ts'

const print = (code: FailureCode, message = 'Words.', param?: string) => {
  const { status, body, headers } = printError(new GatewayError(code, message, { param }), 'req_1')
  const json = JSON.parse(body) as { error: { type: string; message: string } }
  expect(checkError(json)).toEqual([])
  return { status, ...json.error, headers }
}

test.each<[FailureCode, number, string, boolean?]>([
  ['invalid_value', 400, 'invalid_request_error'],
  ['upstream_rejected', 400, 'invalid_request_error'],
  ['invalid_api_key', 401, 'authentication_error', false],
  ['upstream_auth', 401, 'authentication_error', false],
  ['upstream_forbidden', 403, 'permission_error'],
  ['forbidden_origin', 403, 'permission_error'],
  ['not_found', 404, 'not_found_error'],
  ['method_not_allowed', 405, 'invalid_request_error'],
  ['body_too_large', 413, 'request_too_large'],
  ['unsupported_media_type', 415, 'invalid_request_error'],
  ['rate_limit_exceeded', 429, 'rate_limit_error'],
  ['insufficient_quota', 429, 'rate_limit_error', false],
  ['internal_error', 500, 'api_error'],
  ['upstream_error', 502, 'api_error'],
  ['upstream_blocked', 503, 'api_error', false],
  ['draining', 503, 'api_error'],
  ['upstream_timeout', 504, 'timeout_error'],
  ['upstream_overloaded', 529, 'overloaded_error'],
])('%s is %d %s', (code, status, type, mayRetry = true) => {
  const printed = print(code)
  expect(printed).toMatchObject({ status, type, message: 'Words.' })
  expect(printed.headers?.['x-should-retry']).toBe(mayRetry ? undefined : 'false')
  expect(printed.headers?.['request-id']).toBe('req_1')
})

test('the place of a fault stands before the words, with dots', () => {
  const message = "Invalid type for 'messages[3].content[0].text': expected a string, but got null instead."
  expect(print('invalid_type', message, 'messages[3].content[0].text').message).toBe(
    "messages.3.content.0.text: Invalid type for 'messages.3.content.0.text': expected a string, but got null instead.",
  )
})

test('a model that is not there is named as this protocol names it', () => {
  expect(print('model_not_found', "The model 'nope' does not exist. Did you mean 'hope'?", 'model').message).toBe(
    'model: nope',
  )
})

test('a thread that is not there has a code that clients look for', () => {
  const { body } = printError(new GatewayError('thread_not_found', 'Gone.', { param: 'thread' }), 'req_1')
  expect(JSON.parse(body)).toMatchObject({
    error: { type: 'not_found_error', details: { error_code: 'thread_not_found' } },
  })
})

test.each([
  ['local: prompt is too long: 210000 tokens > 200000 maximum', 'prompt is too long: 210000 tokens > 200000 maximum'],
  [
    "local: This model's maximum context length is 8192 tokens. However, you requested 9300 tokens (9200 in the messages, 100 in the completion).",
    'prompt is too long: 9200 tokens > 8192 maximum',
  ],
  [
    "This model's maximum context length is 8,192 tokens. However, your messages resulted in 10,240 tokens.",
    'prompt is too long: 10240 tokens > 8192 maximum',
  ],
  [
    'the request exceeds the available context size (n_ctx 4096): it has 5120 tokens',
    'prompt is too long: 5120 tokens > 4096 maximum',
  ],
  [
    "This model's maximum context length is 8192 tokens. However, you requested 9300 tokens (4300 in the messages, 5000 in the completion).",
    'input length and `max_tokens` exceed context limit: 4300 + 5000 > 8192, decrease input length or `max_tokens` and try again',
  ],
  [
    "'max_tokens' is too large: 32000. This model's maximum context length is 8192 tokens and your request has 2400 input tokens (32000 > 8192 - 2400).",
    'input length and `max_tokens` exceed context limit: 2400 + 32000 > 8192, decrease input length or `max_tokens` and try again',
  ],
  ['input length exceeds the context length', 'prompt is too long: input length exceeds the context length'],
])('an overflow is told in the words agents look for: %s', (message, expected) => {
  expect(print('context_length_exceeded', message, 'messages')).toMatchObject({ status: 400, message: expected })
})
