import { gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/server/access/auth.ts'
import { ask, askRaw, batches, chat, type Running, run, say, scriptTurns, stop } from './scripted.ts'

const turns = scriptTurns(() => batches([say('hello')], [stop]))
let running: Running

afterEach(() => running.gateway.close())

describe('with no keys on loopback', () => {
  beforeEach(async () => {
    running = await run({ turns, limits: { bodyBytes: 2048 } })
  })

  test.each([
    ['POST', '/v1/chat/completions', 200],
    ['POST', '/chat/completions', 200],
    ['POST', '/v1/chat/completions/', 200],
    ['POST', '/v1/chat/completions?beta=true', 200],
    ['GET', '/v1/models', 200],
    ['HEAD', '/v1/models', 200],
    ['GET', '/models', 200],
    ['GET', '/v1/models/Qwen/Qwen3', 200],
    ['GET', '/models/Qwen%2FQwen3', 200],
    ['GET', '/v1/models/Qwen/Qwen3:latest', 200],
    ['GET', '/v1/models/other', 404],
    ['GET', '/v1/models/%zz', 404],
    ['GET', '/livez', 200],
    ['GET', '/readyz', 200],
    ['GET', '/v1/livez', 404],
    ['GET', '/', 200],
    ['POST', '/v1/completions', 404],
    ['GET', '/v1/chat/completions', 405],
    ['OPTIONS', '/v1/chat/completions', 405],
    ['DELETE', '/v1/models', 405],
  ])('%s %s answers %i', async (method, path, status) => {
    const reply = await ask(running.port, { method, path })
    expect(reply.status).toBe(status)
    expect(reply.headers['x-request-id']).toMatch(/^req_[A-Za-z0-9]{24}$/)
    if (status >= 400 && method !== 'HEAD')
      expect(Object.keys(reply.json.error)).toEqual(['message', 'type', 'param', 'code'])
  })

  test('a 405 says what is allowed', async () => {
    expect((await ask(running.port, { method: 'GET' })).headers.allow).toBe('POST')
    expect((await ask(running.port, { method: 'PUT', path: '/models' })).headers.allow).toBe('GET, HEAD')
  })

  test.each<[string, string | Uint8Array | object, Record<string, string>, number, string]>([
    ['broken JSON', '{"model": ', {}, 400, 'invalid_json'],
    ['an empty body', '', {}, 400, 'invalid_json'],
    ['bytes that are not UTF-8', new Uint8Array([0x22, 0xff, 0x22]), {}, 400, 'invalid_json'],
    ['JSON nested too deep', '['.repeat(200) + ']'.repeat(200), {}, 400, 'invalid_json'],
    ['a list', [], {}, 400, 'invalid_type'],
    ['null', 'null', {}, 400, 'invalid_type'],
    ['a wrong type', { ...chat, temperature: 'hot' }, {}, 400, 'invalid_type'],
    ['a body over the limit', { ...chat, user: 'x'.repeat(4096) }, {}, 413, 'body_too_large'],
    ['a body in an encoding nobody uses', chat, { 'content-encoding': 'br' }, 415, 'unsupported_media_type'],
    ['a body that is not encoded as it says', chat, { 'content-encoding': 'gzip' }, 400, 'invalid_json'],
    ['an unknown mode', chat, { 'x-dragoman-tools': 'magic' }, 400, 'invalid_value'],
  ])('%s is refused', async (_what, body, headers, status, code) => {
    const reply = await ask(running.port, { body, headers })
    expect(reply).toMatchObject({ status, json: { error: { code, type: 'invalid_request_error' } } })
    expect((await ask(running.port)).status).toBe(200)
  })

  test('a byte order mark and an identity encoding are let pass', async () => {
    const reply = await ask(running.port, {
      body: `\ufeff${JSON.stringify(chat)}`,
      headers: { 'content-encoding': 'identity' },
    })
    expect(reply.status).toBe(200)
  })

  test.each([
    ['gzip', gzipSync],
    ['zstd', zstdCompressSync],
  ])('a body in %s is read, and held to the same limit', async (encoding, encode) => {
    const headers = { 'content-encoding': encoding }
    expect((await ask(running.port, { body: encode(JSON.stringify(chat)), headers })).status).toBe(200)
    const bomb = encode(JSON.stringify({ ...chat, user: 'x'.repeat(10 << 20) }))
    expect(await ask(running.port, { body: bomb, headers })).toMatchObject({
      status: 413,
      json: { error: { code: 'body_too_large' } },
    })
  })

  test.each([true, false])('10 MB over a small limit get their answer (length announced: %s)', async (announced) => {
    const body = JSON.stringify({ ...chat, user: 'x'.repeat(10 << 20) })
    const headers: Record<string, string> = announced ? {} : { 'transfer-encoding': 'chunked' }
    expect(await ask(running.port, { body, headers })).toMatchObject({
      status: 413,
      json: { error: { code: 'body_too_large' } },
    })
    expect((await ask(running.port)).status).toBe(200)
  })

  test.each([
    ['two Hosts', 'GET /livez HTTP/1.1\r\nhost: localhost\r\nhost: evil.example\r\nconnection: close\r\n\r\n'],
    ['two equal Hosts', 'GET /livez HTTP/1.1\r\nhost: localhost\r\nHost: localhost\r\nconnection: close\r\n\r\n'],
    ['no Host', 'GET /livez HTTP/1.1\r\nconnection: close\r\n\r\n'],
    ['an empty Host', 'GET /livez HTTP/1.1\r\nhost:\r\nconnection: close\r\n\r\n'],
    ['a whole URL', 'GET http://evil.example/livez HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n'],
  ])('%s in a request is refused', async (_what, bytes) => {
    expect(await askRaw(running.port, bytes)).toMatch(/^HTTP\/1\.1 400 [\s\S]*"code":"invalid_request"/)
  })

  test('the client key goes on to the turn, from whichever header', async () => {
    turns.starts.length = 0
    await ask(running.port, { headers: { authorization: 'Bearer one' } })
    await ask(running.port, { headers: { 'x-api-key': 'two' } })
    await ask(running.port, { headers: { authorization: 'Bearer one', 'x-dragoman-upstream-key': 'three' } })
    await ask(running.port)
    expect(turns.starts.map(({ context }) => context.clientKey)).toEqual(['one', 'two', 'three', undefined])
  })

  test('the mode a client asks for goes on to the turn', async () => {
    turns.starts.length = 0
    await ask(running.port, { headers: { 'x-dragoman-tools': 'native' } })
    expect(turns.starts[0]?.context.overrides).toEqual({ tools: 'native' })
  })

  test('a request id that is one is kept, another is replaced', async () => {
    const id = async (given: string) =>
      (await ask(running.port, { headers: { 'x-request-id': given } })).headers['x-request-id']
    expect(await id('trace-1.a')).toBe('trace-1.a')
    expect(await id('has spaces in it')).toMatch(/^req_/)
  })
})

describe('with keys', () => {
  beforeEach(async () => {
    running = await run({ turns, keyring: createKeyring(['first-key', 'second-key']) })
  })

  test.each<[string, Record<string, string>, number]>([
    ['no key', {}, 401],
    ['a bearer', { authorization: 'Bearer first-key' }, 200],
    ['the other key', { authorization: 'Bearer second-key' }, 200],
    ['a bearer in small letters', { authorization: 'bearer first-key' }, 200],
    ['x-api-key', { 'x-api-key': 'first-key' }, 200],
    ['api-key', { 'api-key': 'first-key' }, 200],
    ['a wrong bearer', { authorization: 'Bearer first-kez' }, 401],
    ['a prefix of the key', { authorization: 'Bearer first' }, 401],
    ['a longer key', { 'x-api-key': 'first-key-and-more' }, 401],
    ['a wrong x-api-key', { 'x-api-key': 'no' }, 401],
    ['a wrong api-key', { 'api-key': 'no' }, 401],
    ['no scheme', { authorization: 'first-key' }, 401],
    ['another scheme', { authorization: 'Basic first-key' }, 401],
    ['an empty bearer', { authorization: 'Bearer ' }, 401],
    ['a wrong bearer beside a right x-api-key', { authorization: 'Bearer no', 'x-api-key': 'first-key' }, 401],
    ['something out of SQL', { authorization: "Bearer ' OR 1=1 --" }, 401],
  ])('%s: every keyed path agrees', async (_what, headers, status) => {
    const replies = [
      await ask(running.port, { headers }),
      await ask(running.port, { headers, path: '/chat/completions' }),
      await ask(running.port, { headers, method: 'GET', path: '/v1/models' }),
      await ask(running.port, { headers, method: 'GET', path: '/models/Qwen/Qwen3' }),
    ]
    expect(replies.map((reply) => reply.status)).toEqual([status, status, status, status])
  })

  test('a refusal is worded as clients know it and repeats no key', async () => {
    const wrong = await ask(running.port, { headers: { authorization: 'Bearer sk-secret-thing' } })
    expect(wrong.json.error).toMatchObject({ code: 'invalid_api_key', type: 'invalid_request_error', param: null })
    expect(wrong.json.error.message).toMatch(/^Incorrect API key provided/)
    expect(wrong.text).not.toContain('secret')
    expect(wrong.headers['www-authenticate']).toBe('Bearer')
    expect((await ask(running.port)).json.error.message).toMatch(/^You didn't provide an API key/)
  })

  test('a key of the gateway stays here: only one meant for the upstream goes on to the turn', async () => {
    turns.starts.length = 0
    await ask(running.port, { headers: { authorization: 'Bearer first-key' } })
    await ask(running.port, { headers: { 'x-api-key': 'first-key', 'x-dragoman-upstream-key': 'sk-theirs' } })
    expect(turns.starts.map(({ context }) => context.clientKey)).toEqual([undefined, 'sk-theirs'])
    const refused = await ask(running.port, { headers: { 'x-dragoman-upstream-key': 'first-key' } })
    expect(refused.status).toBe(401)
    await ask(running.port, { headers: { 'x-api-key': 'first-key', 'x-dragoman-upstream-key': 'Bearer sk-theirs' } })
    expect(turns.starts.at(-1)?.context.clientKey).toBe('sk-theirs')
  })

  test.each(['first-key', 'second-key', 'Bearer first-key', 'sk-theirs, first-key', '"first-key"'])(
    'a key of the gateway is not sent on when it stands where the service key belongs: %s',
    async (given) => {
      turns.starts.length = 0
      const headers = { authorization: 'Bearer first-key', 'x-dragoman-upstream-key': given }
      const reply = await ask(running.port, { headers })
      expect(reply).toMatchObject({
        status: 400,
        json: { error: { code: 'invalid_value', param: 'x-dragoman-upstream-key' } },
      })
      expect(reply.text).not.toMatch(/first-key|second-key/)
      expect(turns.starts).toEqual([])
    },
  )

  test('a key that was one of the gateway is not sent on either', async () => {
    await running.gateway.close()
    running = await run({ turns, keyring: createKeyring([], ['old-key']) })
    turns.starts.length = 0
    await ask(running.port, { headers: { authorization: 'Bearer old-key' } })
    await ask(running.port, { headers: { authorization: 'Bearer sk-mine' } })
    expect(turns.starts.map(({ context }) => context.clientKey)).toEqual([undefined, 'sk-mine'])
    const reply = await ask(running.port, { headers: { 'x-dragoman-upstream-key': 'old-key' } })
    expect(reply.status).toBe(400)
  })

  test('health needs no key', async () => {
    expect((await ask(running.port, { method: 'GET', path: '/livez' })).status).toBe(200)
    expect((await ask(running.port, { method: 'GET', path: '/readyz' })).status).toBe(200)
  })

  test('no line of the log holds a key', async () => {
    await ask(running.port, { headers: { authorization: 'Bearer first-key' } })
    expect(JSON.stringify(running.records)).not.toContain('first-key')
  })
})

test('a public address without keys is not listened on', async () => {
  running = await run({ turns })
  await expect(run({ turns, host: '0.0.0.0' })).rejects.toThrow('without client keys')
})
