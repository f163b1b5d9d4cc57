import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../config/address.ts'
import { GatewayError } from '../errors.ts'

const loopbackAuthority = /^(localhost|127\.0\.0\.1|\[::1\])(:\d{1,5})?$/i
const webOrigin = /^https?:\/\/([^/]+)$/i

interface GuardOptions {
  /** The address listened on. */
  readonly host: string
  /** Names beside the loopback ones under which a loopback gateway may be called, as behind a reverse proxy. */
  readonly allowedHosts: readonly string[]
}

/**
 * Keeps web pages away: a page that rebinds its name to 127.0.0.1 is known by its Host, one that calls across origins by
 * its Origin. Refuses what Node lets through and other readers of the same request might understand differently:
 * two Hosts, none, or a whole URL in the request line.
 */
export function createGuard(options: GuardOptions): (request: IncomingMessage) => void {
  const named = new Set(options.allowedHosts.map((host) => host.toLowerCase()))
  const local = isLoopback(options.host)
  const withoutPort = (authority: string): string => authority.toLowerCase().replace(/:\d{1,5}$/, '')
  const isOurs = (authority: string): boolean =>
    loopbackAuthority.test(authority) || withoutPort(authority) === options.host || named.has(withoutPort(authority))

  return (request) => {
    const host = onlyHost(request.rawHeaders)
    if (host === undefined || !request.url?.startsWith('/')) {
      throw new GatewayError(
        'invalid_request',
        'A request needs exactly one Host header and a path that starts with a slash.',
      )
    }
    if (local && !isOurs(host)) {
      const remedy = 'This gateway listens on loopback and answers to localhost, 127.0.0.1 and [::1] only.'
      throw new GatewayError('forbidden_host', `The Host of this request is not one of ours. ${remedy}`)
    }
    const { origin } = request.headers
    if (origin === undefined) return
    const from = webOrigin.exec(origin)?.[1]
    if (from === undefined || !(loopbackAuthority.test(from) || from.toLowerCase() === host.toLowerCase())) {
      throw new GatewayError('forbidden_host', 'Requests from web pages of other origins are refused.')
    }
  }
}

function onlyHost(rawHeaders: readonly string[]): string | undefined {
  let host: string | undefined
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index]
    if (name?.length !== 4 || name.toLowerCase() !== 'host') continue
    if (host !== undefined) return undefined
    host = rawHeaders[index + 1]
  }
  return host === '' ? undefined : host
}
