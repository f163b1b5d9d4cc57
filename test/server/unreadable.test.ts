import { expect, onTestFinished, test } from 'vitest'
import type { GatewayOptions } from '../../src/server/gateway-options.ts'
import { ask, askRaw, batches, chat, run, say, scriptTurns, stop } from './scripted.ts'

const head = 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n'
const chunked = `${head}transfer-encoding: chunked\r\n\r\n`
const body = JSON.stringify(chat)

async function serve(options: Partial<GatewayOptions> = {}) {
  const turns = scriptTurns(() => batches([say('hello')], [stop]))
  const running = await run({ turns, ...options })
  onTestFinished(() => running.gateway.close())
  return { ...running, turns }
}

/** The answers in what came back: status and body of each. */
function answersIn(text: string) {
  return text
    .split(/(?=HTTP\/1\.1 \d)/)
    .filter((answer) => !answer.startsWith('HTTP/1.1 100'))
    .map((answer) => ({
      status: Number(answer.slice(9, 12)),
      closing: /\r\nconnection: close\r\n/i.test(answer),
      json: JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)),
    }))
}

test.each<[string, string, number, string, RegExp]>([
  ['a chunk size that is none', `${chunked}ZZZ\r\n{}\r\n0\r\n\r\n`, 400, 'invalid_request', /chunk/],
  ['a negative chunk size', `${chunked}-2\r\n{}\r\n0\r\n\r\n`, 400, 'invalid_request', /chunk/],
  ['a chunk longer than it says', `${chunked}2\r\n{}XX\r\n0\r\n\r\n`, 400, 'invalid_request', /chunk/],
  ['a bad chunk after good ones', `${chunked}1\r\n{\r\n1\r\n}\r\nq\r\n`, 400, 'invalid_request', /chunk/],
  ['endless chunk extensions', `${chunked}2;${'x'.repeat(20_000)}\r\n{}\r\n0\r\n\r\n`, 400, 'invalid_request', /chunk/],
  ['an unknown transfer encoding', `${head}transfer-encoding: gzip\r\n\r\n{}`, 400, 'invalid_request', /chunked/],
  ['the transfer encoding identity', `${head}transfer-encoding: identity\r\n\r\n{}`, 400, 'invalid_request', /chunked/],
  ['one nobody has heard of', `${head}transfer-encoding: magic\r\n\r\n{}`, 400, 'invalid_request', /chunked/],
  [
    'an unknown one before chunks',
    `${head}transfer-encoding: gzip, chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
    'invalid_request',
    /chunked/,
  ],
  [
    'an unknown one after chunks',
    `${head}transfer-encoding: chunked, gzip\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
    'invalid_request',
    /chunked/,
  ],
  [
    'an unknown one where no body is read',
    'GET /livez HTTP/1.1\r\nhost: localhost\r\ntransfer-encoding: gzip\r\n\r\n',
    400,
    'invalid_request',
    /chunked/,
  ],
  [
    'a length beside chunks',
    `${head}content-length: 2\r\ntransfer-encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    400,
    'invalid_request',
    /Content-Length|chunked/,
  ],
  ['two lengths', `${head}content-length: 2\r\ncontent-length: 3\r\n\r\n{}`, 400, 'invalid_request', /Content-Length/],
  ['a length below nothing', `${head}content-length: -2\r\n\r\n{}`, 400, 'invalid_request', /Content-Length/],
  [
    'a length beyond numbers',
    `${head}content-length: ${'9'.repeat(30)}\r\n\r\n{}`,
    400,
    'invalid_request',
    /Content-Length/,
  ],
  [
    'a header name with a blank',
    'GET /livez HTTP/1.1\r\nfoo bar: x\r\n\r\n',
    400,
    'invalid_request',
    /not a valid HTTP request/,
  ],
  [
    'an unknown method',
    'FROB /livez HTTP/1.1\r\nhost: localhost\r\n\r\n',
    400,
    'invalid_request',
    /not a valid HTTP request/,
  ],
  ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'invalid_request', /not a valid HTTP request/],
  ['the begin of TLS', '\u0016\u0003\u0001\u0002\u0000', 400, 'invalid_request', /not a valid HTTP request/],
  [
    'a tunnel',
    'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n',
    405,
    'method_not_allowed',
    /isn't a proxy/,
  ],
  ['large headers', `GET /livez HTTP/1.1\r\nx: ${'y'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large', /too large/],
])('%s gets an answer, and the connection is closed', async (_what, bytes, status, code, words) => {
  const { port, turns } = await serve()
  const answers = answersIn(await askRaw(port, bytes))
  expect(answers).toMatchObject([{ status, closing: true, json: { error: { code, type: 'invalid_request_error' } } }])
  expect(answers[0]?.json.error.message).toMatch(words)
  expect(turns.starts).toEqual([])
  expect((await ask(port)).status).toBe(200)
})

test.each([
  ['a bad chunk', `${chunked}ZZZ\r\n`],
  ['an unknown transfer encoding', `${head}transfer-encoding: gzip\r\n\r\n`],
  ['an unknown transfer encoding before chunks', `${head}transfer-encoding: gzip, chunked\r\n\r\n400000\r\n`],
])('much more that comes after %s does not cost the client its answer', async (_what, bytes) => {
  const { port, nextRecord } = await serve()
  const logged = nextRecord()
  const answers = answersIn(await askRaw(port, `${bytes}${'x'.repeat(4 << 20)}`))
  expect(answers).toMatchObject([{ status: 400, closing: true }])
  expect(await logged).toMatchObject({ status: 400, code: 'invalid_request' })
})

test('answers before one that cannot be read come first', async () => {
  const { port } = await serve()
  const good = `${head}content-length: ${body.length}\r\n\r\n${body}`
  for (const bad of [`${chunked}ZZZ\r\n`, `${head}transfer-encoding: gzip\r\n\r\n{}`]) {
    expect(answersIn(await askRaw(port, `${good}${good}${bad}`))).toMatchObject([
      { status: 200 },
      { status: 200 },
      { status: 400, closing: true },
    ])
  }
})

test('what follows a request and is none does not cost it its answer', async () => {
  const { port } = await serve()
  const bytes = `${head}content-length: ${body.length}\r\n\r\n${body}GARBAGE\r\n\r\n`
  expect(answersIn(await askRaw(port, bytes))).toMatchObject([
    { status: 200, json: { choices: [{ message: { content: 'hello' } }] } },
    { status: 400, closing: true },
  ])
})

test.each<[string, string]>([
  ['the headers', 'POST /v1/chat/completions HTTP/1.1\r\nhost: localhost\r\n'],
  ['nothing at all', ''],
  ['half of the body', `${head}content-length: 200\r\n\r\n{"model":`],
  ['half of the chunks', `${chunked}2\r\n{"\r\n`],
  [
    'the body, in another request behind one that was answered',
    `GET /livez HTTP/1.1\r\nhost: localhost\r\n\r\n${chunked}2\r\n`,
  ],
])('a client that sends %s and then waits is answered with 408', async (_what, bytes) => {
  const { port, nextRecord } = await serve({ timeouts: { clientHeadersMs: 100, clientBodyMs: 200 } })
  if (bytes.startsWith('GET')) void nextRecord()
  const logged = bytes.includes('\r\n\r\n') ? nextRecord() : undefined
  const last = answersIn(await askRaw(port, bytes)).at(-1)
  expect(last).toMatchObject({
    status: 408,
    closing: true,
    json: { error: { code: 'request_too_slow', type: 'invalid_request_error', param: null } },
  })
  expect(last?.json.error.message).not.toMatch(/timeout/i)
  if (logged !== undefined) expect(await logged).toMatchObject({ status: 408, code: 'request_too_slow' })
})

test('an expectation nobody knows is let pass', async () => {
  const { port } = await serve()
  expect((await ask(port, { headers: { expect: 'magic' } })).status).toBe(200)
})
