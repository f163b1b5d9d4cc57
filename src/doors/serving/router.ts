import { GatewayError } from '../../errors.ts'
import { nearest } from '../../protocol/text/nearest.ts'
import type { Door, Route, SocketProtocol } from '../door.ts'

/** A page of the server's own, which needs no key. */
interface PageRoute {
  readonly method: 'GET' | 'POST' | 'DELETE'
  readonly path: string
}

/** What is served at a path: a route of a door, or an own one. */
type Served<Own extends PageRoute> =
  | { readonly door: Door; readonly route: Route }
  | { readonly door?: undefined; readonly route: Own }

interface Match<Own extends PageRoute> {
  readonly served: Served<Own>
  /** What follows the path, where that is the beginning of paths. */
  readonly rest: string
}

/** There is something at this path, but not for this method. */
interface Refusal {
  readonly allow: string
}

/**
 * Everything that is served at a path, in order. The server's own pages are for whom no door wants. `all` are the doors there
 * are, open or not: the first says what is wrong at a path of none.
 */
export function createRouter<Own extends PageRoute>(
  doors: readonly Door[],
  own: readonly Own[],
  [fallback, ...others]: readonly [Door, ...Door[]],
) {
  const all: readonly Served<Own>[] = [
    ...doors.flatMap((door) => door.routes.map((route) => ({ door, route }))),
    ...own.map((route) => ({ route })),
  ]
  const paths = all.flatMap((served) => spellings(served).map((path) => ({ path, served })))
  const exact = new Map<string, readonly Match<Own>[]>()
  for (const { path, served } of paths) exact.set(path, [...(exact.get(path) ?? []), { served, rest: '' }])
  const prefixes = paths.filter(({ path }) => path.length > 1 && path.endsWith('/'))

  function candidates(path: string): readonly Match<Own>[] {
    const found = exact.get(path)
    if (found !== undefined && (path === '/' || !path.endsWith('/'))) return found
    return prefixes.flatMap((prefix) => {
      const rest = path.startsWith(prefix.path) ? decoded(path.slice(prefix.path.length)) : ''
      return rest === '' ? [] : [{ served: prefix.served, rest }]
    })
  }

  return {
    /** Throws where nothing is served at the path. `wants` says whether a route of a shared path is the one. */
    find(method: string, path: string, wants: (route: Route, rest: string) => boolean): Match<Own> | Refusal {
      const found = candidates(path).filter(({ served, rest }) => {
        return served.door === undefined || served.route.wants === undefined || wants(served.route, rest)
      })
      if (found.length === 0) {
        const closed = [fallback, ...others].find((door) => !doors.includes(door) && door.owns(path))
        if (closed !== undefined) {
          const remedy = `To use it, add '${closed.name}' to 'doors' in the gateway's config.`
          throw new GatewayError('not_found', `This API is turned off. ${remedy}`)
        }
        const meant = nearestRoute(path, method, all)
        const remedy = meant === undefined ? 'GET /openapi.json lists all there is.' : `Did you mean ${meant}?`
        throw new GatewayError('not_found', `Nothing is served at this path. ${remedy}`)
      }
      const wanted = method === 'HEAD' ? 'GET' : method
      const fitting = found.filter(({ served }) => served.route.method === wanted)
      // Who wants some clients only comes before who takes all.
      const match =
        fitting.find(({ served }) => served.door !== undefined && served.route.wants !== undefined) ?? fitting[0]
      if (match !== undefined) return match
      const methods = new Set(found.map(({ served }) => served.route.method))
      return { allow: [...methods].map((one) => (one === 'GET' ? 'GET, HEAD' : one)).join(', ') }
    },

    /** What travels on a WebSocket to this path, where that is served. */
    socketAt(
      path: string,
      wants: (route: Route) => boolean,
    ): { readonly door: Door; readonly protocol: SocketProtocol } | undefined {
      for (const { served } of candidates(path)) {
        if (served.door === undefined || !('socket' in served.route) || !wants(served.route)) continue
        if (served.route.socket !== undefined) return { door: served.door, protocol: served.route.socket }
      }
      return undefined
    },

    /** The door that says what is wrong at a path. Routes for some clients only do not count. */
    doorAt(given: string): Door {
      // A whole URL is refused, in the words of the door it meant.
      const path = given.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/]*/i, '')
      const [match] = candidates(path).filter(
        ({ served }) => served.door !== undefined && served.route.wants === undefined,
      )
      return match?.served.door ?? doors.find((one) => one.owns(path)) ?? fallback
    },
  }
}

/** The route a client most likely meant: one its path ends with or begins, one of the same last word, or one spelt much like it. */
function nearestRoute(path: string, method: string, all: readonly Served<PageRoute>[]): string | undefined {
  const given = path.toLowerCase().replace(/\/{2,}/g, '/')
  const lastWord = (of: string): string => of.slice(of.lastIndexOf('/'))
  const tests: readonly ((spelling: string) => boolean)[] = [
    (spelling) => given.endsWith(spelling),
    (spelling) => spelling.startsWith(`${given}/`),
    (spelling) => lastWord(spelling) === lastWord(given),
  ]
  const named = all.filter(({ route }) => !route.path.endsWith('/') && lastWord(route.path) !== '/v1')
  // Of a path for several methods, the one that was used.
  const known = named.toSorted((a, b) => Number(b.route.method === method) - Number(a.route.method === method))
  const spelt = nearest(given, known.flatMap(spellings))
  const meant =
    tests.map((isMeant) => known.find((one) => spellings(one).some(isMeant))).find((one) => one !== undefined) ??
    known.find((one) => spelt !== undefined && spellings(one).includes(spelt))
  return meant && `${meant.route.method} ${meant.route.path}`
}

function spellings({ route: { path } }: Served<PageRoute>): readonly string[] {
  return path.startsWith('/v1/') ? [path, path.slice(3)] : [path]
}

function decoded(rest: string): string {
  try {
    return decodeURIComponent(rest)
  } catch {
    // What cannot be decoded names nothing.
    return ''
  }
}
