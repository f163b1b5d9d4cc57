import { GatewayError } from '../errors.ts'

/** How the connections to a service are made. */
export interface ConnectionSettings {
  /** The proxy to go through, with its credentials where it wants some. */
  readonly proxy?: string | undefined
  /** Certificates to trust beside those Node trusts, in PEM. */
  readonly ca?: string | undefined
}

const header =
  'Send yours in the header x-dragoman-upstream-key. If the gateway itself asks for no key, the usual Authorization header will do.'

/** The key a service is asked with: its own, or the client's where it is set to `passthrough`. */
export function keyFor(key: string | undefined, clientKey: string | undefined): string | undefined {
  return key === 'passthrough' ? clientKey : key
}

/** The refusal of a request for which there is no key, with the place where one belongs. */
export function noKey(upstream: string, key: string | undefined): GatewayError {
  const message =
    key === 'passthrough'
      ? `${upstream}: this model server needs your own API key, and the request has none. ${header}`
      : `${upstream}: no API key is set. Add 'key' to this upstream in the config file, best as env:NAME.`
  return new GatewayError('upstream_auth', message)
}

/** A refusal, with the header to use where the request had no key to send on. */
export function withKeyRemedy(failure: GatewayError, key: string | undefined, sent: string | undefined): GatewayError {
  if (failure.code !== 'upstream_auth' || key !== 'passthrough' || sent) return failure
  return new GatewayError(failure.code, `${failure.message} The request came without an API key for it. ${header}`)
}

/** Whether a host is this machine or one on its own network, by its name alone. */
export function isNearby(hostname: string): boolean {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  if (host.includes(':')) return host === '::1' || /^f[cd]|^fe80:/.test(host)
  if (/^\d+(?:\.\d+){3}$/.test(host)) {
    return /^(?:127|10)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^169\.254\./.test(host)
  }
  return !host.includes('.') || /\.(?:local|internal|lan|localhost)$/.test(host)
}
