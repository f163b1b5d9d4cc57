import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { createKeyring } from '../../src/server/access/auth.ts'
import { type Asked, ask, batches, chat, type Running, run, say, scriptTurns, stop } from './scripted.ts'

const turns = scriptTurns(() => batches([say('hello')], [stop]))
const here = '127.0.0.1:8484'
const evil = 'https://evil.example'
const local = 'http://localhost:3000'
const json = 'application/json'

/** What a browser says of a request it makes for a page. */
function sent(site: string, mode: string, dest: string, origin?: string): Record<string, string> {
  return {
    'user-agent': 'Mozilla/5.0',
    'sec-fetch-site': site,
    'sec-fetch-mode': mode,
    'sec-fetch-dest': dest,
    ...(origin !== undefined && { origin }),
  }
}

const post = (type: string | undefined, headers: Record<string, string>, body: unknown = chat): Asked => ({
  headers: { host: here, 'content-type': type ?? '', ...headers },
  body,
})

const get = (headers: Record<string, string>, path = '/v1/models', method = 'GET'): Asked => ({
  method,
  path,
  headers: { host: here, ...headers },
})

const preflight = (headers: Record<string, string>, path = '/v1/chat/completions'): Asked => ({
  method: 'OPTIONS',
  path,
  headers: {
    host: here,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization,content-type,x-stainless-lang',
    ...headers,
  },
})

const form = 'application/x-www-form-urlencoded'
const multipart = 'multipart/form-data; boundary=x'
const crossCors = (origin: string) => sent('cross-site', 'cors', 'empty', origin)

type Row = readonly [what: string, asked: Asked, status: number]

const calls: readonly Row[] = [
  ['fetch with JSON', post(json, crossCors(evil)), 403],
  ['fetch with text/plain, which needs no preflight', post('text/plain;charset=UTF-8', crossCors(evil)), 403],
  ['fetch in mode no-cors', post('text/plain', sent('cross-site', 'no-cors', 'empty', evil)), 403],
  ['fetch of a blob without a type', post(undefined, sent('cross-site', 'no-cors', 'empty', evil)), 403],
  ['fetch whose Origin an extension took away', post(json, sent('cross-site', 'cors', 'empty')), 403],
  ['the same from another port of this host', post(json, sent('same-site', 'cors', 'empty')), 403],
  ['fetch of a browser that sends an Origin only', post('text/plain', { origin: evil }), 403],
  ['a form', post(form, sent('cross-site', 'navigate', 'document', evil), 'model=m'), 403],
  ['a form with files', post(multipart, sent('cross-site', 'navigate', 'document', evil), '--x--'), 403],
  ['a form in text/plain that is JSON', post('text/plain', sent('cross-site', 'navigate', 'document', evil)), 403],
  ['a form into a frame', post(form, sent('cross-site', 'navigate', 'iframe', evil), 'model=m'), 403],
  ['a form of a sandboxed frame', post(form, sent('cross-site', 'navigate', 'document', 'null'), 'model=m'), 403],
  ['a beacon of text', post('text/plain;charset=UTF-8', sent('cross-site', 'no-cors', 'empty', evil)), 403],
  ['a beacon of a form', post(multipart, sent('cross-site', 'no-cors', 'empty', evil), '--x--'), 403],
  [
    'a report the browser sends',
    post('application/reports+json', sent('cross-site', 'no-cors', 'report', evil), []),
    403,
  ],
  ['a ping of a link', post('text/ping', sent('cross-site', 'no-cors', 'empty', evil), 'PING'), 403],
]

const origins: readonly Row[] = [
  ['a page on another port', post(json, sent('same-site', 'cors', 'empty', local)), 403],
  ['a page on another port, in text/plain', post('text/plain', sent('same-site', 'cors', 'empty', local)), 403],
  ['a page on another port of 127.0.0.1', post(json, sent('same-site', 'cors', 'empty', 'http://127.0.0.1:5173')), 403],
  ['a page on another port of ::1', post(json, crossCors('http://[::1]:5173')), 403],
  ['a page on port 80 here', post(json, sent('same-site', 'cors', 'empty', 'http://127.0.0.1')), 403],
  ['a page that is sandboxed', post(json, crossCors('null')), 403],
  ['a page in a file', post(json, crossCors('file://')), 403],
  ['a page named after us', post(json, crossCors('http://localhost.evil.example')), 403],
  ['a page named after our address', post(json, crossCors('http://127.0.0.1.evil.example:8484')), 403],
  ['a page with our port', post(json, crossCors('https://evil.example:8484')), 403],
  ['a page with us for a user', post(json, crossCors(`http://${here}@evil.example`)), 403],
  ['a page in capital letters', post(json, crossCors('HTTPS://EVIL.EXAMPLE')), 403],
  [
    'a page under our name, says the Origin, of another site, says the browser',
    post(json, crossCors(`http://${here}`)),
    403,
  ],
  ['a page under our name by https', post(json, sent('cross-site', 'cors', 'empty', `https://${here}`)), 403],
  ['two Origins, ours first', post(json, { origin: `http://${here}, ${evil}` }), 403],
  ['an empty Origin', post(json, { origin: '' }), 403],
  ['an extension', post(json, sent('none', 'cors', 'empty', 'chrome-extension://abcdefgh')), 403],
  ['an extension of Firefox', post(json, crossCors('moz-extension://abcdefgh')), 403],
  ['an app', post(json, crossCors('app://obsidian.md')), 403],
  ['a value of Sec-Fetch-Site to come', post(json, sent('cousin-site', 'cors', 'empty')), 403],
]

