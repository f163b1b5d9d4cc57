import { describe, expect, test } from 'vitest'
import { BadGeneration } from '../upstream.ts'
import { classifyRefusal, type Refusal, waitWords } from './refusal.ts'

function openai(message: string, code: string | number | null = null, type = 'invalid_request_error') {
  return { error: { message, type, param: null, code } }
}

describe('a refusal is what its status and words say', () => {
  const cases: [number | undefined, unknown, string, string | null][] = [
    [401, openai('Incorrect API key provided', 'invalid_api_key'), 'upstream_auth', null],
    [401, { error: 'Unauthorized' }, 'upstream_auth', null],
    [400, openai('Incorrect API key provided.'), 'upstream_auth', null],
    [402, openai('Payment required'), 'insufficient_quota', null],
    [403, openai('Not for you'), 'upstream_forbidden', null],
    [429, openai('You exceeded your current quota', 'insufficient_quota'), 'insufficient_quota', null],
    [429, openai('Rate limit reached', 'rate_limit_exceeded'), 'rate_limit_exceeded', null],
    [400, openai("This model's maximum context length is 4096 tokens."), 'context_length_exceeded', 'messages'],
    [
      400,
      openai('The decoder prompt (length 9) is longer than the maximum model length of 8.'),
      'context_length_exceeded',
      'messages',
    ],
    [
      400,
      {
        error: {
          code: 400,
          message: 'request (9 tokens) exceeds the available context size (8 tokens)',
          type: 'exceed_context_size_error',
        },
      },
      'context_length_exceeded',
      'messages',
    ],
    [
      400,
      {
        object: 'error',
        message: "The input (9 tokens) is longer than the model's context length (8 tokens).",
        type: 'BadRequest',
        code: 400,
      },
      'context_length_exceeded',
      'messages',
    ],
    [422, { detail: [{ loc: ['body', 'stop'], msg: 'too long', type: 'long' }] }, 'upstream_rejected', 'stop'],
    [
      400,
      { object: 'error', message: 'flat', type: 'BadRequestError', param: 'stop', code: 400 },
      'upstream_rejected',
      'stop',
    ],
    [
      400,
      openai('"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set'),
      'upstream_rejected',
      'tools',
    ],
    [500, openai('tools param requires --jinja flag', 500, 'server_error'), 'upstream_rejected', 'tools'],
    [
      400,
      openai('registry.ollama.ai/library/gemma3:4b does not support tools', null, 'api_error'),
      'upstream_rejected',
      'tools',
    ],
    [404, openai('No endpoints found that support tool use.', 404), 'upstream_rejected', 'tools'],
    [404, openai('The model `x` does not exist.'), 'model_not_found', null],
    [404, openai('model "x" not found, try pulling it first'), 'model_not_found', null],
    [404, { detail: 'Not Found' }, 'upstream_error', null],
    [408, '', 'upstream_timeout', null],
    [413, openai('too big'), 'body_too_large', null],
    [422, { object: 'error', message: { detail: [{ type: 'extra_forbidden' }] } }, 'upstream_rejected', null],
    [500, openai('boom'), 'upstream_error', null],
    [502, '<html><title>Bad Gateway</title></html>', 'upstream_error', null],
    [503, openai('Loading model', 503, 'unavailable_error'), 'upstream_overloaded', null],
    [504, '', 'upstream_timeout', null],
    [529, openai('Overloaded'), 'upstream_overloaded', null],
    [302, 'it points to http://elsewhere/', 'upstream_error', null],
    [undefined, openai('engine died', 500, 'server_error'), 'upstream_error', null],
    [undefined, openai('slow down', 429), 'rate_limit_exceeded', null],
    [undefined, { error: { message: 'bad role', code: 400 } }, 'upstream_rejected', null],
    [200, { error: { message: 'bad role', status_code: 400 } }, 'upstream_rejected', null],
  ]
  test.each(cases)('%s %j is %s', (status, body, code, param) => {
    const failure = classifyRefusal({ upstream: 'local', status, body })
    expect([failure.code, failure.param]).toEqual([code, param])
  })
})

describe("the service's own words are kept", () => {
  const cases: [string, Partial<Refusal>, string][] = [
    ['of an object', { status: 400, body: openai('Bad stop.') }, 'local: Bad stop.'],
    ['of a JSON text', { status: 400, body: JSON.stringify(openai('Bad stop.')) }, 'local: Bad stop.'],
    ['of plain text', { status: 400, body: 'Bad stop.' }, 'local: Bad stop.'],
    [
      'of a page',
      { status: 502, body: '<html><head><title>Bad Gateway</title>' },
      'local: an HTML page, "Bad Gateway"',
    ],
    [
      'of the provider behind a router',
      {
        status: 400,
        body: {
          error: {
            code: 400,
            message: 'Provider returned error',
            metadata: { raw: JSON.stringify(openai('Bad stop.')) },
          },
        },
      },
      'local: Provider returned error: Bad stop.',
    ],
    [
      'of the provider behind a router, in a text',
      {
        status: 400,
        body: JSON.stringify({
          error: { message: 'Provider returned error', metadata: { raw: JSON.stringify(openai('Bad stop.')) } },
        }),
      },
      'local: Provider returned error: Bad stop.',
    ],
    [
      'of a list of details, without what the client sent',
      { status: 422, body: { detail: [{ loc: ['body', 'stop'], msg: 'too long', type: 'long', input: 'secret' }] } },
      'local: stop: too long',
    ],
    ['of a label', { status: 500, body: { error: { code: 'engine_dead' } } }, 'local: engine_dead'],
    ['of an unknown shape', { status: 500, body: { wrong: [1] } }, 'local: {"wrong":[1]}'],
    ['of nobody', { status: 500, body: '' }, 'local: no reason given'],
    [
      'at a wrong url',
      { status: 404, body: '' },
      'local: no reason given (status 404: is the URL right? It usually ends in /v1)',
    ],
  ]
  test.each(cases)('%s', (_, refusal, message) => {
    expect(classifyRefusal({ upstream: 'local', body: '', ...refusal }).message).toBe(message)
  })
})

