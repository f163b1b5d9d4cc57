import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/server/access/auth.ts'
import type { Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { ask, askRaw, type Reply } from '../server/scripted.ts'
import { readFile, runTraced, saying, type Traced } from './traced.ts'

/**
 * What another user, a model, a client or a web page could try against the inspector. Those that need a browser are in
 * `test/inspector`.
 */

const key = 'client-key-0123456789'
const script = '<script>alert(1)</script>'
const said = `${script}<img src=x onerror=alert(1)>\n<tool_call>{"name": "${script}", "arguments": {}}</tool_call>`
const folder = mkdtempSync(join(tmpdir(), 'inspector-'))

let open: Traced
let locked: Traced
let id = ''

beforeAll(async () => {
  mkdirSync(join(folder, 'page/assets'), { recursive: true })
  writeFileSync(join(folder, 'page/index.html'), '<!doctype html><title>Inspector</title>')
  writeFileSync(join(folder, 'page/assets/app-1.js'), 'void 0')
  writeFileSync(join(folder, 'secret.txt'), 'top secret')
  writeFileSync(join(folder, 'page/.hidden'), 'top secret')
  open = await runTraced({ script: () => saying(said), page: join(folder, 'page') })
  locked = await runTraced({
    script: () => saying('x'),
    page: join(folder, 'page'),
    gateway: { keyring: createKeyring([key]) },
  })
  await ask(open.port, {
    body: {
      model: 'm',
      messages: [{ role: 'user', content: script }],
      tools: [{ type: 'function', function: { ...readFile.function, description: script } }],
    },
    headers: { 'user-agent': `${script}/1`, 'x-note': script, 'x-conversation-id': script },
  })
  id = (await open.last()).id
})

afterAll(async () => {
  await Promise.all([open.gateway.close(), locked.gateway.close()])
  rmSync(folder, { recursive: true })
})

const get = (traced: Traced, path: string, headers: Record<string, string> = {}): Promise<Reply> =>
  ask(traced.port, { method: 'GET', path, headers })
const list = '/inspector/api/exchanges'
const cookie = (traced: Traced, value: string): string => `dragoman_inspector_${traced.port}=${value}`

describe('from a web page', () => {
  test.each<[string, string, Record<string, string>, number]>([
    ['a foreign origin', list, { origin: 'https://evil.example' }, 403],
    ['the null origin of a sandbox', list, { origin: 'null' }, 403],
    ['another port of this machine', list, { origin: 'http://127.0.0.1:1' }, 403],
    ['a foreign script tag', list, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, 403],
    [
      'a foreign event stream',
      '/inspector/api/live',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
      403,
    ],
    [
      'a foreign frame',
      '/inspector/',
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'iframe' },
      403,
    ],
    [
      'a link to the data',
      list,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
      403,
    ],
    ['a rebound name', list, { host: 'evil.example' }, 403],
    ['a rebound name with a port', '/inspector/', { host: 'evil.example:8484' }, 403],
    ['a name that only begins like ours', list, { host: '127.0.0.1.evil.example' }, 403],
  ])('%s is refused', async (_, path, headers, status) => {
    const reply = await get(open, path, headers)
    expect(reply.status).toBe(status)
    expect(reply.text).not.toContain('exchanges')
    expect(reply.headers['access-control-allow-origin']).toBeUndefined()
  })

  test('a page that may use the gateway may not look at what others asked', async () => {
    const origin = 'https://chat.example'
    const friendly = await runTraced({
      script: () => saying('x'),
      gateway: { allowed: { hosts: [], origins: [origin] } },
    })
    const reply = await get(friendly, list, { origin })
    const asked = await ask(friendly.port, { headers: { origin } })
    await friendly.gateway.close()
    expect(asked.status).toBe(200)
    expect(reply.status).toBe(403)
    expect(reply.json.error.code).toBe('forbidden_origin')
  })

  test('two Hosts, and a whole URL in the request line', async () => {
    const twice = await askRaw(
      open.port,
      `GET ${list} HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\nConnection: close\r\n\r\n`,
    )
    const whole = await askRaw(
      open.port,
      `GET http://evil${list} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n`,
    )
    for (const answer of [twice, whole]) expect(answer).toMatch(/^HTTP\/1.1 400 /)
  })
})

