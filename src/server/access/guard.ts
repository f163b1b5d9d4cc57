import type { IncomingMessage } from 'node:http'
import { isLoopback } from '../../config/values/address.ts'
import { matchesHost, matchesOrigin } from '../../config/values/allow-lists.ts'
import { GatewayError } from '../../errors.ts'
import { headersOf, type RequestContext } from '../request-context.ts'

const loopbackNames = ['localhost', '127.0.0.1', '[::1]']

export interface AllowLists {
  /** Names under which the gateway may be called, beside those of the address it listens on. */
  readonly hosts: readonly string[]
  /** Web pages that may call it, beside its own. */
  readonly origins: readonly string[]
}

interface GuardOptions {
  /** The address listened on. */
  readonly host: string
  readonly allowed: AllowLists
}

/** How a request was let in. */
export interface Admission {
  /** The web page that asks, where it is another one's and may read the answer. */
  readonly origin?: string
  /** By a link of another site: only pages may be shown. */
  readonly isLink: boolean
}

const admitted: Admission = { isLink: false }

/**
 * Keeps web pages away: a page that rebinds its name to 127.0.0.1 is known by its Host, one that calls across origins by
 * its Origin or by what its browser says in Sec-Fetch-Site. Refuses what Node lets through and other readers of the same
 * request might understand differently: two Hosts, none, or a whole URL in the request line.
 */
export function createGuard({ host: address, allowed }: GuardOptions): (request: IncomingMessage) => Admission {
  const ours = [...loopbackNames, address.includes(':') ? `[${address}]` : address]
  const local = isLoopback(address)

  function checkHost(host: string): void {
    // A public address needs a key anyway; a configured list is kept everywhere.
    if (!local && allowed.hosts.length === 0) return
    if ([...ours, ...allowed.hosts].some((pattern) => matchesHost(pattern, host))) return
    const remedy = `To allow it, add the name to 'allowed_hosts' in the gateway's config.`
    throw new GatewayError('forbidden_host', `This gateway does not answer to the host ${quote(host)}. ${remedy}`)
  }

  function admitPage(origin: string, host: string, site: string | undefined): Admission {
    if (allowed.origins.some((pattern) => matchesOrigin(pattern, origin))) return { origin, isLink: false }
    const isOwn = /^https?:\/\/(.*)$/i.exec(origin)?.[1]?.toLowerCase() === host.toLowerCase()
    if (isOwn && (site === undefined || site === 'same-origin')) return admitted
    throw foreign(`Requests from web pages at ${quote(origin)} are refused.`)
  }

  return (request) => {
    const host = onlyHost(request.rawHeaders)
    if (host === undefined || !request.url?.startsWith('/')) {
      throw new GatewayError(
        'invalid_request',
        'A request needs exactly one Host header and a path that starts with a slash.',
      )
    }
    checkHost(host)
    const { origin, 'sec-fetch-site': site } = request.headers
    const where = typeof site === 'string' ? site.toLowerCase() : undefined
    if (origin !== undefined) return admitPage(origin, host, where)
    if (where === undefined || where === 'same-origin' || where === 'none') return admitted
    if (isLink(request)) return { isLink: true }
    throw foreign('Requests from other web pages are refused.')
  }
}

/** What a link does: the browser leaves the page it is on, which therefore cannot see what comes. */
function isLink({ method, headers }: IncomingMessage): boolean {
  const isSafe = method === 'GET' || method === 'HEAD'
  return isSafe && headers['sec-fetch-mode'] === 'navigate' && headers['sec-fetch-dest'] === 'document'
}

export function foreign(message: string): GatewayError {
  const remedy = `To allow a web page, add its origin to 'allowed_origins' in the gateway's config.`
  return new GatewayError('forbidden_origin', `${message} ${remedy}`)
}

/** A header in a message, as far as it looks like what it should be. */
function quote(header: string): string {
  return /^[\w.:/[\]+-]{1,200}$/.test(header) ? `"${header}"` : 'in its header'
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

/** The gateways a request has come through, each by an id that it makes up when it starts. */
export const viaHeader = 'x-dragoman-via'

const mostGateways = 8

/** The chain with this gateway in it. Throws for a request that goes round in a circle. */
export function joinChain(given: string | undefined, self: string): string {
  const chain = given?.split(/\s*,\s*/) ?? []
  if (chain.includes(self) || chain.length >= mostGateways) {
    throw new GatewayError(
      'request_loop',
      "This request came back to the gateway that sent it, because an upstream leads to the gateway itself. Give 'upstreams.NAME.url' in the config, or --upstream, the address of a model server.",
    )
  }
  return [...chain, self].join(', ')
}

const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/** Whether a browser asks if it may send what a page wants sent. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Yes, for every path: a page that asks for one that is not there shall be able to read that. */
export function answerPreflight(context: RequestContext): void {
  const { headers } = context.request
  const asked = headers['access-control-request-headers']
  context.response.writeHead(204, {
    ...headersOf(context),
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers':
      asked !== undefined && headerNames.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '600',
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  })
  context.response.end()
}
