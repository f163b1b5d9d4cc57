import { GatewayError } from '../../errors.ts'
import type { About, Upstream } from '../../upstreams/upstream.ts'
import type { ModelCard, ServiceCard } from '../turn.ts'
import type { Listing } from './catalog.ts'

type Finding = Pick<ServiceCard, 'state' | 'reason' | 'remedy'>

export function toServiceCard(upstream: Upstream, listing: Listing, models: readonly ModelCard[]): ServiceCard {
  const { address, product, embedded, ...about } = upstream.about?.() ?? {}
  return {
    name: upstream.name,
    ...(address !== undefined && { address }),
    ...(product !== undefined && { product }),
    ...(embedded !== undefined && { embedded }),
    ...judge(listing, about, models.length > 0),
    models,
  }
}

function judge(listing: Listing, { key, unlisted = false }: About, hasModels: boolean): Finding {
  if (listing.trouble !== undefined) return findingFor(listing.trouble, key, hasModels)
  if (listing.pending === true) return { state: 'unknown', reason: 'It has not answered yet.' }
  if (unlisted) {
    return hasModels
      ? { state: 'unknown', reason: 'Whether it works shows with the first request.' }
      : { state: 'down', reason: 'It has no list of models.', remedy: 'Name the ones you want under `models`.' }
  }
  if (hasModels) return { state: 'up' }
  return {
    state: 'down',
    reason: 'It answers, but it lists no models.',
    remedy: 'Load a model there, or name one under `models`.',
  }
}

function findingFor(thrown: unknown, key: About['key'], hasModels: boolean): Finding {
  if (!(thrown instanceof GatewayError)) return { state: 'down', reason: 'Asking it for its models failed.' }
  switch (thrown.code) {
    case 'upstream_unreachable':
      return { state: 'down', ...whyUnreachable(thrown.cause) }
    case 'upstream_timeout':
      return { state: 'down', reason: 'It takes too long to answer.', remedy: 'Check that it is running well.' }
    case 'upstream_auth':
    case 'upstream_forbidden':
      return whyRefused(key)
    case 'upstream_malformed':
      return {
        state: 'down',
        reason: 'Something answers there, but it is not an OpenAI-compatible API.',
        remedy: 'Check the URL. It usually ends in /v1.',
      }
    case 'upstream_overloaded':
      return { state: 'down', reason: 'It is busy or still loading its model.', remedy: 'Give it a moment.' }
    case 'rate_limit_exceeded':
    case 'insufficient_quota':
      return { state: 'unknown', reason: 'It is limiting requests right now.' }
    default:
      return hasModels
        ? { state: 'unknown', reason: 'It does not tell which models it has.', remedy: 'If it fails, check its URL.' }
        : {
            state: 'down',
            reason: 'It has no list of models where one should be.',
            remedy: 'Check the URL (it usually ends in /v1), or name its models under `models`.',
          }
  }
}

function whyRefused(key: About['key']): Finding {
  if (key === 'client') return { state: 'unknown', reason: "It answers only to a client's own API key." }
  return key === 'own'
    ? { state: 'down', reason: 'It refuses the API key.', remedy: 'Check the `key` you set for it.' }
    : { state: 'down', reason: 'It wants an API key.', remedy: 'Set `key` for it, for example to env:MY_KEY.' }
}

const startIt = 'Start the model server, or correct its URL.'

/** What the connection ran into, by the code of the error. */
const obstacles: Readonly<Record<string, Pick<Finding, 'reason' | 'remedy'>>> = {
  ECONNREFUSED: { reason: 'Nothing is listening there (connection refused).', remedy: startIt },
  ENOTFOUND: { reason: 'Its host name cannot be found.', remedy: 'Check the URL for a typing mistake.' },
  EAI_AGAIN: { reason: 'Its host name cannot be looked up.', remedy: 'Check the URL and your network.' },
  ETIMEDOUT: { reason: 'Nothing answers there.', remedy: startIt },
  CONNECT_TIMEOUT: { reason: 'Nothing answers there.', remedy: startIt },
  EHOSTUNREACH: { reason: 'There is no way to that machine.', remedy: 'Check the URL and your network.' },
  ENETUNREACH: { reason: 'There is no way to that network.', remedy: 'Check the URL and your network.' },
  ECONNRESET: { reason: 'It hangs up without an answer.', remedy: 'Check the URL, and http against https.' },
  CONNECTION_CLOSED: { reason: 'It hangs up without an answer.', remedy: 'Check the URL, and http against https.' },
  ERR_SSL_WRONG_VERSION_NUMBER: { reason: 'It does not speak https.', remedy: 'Write http:// in its URL.' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { reason: 'It does not speak https.', remedy: 'Write http:// in its URL.' },
}

const certificate = /CERT|SELF_SIGNED|UNABLE_TO_VERIFY/

function whyUnreachable(cause: unknown): Pick<Finding, 'reason' | 'remedy'> {
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : ''
  if (certificate.test(code)) {
    return {
      reason: 'Its certificate is not trusted on this machine.',
      remedy: 'Trust it with the variable NODE_EXTRA_CA_CERTS, or use http://.',
    }
  }
  return Object.hasOwn(obstacles, code)
    ? { ...obstacles[code] }
    : { reason: `It cannot be reached${code === '' ? '' : ` (${code})`}.`, remedy: startIt }
}

/** `down` when every service is, `degraded` when some are. */
export function overallState(services: readonly ServiceCard[]): 'ready' | 'degraded' | 'down' {
  const down = services.filter(({ state }) => state === 'down').length
  if (down === 0) return 'ready'
  return down === services.length ? 'down' : 'degraded'
}