test.each([
  ['7', 7],
  ['1.2', 2],
  [new Date(Date.now() + 60_000).toUTCString(), expect.closeTo(60, -1)],
  ['soon', undefined],
  [undefined, undefined],
])('Retry-After %s is %s seconds', (retryAfter, seconds) => {
  const failure = classifyRefusal({ upstream: 'local', status: 429, body: openai('slow'), retryAfter })
  expect(failure.retryAfterSeconds).toEqual(seconds)
})

test.each([
  ['the configured key', 'Key abcdef123 is wrong', 'Key [redacted] is wrong'],
  [
    'an OpenAI key',
    'Incorrect API key provided: sk-proj-Ab_12345678. See',
    'Incorrect API key provided: [redacted] See',
  ],
  ['a half masked key', 'Incorrect API key provided: sk-ab***********yz', 'Incorrect API key provided: [redacted]'],
  ['a header', 'got "Authorization: Bearer a.b-c" there', 'got "Authorization: [redacted]" there'],
  ['a token', 'bad eyJhbGciOiJI.eyJzdWIiOiIx.abc-_1', 'bad [redacted]'],
])('%s is not passed on', (_, message, expected) => {
  const failure = classifyRefusal({ upstream: 'local', status: 401, body: openai(message), secrets: ['abcdef123', ''] })
  expect(failure.message).toBe(`local: ${expected}`)
})

test('a permanent refusal holds nothing agents take for a passing one', () => {
  const message = 'HTTP 500 Server Error: rate limit 50429, timeout 5024 of 1429 tokens, rate_limit'
  const failure = classifyRefusal({ upstream: 'local', status: 400, body: openai(message) })
  expect(failure.message).not.toMatch(/429|500|502|503|504|524|timeout|rate.?limit|server error/i)
  expect(failure.message.replaceAll('\u2060', '')).toContain('5024 of 1429 tokens')
})

test('a passing failure keeps its words', () => {
  expect(classifyRefusal({ upstream: 'local', status: 503, body: openai('timeout 503') }).message).toBe(
    'local: timeout 503',
  )
})

test.each([
  [400, openai('registry.ollama.ai/library/gemma3:4b does not support tools', null, 'api_error')],
  [404, { error: { code: 404, message: 'No endpoints found that support tool use. Try disabling "x".' } }],
  [422, { error: 'Tool error: no tools here', error_type: 'tool_error' }],
  [422, { object: 'error', message: { detail: [{ type: 'extra_forbidden', loc: ['body', 'tools'], msg: 'x' }] } }],
  [400, openai("Extra inputs are not permitted, field: 'tools', value: []")],
  [400, { error: { message: 'no', type: 'invalid_request_error', param: 'tools', code: 'unsupported_parameter' } }],
  [400, { code: 'x', error: 'The model does not support tool use or function calling but tools have been specified.' }],
  [400, { message: "This model doesn't support tool use in streaming mode." }],
  [400, openai("litellm.UnsupportedParamsError: p does not support parameters: {'tools': [{}]}")],
  [400, openai('Unsupported parameter(s): `tools`')],
  [400, openai('`tool calling` is not supported with this model')],
  [400, openai('deepseek-reasoner does not support Function Calling')],
  [501, openai('this model does not support tools')],
  [undefined, openai('this model does not support tools')],
])('%s %j says that there are no tools', (status, body) => {
  expect(classifyRefusal({ upstream: 'local', status, body })).toMatchObject({
    code: 'upstream_rejected',
    param: 'tools',
  })
})

test.each([
  [401, openai('this key does not support tools')],
  [402, openai('your plan does not support tools')],
  [403, openai('your account does not support tools')],
  [408, openai('does not support tools')],
  [429, openai('this tier does not support tools')],
  [503, openai('the fallback does not support tools')],
  [504, openai('does not support tools')],
  [400, openai("maximum context length is 8. This model doesn't support tools that long.")],
  [400, openai('Thinking mode does not support this tool_choice')],
])('%s %j says nothing of the sort', (status, body) => {
  expect(classifyRefusal({ upstream: 'local', status, body }).param).not.toBe('tools')
})

test.each([
  ['of Groq', 400, { error: { message: 'See failed_generation.', code: 'tool_use_failed', failed_generation: 'a' } }],
  ['of Ollama', 500, openai("error parsing tool call: raw='a', err=invalid character", null, 'api_error')],
  ['of llama.cpp', 500, openai('Failed to parse input at pos 12: a', 500, 'server_error')],
])('the words of a bad generation %s are kept', (_, status, body) => {
  const failure = classifyRefusal({ upstream: 'local', status, body })
  expect(failure).toBeInstanceOf(BadGeneration)
  expect(failure).toMatchObject({ code: 'upstream_error', generation: 'a' })
})

test.each([
  [14_400, '4 hours'],
  [3600, '1 hour'],
  [5400, '90 minutes'],
  [60, '1 minute'],
  [61, '61 seconds'],
  [700, '12 minutes'],
  [0.2, '1 second'],
])('%d seconds are %s', (seconds, words) => {
  expect(waitWords(seconds)).toBe(words)
})
