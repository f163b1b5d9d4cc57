import type { IncomingMessage } from 'node:http'
import { headersOf, type Visit } from '../visit.ts'

const headerNames = /^[\w!#$%&'*+.^`|~-]+(?:\s*,\s*[\w!#$%&'*+.^`|~-]+)*$/

/** Whether a browser asks if it may send what a page wants sent. */
export function isPreflight({ method, headers }: IncomingMessage): boolean {
  return method === 'OPTIONS' && headers['access-control-request-method'] !== undefined
}

/** Yes, for every path: a page that asks for one that is not there shall be able to read that. */
export function answerPreflight(visit: Visit): void {
  const { headers } = visit.request
  const asked = headers['access-control-request-headers']
  visit.response.writeHead(204, {
    ...headersOf(visit),
    'access-control-allow-methods': 'GET, HEAD, POST, DELETE',
    'access-control-allow-headers':
      asked !== undefined && headerNames.test(asked) ? asked : 'authorization, content-type',
    'access-control-max-age': '600',
    ...(headers['access-control-request-private-network'] === 'true' && {
      'access-control-allow-private-network': 'true',
    }),
  })
  visit.response.end()
}