describe('without the token, where one is needed', () => {
  test.each<[string, (traced: Traced) => readonly [string, Record<string, string>]]>([
    ['nothing', () => [list, {}]],
    ['a wrong cookie', (traced) => [list, { cookie: cookie(traced, 'a'.repeat(32)) }]],
    ['an empty cookie', (traced) => [list, { cookie: cookie(traced, '') }]],
    ['a very long cookie', (traced) => [list, { cookie: cookie(traced, 'a'.repeat(8000)) }]],
    ['the token in a cookie of another name', (traced) => [list, { cookie: `token=${traced.token.text}` }]],
    ['the token with more behind it', (traced) => [list, { cookie: cookie(traced, `${traced.token.text}x`) }]],
    ['the token as a key', (traced) => [list, { authorization: `Bearer ${traced.token.text}` }]],
    ['the token in the address of the data', (traced) => [`${list}?token=${traced.token.text}`, {}]],
    ["a client's key in the address", () => [`/inspector/?token=${key}`, {}]],
    ["a client's key in the cookie", (traced) => [list, { cookie: cookie(traced, key) }]],
    ['a wrong token in the address', () => [`/inspector/?token=${'a'.repeat(32)}`, {}]],
    ['a list of tokens', (traced) => [`/inspector/?token=a&token=${traced.token.text}`, {}]],
    ['the page itself', () => ['/inspector/', {}]],
    ['a file of the page', () => ['/inspector/assets/app-1.js', {}]],
  ])('%s opens nothing', async (_, how) => {
    const [path, headers] = how(locked)
    const reply = await get(locked, path, headers)
    expect(reply.status).toBe(401)
    expect(reply.json.error).toMatchObject({ code: 'inspector_token' })
    expect(reply.headers['set-cookie']).toBeUndefined()
  })

  test('the printed address does: it sets a cookie that scripts and other sites never see, and the token leaves the address', async () => {
    const first = await get(locked, `/inspector?token=${locked.token.text}`)
    expect(first).toMatchObject({ status: 303, headers: { location: '/inspector/' } })
    const [set = ''] = first.headers['set-cookie'] ?? []
    expect(set).toBe(`${cookie(locked, locked.token.text)}; Path=/inspector; HttpOnly; SameSite=Strict`)
    const [pair = ''] = set.split(';')
    expect((await get(locked, '/inspector/', { cookie: pair })).status).toBe(200)
    expect((await get(locked, list, { cookie: `a=b; ${cookie(locked, 'planted')}; ${pair}` })).status).toBe(200)
  })

  test('a person who has no token is told where it is, on a page that loads and runs nothing', async () => {
    const reply = await get(locked, '/inspector/', { accept: 'text/html,*/*' })
    expect(reply).toMatchObject({
      status: 401,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy':
          "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'",
      },
    })
    expect(reply.text).toContain('<h1>The inspector needs its token.</h1>\n<p>Open the address')
    expect(reply.text).not.toContain(locked.token.text)
  })

  test('the token opens no door, neither as a key nor as a cookie', async () => {
    for (const headers of [
      { authorization: `Bearer ${locked.token.text}` },
      { 'x-api-key': locked.token.text },
      { cookie: cookie(locked, locked.token.text) },
    ]) {
      expect((await ask(locked.port, { headers })).status).toBe(401)
    }
  })
})

describe('paths', () => {
  test.each([
    '/inspector/../secret.txt',
    '/inspector/..%2fsecret.txt',
    '/inspector/%2e%2e/secret.txt',
    '/inspector/assets/..%2f..%2f..%2fsecret.txt',
    '/inspector/assets/..%5c..%5csecret.txt',
    '/inspector/%2fetc%2fpasswd',
    '/inspector//etc/passwd',
    '/inspector/.hidden',
    '/inspector/index.html%00.js',
    '/inspector/assets/',
    '/inspector/__proto__',
    '/inspector/api/../../secret.txt',
    '/inspector/api/exchanges/..%2f..%2fsecret.txt',
    '/inspector/api/exchanges/__proto__',
    `/inspector/api/exchanges/${'a'.repeat(5000)}`,
    "/inspector/api/exchanges/'%20OR%201=1--",
    '/inspector/api/exchanges/x/export/more',
    '/inspector/api/constructor',
    '/inspector/api/live?id=nobody',
  ])('%s is nothing', async (path) => {
    const reply = await get(open, path)
    expect(reply.status).toBe(404)
    expect(reply.text).not.toContain('secret')
    expect(reply.headers['content-type']).toBe('application/json; charset=utf-8')
  })

  test.each(['limit=0', 'limit=-1', 'limit=1e9', 'limit=99999999999999999999', 'limit=__proto__', 'limit=1;drop'])(
    'a list with %s is refused',
    async (query) => {
      const reply = await get(open, `${list}?${query}`)
      expect(reply.status).toBe(400)
      expect(reply.json.error.param).toBe('limit')
    },
  )

  test.each(['POST', 'PUT', 'DELETE', 'PATCH'])('%s changes nothing', async (method) => {
    for (const path of [list, `${list}/${id}`, '/inspector/api/info', '/inspector/']) {
      expect((await ask(open.port, { method, path, body: {} })).status).toBe(405)
    }
    expect((await open.get<Page>(list)).total).toBe(1)
  })
})

describe('what others said', () => {
  test.each([
    ['the list', () => list],
    ['an exchange', () => `${list}/${id}`],
    ['an export', () => `${list}/${id}/export`],
    ['the figures', () => '/inspector/api/overview'],
  ])('%s comes as JSON that no browser takes for a page', async (_, path) => {
    const reply = await get(open, path(), { accept: 'text/html' })
    expect(reply.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
      'cache-control': 'no-store',
    })
    expect(reply.headers['content-security-policy']).toContain("default-src 'none'")
  })

  test('script in text, tool names, headers and the user agent is text in the data', async () => {
    const exchange = await open.get<Exchange>(`${list}/${id}`)
    expect(exchange.attempts[0]?.said.text).toBe(said)
    expect(exchange.client).toBe(script)
    expect(exchange.asked.headers).toContainEqual({ name: 'x-note', value: script })
  })

  test('no line of an event can be forged by what a model says', async () => {
    const reply = await get(open, `/inspector/api/live?id=${id}`)
    const lines = reply.text.split('\n').filter((line) => line !== '')
    expect(lines).toEqual([': live', 'event: exchange', expect.stringMatching(/^data: \{.*\}$/)])
  })

  test('the page runs its own scripts only, in no frame, and tells nobody where it is', async () => {
    const { headers } = await get(open, '/inspector/')
    expect(headers).toMatchObject({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'x-frame-options': 'DENY',
    })
  })
})

test('without the inspector there is nothing at its path', async () => {
  const { recorder } = open
  const without = await runTraced({ script: () => saying('x'), gateway: { traces: { recorder } } })
  const replies = await Promise.all(['/inspector', '/inspector/', list].map((path) => get(without, path)))
  await without.gateway.close()
  expect(replies.map(({ status }) => status)).toEqual([404, 404, 404])
})