const hosts: readonly Row[] = [
  'evil.example',
  'evil.example:8484',
  'evil.example.',
  '127.0.0.1.nip.io:8484',
  'localtest.me:8484',
  'localhost.evil.example:8484',
  'localhost.',
  'sub.localhost:8484',
  '0.0.0.0:8484',
  '[::]:8484',
  '2130706433:8484',
  '0x7f.1:8484',
  '127.1:8484',
  `evil.example@${here}`,
  `${here}@evil.example`,
  `${here},evil.example`,
  'host.docker.internal:8484',
].flatMap((host): Row[] => [
  [
    `a page rebound to ${host} asks`,
    post(json, { ...sent('same-origin', 'cors', 'empty', `http://${host}`), host }),
    403,
  ],
  [`a page rebound to ${host} reads the models`, get({ ...sent('same-origin', 'cors', 'empty'), host }), 403],
])

const gets: readonly Row[] = [
  ['fetch of the models', get(crossCors(evil)), 403],
  ['fetch of the models in mode no-cors', get(sent('cross-site', 'no-cors', 'empty')), 403],
  ['fetch of the models from another port', get(sent('same-site', 'cors', 'empty', local)), 403],
  ['fetch of the models from another port in mode no-cors', get(sent('same-site', 'no-cors', 'empty')), 403],
  ['the models as a script', get(sent('cross-site', 'no-cors', 'script')), 403],
  ['the models as a module', get(sent('cross-site', 'cors', 'script', evil)), 403],
  ['the models as a picture', get(sent('cross-site', 'no-cors', 'image')), 403],
  ['the models as a style', get(sent('cross-site', 'no-cors', 'style')), 403],
  ['the models as a film', get(sent('cross-site', 'no-cors', 'video')), 403],
  ['the models as an object', get(sent('cross-site', 'navigate', 'object')), 403],
  ['the models in a frame', get(sent('cross-site', 'navigate', 'iframe')), 403],
  ['the models in a new window', get(sent('cross-site', 'navigate', 'document')), 403],
  ['one model in a new window', get(sent('cross-site', 'navigate', 'document'), '/models/Qwen/Qwen3'), 403],
  ['a worker of the models', get(sent('cross-site', 'same-origin', 'worker')), 403],
  ['the head of the models', get(sent('cross-site', 'no-cors', 'empty'), '/v1/models', 'HEAD'), 403],
  ['health, to find out whether we are here', get(sent('cross-site', 'no-cors', 'image'), '/livez'), 403],
  ['health in a frame', get(sent('cross-site', 'navigate', 'iframe'), '/readyz'), 403],
  ['a stream of events', get({ ...crossCors(evil), accept: 'text/event-stream' }), 403],
  ['a web socket', get({ ...sent('cross-site', 'websocket', 'websocket', evil), upgrade: 'websocket' }, '/livez'), 403],
  ['a prefetch', get({ ...sent('cross-site', 'no-cors', 'empty'), 'sec-purpose': 'prefetch' }), 403],
]

const preflights: readonly Row[] = [
  ['of another site', preflight(crossCors(evil)), 403],
  ['of another port', preflight(sent('same-site', 'cors', 'empty', local)), 403],
  ['of a sandboxed page', preflight(crossCors('null')), 403],
  ['for the models', preflight({ ...crossCors(evil), 'access-control-request-method': 'GET' }, '/v1/models'), 403],
  ['for health', preflight(crossCors(evil), '/livez'), 403],
  ['into a private network', preflight({ ...crossCors(evil), 'access-control-request-private-network': 'true' }), 403],
  ['of a rebound page', preflight({ ...crossCors('http://evil.example'), host: 'evil.example' }), 403],
  ['without an Origin', preflight({}), 405],
]

