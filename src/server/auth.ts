import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { GatewayError } from '../errors.ts'

/** The keys clients may come with. Only their digests are kept. */
export interface Keyring {
  /** No keys are asked for. */
  readonly open: boolean
  accepts(key: string): boolean
  /** Whether a key is, or has been, one of this gateway's: such a key is nobody else's business. */
  isOurs(key: string): boolean
}

const digest = (key: string): Buffer => createHash('sha256').update(key).digest()

/** `former` are keys that are not accepted any more, which clients may still present. */
export function createKeyring(keys: readonly string[], former: readonly string[] = []): Keyring {
  const digests = keys.map(digest)
  const all = [...digests, ...former.map(digest)]
  return {
    open: digests.length === 0,
    accepts: (key) => holds(digests, key),
    isOurs: (key) => holds(all, key),
  }
}

function holds(digests: readonly Buffer[], key: string): boolean {
  const given = digest(key)
  // Every digest is compared, so that the time taken does not say which one matched.
  return digests.reduce((found, each) => timingSafeEqual(each, given) || found, false)
}

const bearer = /^bearer +(\S+) *$/i

/** The one place a client's key is read from, whichever header carries it. */
function readKey(headers: IncomingHttpHeaders): string | undefined {
  const { authorization } = headers
  if (authorization !== undefined) return bearer.exec(authorization)?.[1]
  return textOf(headers['x-api-key'] ?? headers['api-key'])
}

function textOf(header: string | string[] | undefined): string | undefined {
  return typeof header === 'string' && header !== '' ? header : undefined
}

/**
 * Throws when a key is needed and the client has none that fits. Gives back the key that may go on to upstreams which
 * take the client's own: the one in `x-dragoman-upstream-key`, else the one it came with, unless that is this gateway's.
 */
export function authenticate(headers: IncomingHttpHeaders, keyring: Keyring): string | undefined {
  const key = readKey(headers)
  if (keyring.open)
    return readUpstreamKey(headers, keyring) ?? (key !== undefined && keyring.isOurs(key) ? undefined : key)
  if (key === undefined) {
    const remedy = "Send it in an Authorization header as 'Bearer YOUR_KEY', or in 'x-api-key' or 'api-key'."
    throw new GatewayError('invalid_api_key', `You didn't provide an API key. ${remedy}`)
  }
  if (!keyring.accepts(key)) {
    throw new GatewayError(
      'invalid_api_key',
      "Incorrect API key provided. The gateway's config lists its keys under 'keys'.",
    )
  }
  return readUpstreamKey(headers, keyring)
}

const upstreamHeader = 'x-dragoman-upstream-key'

/** A key of the gateway that is sent on by mistake opens it to whoever runs the service. */
function readUpstreamKey(headers: IncomingHttpHeaders, keyring: Keyring): string | undefined {
  const given = textOf(headers[upstreamHeader])
  if (given === undefined) return undefined
  if (given.split(/[\s,;"']+/).some((part) => keyring.isOurs(part))) {
    const message = `The header '${upstreamHeader}' holds a key of this gateway. Put the key of the model service there.`
    throw new GatewayError('invalid_value', message, { param: upstreamHeader })
  }
  return bearer.exec(given)?.[1] ?? given
}

/** Who comes, as far as a key tells: the same for the same key, and nothing to learn the key from. */
export function identify(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers)
  return key === undefined ? undefined : digest(key).toString('base64url')
}
