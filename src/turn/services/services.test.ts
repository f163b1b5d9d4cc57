import { expect, test } from 'vitest'
import { type FailureCode, GatewayError } from '../../errors.ts'
import type { About, Upstream } from '../../upstreams/upstream.ts'
import type { ServiceCard } from '../turn.ts'
import { overallState, toServiceCard } from './services.ts'

function service(about: About): Upstream {
  return {
    name: 'local',
    kind: 'scripted',
    about: () => about,
    async *chat() {
      yield []
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'unknown' }),
    close: async () => undefined,
  }
}

const model = { id: 'a', ownedBy: 'local', tools: 'auto' } as const
const failed = (code: FailureCode, systemCode?: string) =>
  new GatewayError(code, 'local: words', { cause: Object.assign(new Error('words'), { code: systemCode }) })
const refused = failed('upstream_unreachable', 'ECONNREFUSED')

test.each<[string, object, About, boolean, string, RegExp]>([
  ['lists models', {}, {}, true, 'up', /^$/],
  ['lists none', {}, {}, false, 'down', /lists no models.*Load a model/],
  ['has not answered', { pending: true }, {}, false, 'unknown', /not answered yet/],
  ['has no list, and models are named', {}, { unlisted: true }, true, 'unknown', /first request/],
  ['has no list, and no model is named', {}, { unlisted: true }, false, 'down', /Name the ones you want/],
  ['is not there', { trouble: refused }, {}, false, 'down', /connection refused.*Start the model server/],
  ['is not there, and models are named', { trouble: refused }, {}, true, 'down', /connection refused/],
  ['has no such host', { trouble: failed('upstream_unreachable', 'ENOTFOUND') }, {}, true, 'down', /host name.*typing/],
  [
    'is http',
    { trouble: failed('upstream_unreachable', 'ERR_SSL_WRONG_VERSION_NUMBER') },
    {},
    true,
    'down',
    /http:\/\//,
  ],
  [
    'is not trusted',
    { trouble: failed('upstream_unreachable', 'SELF_SIGNED_CERT_IN_CHAIN') },
    {},
    true,
    'down',
    /NODE_EXTRA_CA/,
  ],
  ['fails oddly', { trouble: failed('upstream_unreachable', 'EODD') }, {}, true, 'down', /cannot be reached \(EODD\)/],
  ['is slow', { trouble: failed('upstream_timeout') }, {}, true, 'down', /too long/],
  ['is a web page', { trouble: failed('upstream_malformed') }, {}, false, 'down', /not an OpenAI-compatible.*\/v1/],
  [
    'has a wrong key',
    { trouble: failed('upstream_auth') },
    { key: 'own' },
    false,
    'down',
    /refuses the API key.*`key`/,
  ],
  ['wants a key', { trouble: failed('upstream_auth') }, {}, false, 'down', /wants an API key.*Set `key`/],
  ["wants the client's key", { trouble: failed('upstream_auth') }, { key: 'client' }, true, 'unknown', /client's own/],
  ['is loading', { trouble: failed('upstream_overloaded') }, {}, false, 'down', /loading/],
  ['has no such path', { trouble: failed('upstream_error') }, {}, false, 'down', /ends in \/v1/],
  [
    'has no such path, and models are named',
    { trouble: failed('upstream_error') },
    {},
    true,
    'unknown',
    /does not tell/,
  ],
  ['broke in a way of ours', { trouble: new TypeError('x') }, {}, true, 'down', /failed/],
])('a service that %s', (_, listing, about, hasModels, state, words) => {
  const card = toServiceCard(service(about), { upstream: 'local', models: [], ...listing }, hasModels ? [model] : [])
  expect(card.state).toBe(state)
  expect(`${card.reason ?? ''} ${card.remedy ?? ''}`.trim()).toMatch(words)
  if (state === 'down' && !('trouble' in listing && listing.trouble instanceof TypeError))
    expect(card.remedy).toBeDefined()
})

const state = (...states: readonly ServiceCard['state'][]) =>
  overallState(states.map((each, index) => ({ name: `${index}`, state: each, models: [] })))

test('with no service down it is ready, with some degraded, with all down', () => {
  expect([state('up', 'unknown'), state('up', 'down'), state('unknown', 'down'), state('down', 'down')]).toEqual([
    'ready',
    'degraded',
    'degraded',
    'down',
  ])
})