const types: readonly Row[] = [
  'text/plain',
  'text/plain; application/json',
  'text/plain;charset=application/json',
  form,
  multipart,
  'application/json, text/plain',
  'text/plain, application/json',
  'application/jsonx',
  'application/json-seq',
  'text/json',
  '*/*',
  '',
].flatMap((type): readonly Row[] => [
  [`the type ${JSON.stringify(type)}`, post(type, sent('same-origin', 'cors', 'empty', `http://${here}`)), 415],
  [`the type ${JSON.stringify(type)} without an Origin`, post(type, { 'sec-fetch-site': 'same-origin' }), 415],
])

describe.each([
  ['calls', calls],
  ['origins', origins],
  ['hosts', hosts],
  ['readings', gets],
  ['preflights', preflights],
  ['types', types],
] as const)('of a web page, all %s are refused:', (_kind, rows) => {
  let running: Running
  beforeAll(async () => {
    running = await run({ turns })
  })
  afterAll(() => running.gateway.close())
  beforeEach(() => {
    turns.starts.length = 0
  })

  test.each(rows)('%s', async (_what, asked, status) => {
    const reply = await ask(running.port, asked)
    expect(reply.status).toBe(status)
    expect(turns.starts).toEqual([])
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('access-control-'))).toEqual([])
    expect(reply.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    if (asked.method !== 'HEAD') expect(Object.keys(reply.json.error)).toEqual(['message', 'type', 'param', 'code'])
  })
})

describe('what is no attack passes:', () => {
  let running: Running
  beforeAll(async () => {
    running = await run({ turns })
  })
  afterAll(() => running.gateway.close())

  test.each<Row>([
    ['a program', post(json, {}), 200],
    ['Node, which sends a mode and nothing else', post(json, { 'sec-fetch-mode': 'cors' }), 200],
    ['curl -d, which says it is a form', post(form, {}), 200],
    ['a program that says it is text', post('text/plain;charset=UTF-8', {}), 200],
    ['a program that says nothing of it', post('', {}), 200],
    ['a type with a character set', post('application/json; charset=utf-8', {}), 200],
    ['a type in capital letters, without a blank', post('Application/JSON;charset=UTF-8', {}), 200],
    ['a page of our own', post(json, sent('same-origin', 'cors', 'empty', `http://${here}`)), 200],
    ['a page of our own that reads', get(sent('same-origin', 'cors', 'empty')), 200],
    ['a page of our own in an old browser', post(json, { origin: `http://${here}` }), 200],
    ['an address somebody typed', get(sent('none', 'navigate', 'document')), 200],
    ['a link to a page that shows no models', get(sent('cross-site', 'navigate', 'document'), '/livez'), 200],
    ['a type where there is no body', get({ 'content-type': json }), 200],
    ...['localhost', 'LOCALHOST:8484', '127.0.0.1:1', '[::1]', '[::1]:8484'].map((host): Row => {
      return [`the Host ${host}`, get({ host }), 200]
    }),
  ])('%s', async (_what, asked, status) => {
    expect((await ask(running.port, asked)).status).toBe(status)
  })
})

