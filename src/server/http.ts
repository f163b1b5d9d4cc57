import { GatewayError } from '../errors.ts'
import type { Visit } from './visit.ts'

interface Route {
  readonly method: 'GET' | 'POST'
  /** A path, or the beginning of one when it ends in a slash: the rest is handed to `run`. */
  readonly path: string
  /** Whether it needs a client key, where keys are configured. */
  readonly keyed: boolean
  readonly run: (visit: Visit, rest: string) => Promise<void> | void
}

interface Match {
  readonly route: Route
  readonly rest: string
}

/** There is something at this path, but not for this method. */
interface Refusal {
  readonly allow: string
}

/** Keyed routes are served with `/v1` before them and without: a forgotten `/v1` is the commonest mistake in a base URL. */
export function createRouter(routes: readonly Route[]): (method: string, path: string) => Match | Refusal {
  const all = routes.flatMap((route) => (route.keyed ? [route, { ...route, path: `/v1${route.path}` }] : [route]))
  const exact = Map.groupBy(all, (route) => route.path)
  const prefixes = all.filter(({ path }) => path.length > 1 && path.endsWith('/'))

  function candidates(path: string): readonly Match[] {
    const found = exact.get(path)
    if (found !== undefined && (path === '/' || !path.endsWith('/'))) return found.map((route) => ({ route, rest: '' }))
    return prefixes.flatMap((route) => {
      const rest = path.startsWith(route.path) ? decoded(path.slice(route.path.length)) : ''
      return rest === '' ? [] : [{ route, rest }]
    })
  }

  return (method, path) => {
    const found = candidates(path)
    if (found.length === 0) {
      const served = [...new Set(routes.map((route) => `${route.method} ${route.keyed ? '/v1' : ''}${route.path}`))]
      throw new GatewayError('not_found', `Nothing is served at this path. You can use ${served.join(', ')}.`)
    }
    const wanted = method === 'HEAD' ? 'GET' : method
    const match = found.find(({ route }) => route.method === wanted)
    if (match !== undefined) return match
    return { allow: found.map(({ route }) => (route.method === 'GET' ? 'GET, HEAD' : route.method)).join(', ') }
  }
}

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    // What cannot be decoded names nothing.
    return ''
  }
}
