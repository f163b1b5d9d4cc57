import { createHash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { hashKey, type KeySettings } from '../../config/keys.ts'
import { GatewayError } from '../../errors.ts'

/** The keys clients may come with. Only their digests are kept. */
export interface Keyring {
  /** No keys are asked for. */
  readonly open: boolean
  /** What is known of a key; undefined for one that opens nothing. */
  find(key: string): KeySettings | undefined
  /** Whether a key is, or has been, one of this gateway's: it must not be sent on. */
  isOurs(key: string): boolean
}

const digest = (key: string): Buffer => createHash('sha256').update(key).digest()

/** A key of the configuration, or one in the clear that may do everything. */
type GivenKey = string | KeySettings

/** `former` are keys that are not accepted any more, which clients may still present. */
export function createKeyring(
  keys: readonly GivenKey[],
  former: readonly (string | { hash: string })[] = [],
  /** Finds keys that were made while the gateway runs, by their SHA-256 in hexadecimal. */
  findMade: (hash: string) => KeySettings | undefined = () => undefined,
): Keyring {
  const named = keys.map(
    (key, index): KeySettings => (typeof key === 'string' ? { name: `key-${index + 1}`, hash: hashKey(key) } : key),
  )
  const known = new Map(named.toReversed().map((key) => [key.hash, key]))
  const others = new Set(former.map((key) => (typeof key === 'string' ? hashKey(key) : key.hash)))

  /** Looked up by digest: how long that takes says nothing of a key, as its digest cannot be approached step by step. */
  function find(key: string): KeySettings | undefined {
    const hash = hashKey(key)
    return known.get(hash) ?? findMade(hash)
  }

  return { open: known.size === 0, find, isOurs: (key) => find(key) !== undefined || others.has(hashKey(key)) }
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

/** Who came, and with what. */
interface Identity {
  /** The key of this gateway they hold; undefined where none is asked for. */
  readonly key?: KeySettings
  /**
   * The key that may go on to upstreams which take the client's own: the one in `x-dragoman-upstream-key`, else the one it
   * came with, unless that is this gateway's.
   */
  readonly clientKey: string | undefined
}

/** Throws when a key is needed and the client has none that fits. */
export function authenticate(headers: IncomingHttpHeaders, keyring: Keyring, now: () => number): Identity {
  const given = readKey(headers)
  if (keyring.open) {
    const own = given !== undefined && keyring.isOurs(given) ? undefined : given
    return { clientKey: readUpstreamKey(headers, keyring) ?? own }
  }
  if (given === undefined) {
    const remedy = "Send it in an Authorization header as 'Bearer YOUR_KEY', or in 'x-api-key' or 'api-key'."
    throw new GatewayError('invalid_api_key', `You didn't provide an API key. ${remedy}`)
  }
  const key = keyring.find(given)
  if (key === undefined) {
    throw new GatewayError(
      'invalid_api_key',
      "Incorrect API key provided. The gateway's config lists its keys under 'keys'.",
    )
  }
  if (key.expiresAt !== undefined && now() >= key.expiresAt) {
    const when = new Date(key.expiresAt).toISOString()
    throw new GatewayError(
      'invalid_api_key',
      `This API key expired at ${when}. Ask whoever runs the gateway for a new one.`,
    )
  }
  return { key, clientKey: readUpstreamKey(headers, keyring) }
}

const upstreamHeader = 'x-dragoman-upstream-key'

/** A key of the gateway that is sent on by mistake would open it to the service. */
function readUpstreamKey(headers: IncomingHttpHeaders, keyring: Keyring): string | undefined {
  const given = textOf(headers[upstreamHeader])
  if (given === undefined) return undefined
  if (given.split(/[\s,;"']+/).some((part) => keyring.isOurs(part))) {
    const message = `The header '${upstreamHeader}' holds a key of this gateway. Put the key of the model service there.`
    throw new GatewayError('invalid_value', message, { param: upstreamHeader })
  }
  return bearer.exec(given)?.[1] ?? given
}

/** Whatever a client may have sent as a key, to be kept out of what others see. */
export function keysIn(headers: IncomingHttpHeaders): readonly string[] {
  const given = [readKey(headers), headers['x-api-key'], headers['api-key'], headers[upstreamHeader]]
  return given.flatMap((key) => (typeof key === 'string' ? (bearer.exec(key)?.[1] ?? key) : []))
}

/** Who comes, as far as a key tells: the same for the same key, and nothing to learn the key from. */
export function identify(headers: IncomingHttpHeaders): string | undefined {
  const key = readKey(headers)
  return key === undefined ? undefined : digest(key).toString('base64url')
}