describe('with pages and hosts that are allowed', () => {
  const chosen = 'https://chat.example'
  const lists = { hosts: ['host.docker.internal', '*.lan'], origins: [chosen, local, 'app://obsidian.md'] }
  let running: Running
  let keyed: Running
  beforeAll(async () => {
    running = await run({ turns, allowed: lists })
    keyed = await run({ turns, allowed: lists, keyring: createKeyring(['gate']) })
  })
  afterAll(async () => {
    await running.gateway.close()
    await keyed.gateway.close()
  })

  test.each<Row>([
    ['an allowed page', post(json, crossCors(chosen)), 200],
    ['an allowed page that reads the models', get(crossCors(chosen)), 200],
    ['an allowed page on another port here', post(json, sent('same-site', 'cors', 'empty', local)), 200],
    ['an allowed app', post(json, crossCors('app://obsidian.md')), 200],
    ['an allowed page with a stream', post(json, crossCors(chosen), { ...chat, stream: true }), 200],
    ['an allowed page on a path that is not there', get(crossCors(chosen), '/v1/nothing'), 404],
    ['an allowed page with a wrong type', post('text/plain', crossCors(chosen)), 415],
    ['an allowed page with a wrong method', get(crossCors(chosen), '/v1/models', 'DELETE'), 405],
  ])('%s is answered, and may read the answer', async (_what, asked, status) => {
    const reply = await ask(running.port, asked)
    expect(reply.status).toBe(status)
    expect(reply.headers).toMatchObject({ 'access-control-allow-origin': asked.headers?.['origin'], vary: 'origin' })
    expect(reply.headers['access-control-expose-headers']).toContain('x-request-id')
    expect(reply.headers).not.toHaveProperty('access-control-allow-credentials')
  })

  test.each<Row>([
    ['another page', post(json, crossCors(evil)), 403],
    ['an allowed page by http', post(json, crossCors('http://chat.example')), 403],
    ['an allowed page on another port', post(json, crossCors('https://chat.example:8443')), 403],
    ['a page below an allowed one', post(json, crossCors('https://evil.chat.example')), 403],
    ['an allowed page that loads a picture', get(sent('cross-site', 'no-cors', 'image')), 403],
    ['an allowed page under a host that is not', post(json, { ...crossCors(chosen), host: 'evil.example' }), 403],
  ])('%s is refused all the same', async (_what, asked, status) => {
    const reply = await ask(running.port, asked)
    expect(reply.status).toBe(status)
    expect(reply.headers).not.toHaveProperty('access-control-allow-origin')
  })

  test.each(['host.docker.internal:8484', 'Host.Docker.Internal', 'box.lan', here])(
    'the host %s is answered',
    async (host) => {
      expect((await ask(running.port, { headers: { host } })).status).toBe(200)
    },
  )

  test('a preflight is answered without a key, and the call needs one', async () => {
    const asked = preflight({ ...crossCors(chosen), 'access-control-request-private-network': 'true' })
    const reply = await ask(keyed.port, asked)
    expect(reply.status).toBe(204)
    expect(reply.headers).toMatchObject({
      'access-control-allow-origin': chosen,
      'access-control-allow-headers': 'authorization,content-type,x-stainless-lang',
      'access-control-allow-private-network': 'true',
      vary: 'origin',
    })
    expect(reply.headers['access-control-allow-methods']).toContain('POST')
    const refused = await ask(keyed.port, post(json, crossCors(chosen)))
    expect(refused).toMatchObject({ status: 401, headers: { 'access-control-allow-origin': chosen } })
    const headers = { ...crossCors(chosen), authorization: 'Bearer gate' }
    expect((await ask(keyed.port, post(json, headers))).status).toBe(200)
  })

  test('what a preflight asks for is not repeated when it is no list of headers', async () => {
    const asked = preflight({ ...crossCors(chosen), 'access-control-request-headers': 'a b; c' })
    expect((await ask(running.port, asked)).headers['access-control-allow-headers']).toBe('authorization, content-type')
  })
})

test.each([
  ['evil.example', 'forbidden_host', 'evil.example', 'allowed_hosts'],
  ['ev"il<script>', 'forbidden_host', undefined, 'allowed_hosts'],
])('a refused Host %s says how to allow it', async (host, code, repeated, remedy) => {
  const running = await run({ turns })
  const { json: body, text } = await ask(running.port, { headers: { host } })
  await running.gateway.close()
  expect(body.error.code).toBe(code)
  expect(body.error.message).toContain(`'${remedy}'`)
  if (repeated !== undefined) expect(body.error.message).toContain(repeated)
  expect(text).not.toContain('<script>')
})

test('a refused Origin says how to allow it', async () => {
  const running = await run({ turns })
  const { json: body } = await ask(running.port, { headers: { origin: local } })
  await running.gateway.close()
  expect(body.error).toMatchObject({ code: 'forbidden_origin' })
  expect(body.error.message).toMatch(/"http:\/\/localhost:3000".*'allowed_origins'/)
})

test.each<[string, readonly string[], string, number]>([
  ['any name reaches an open address', [], 'gateway.example:8484', 200],
  ['a name that is listed', ['gateway.example'], 'gateway.example:8484', 200],
  ['a loopback name beside the list', ['gateway.example'], 'localhost:8484', 200],
  ['the address itself beside the list', ['gateway.example'], '0.0.0.0:8484', 200],
  ['a name that is not listed', ['gateway.example'], 'evil.example:8484', 403],
  ['every name', ['*'], 'evil.example:8484', 200],
])('on an open address with keys: %s', async (_what, list, host, status) => {
  const allowed = { hosts: list, origins: [] }
  const running = await run({ turns, host: '0.0.0.0', keyring: createKeyring(['gate']), allowed })
  const reply = await ask(running.port, { headers: { host, authorization: 'Bearer gate' } })
  const page = await ask(running.port, post(json, { ...crossCors(evil), host, authorization: 'Bearer gate' }))
  await running.gateway.close()
  expect(reply.status).toBe(status)
  expect(page.status).toBe(403)
})
