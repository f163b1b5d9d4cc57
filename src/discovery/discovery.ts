import { type Clock, systemClock } from '../clock.ts'
import { type Found, lookAtOneOf, type Sight } from './look.ts'
import { type Named, nameAll } from './names.ts'
import type { Place } from './places.ts'

export interface Discovery {
  /** The servers there are, as of the last look. */
  readonly servers: readonly Named[]
  /** Those that would be used if they did not want a key. */
  readonly locked: readonly { readonly url: string; readonly title?: string }[]
  /** Looks everywhere, now. */
  look(): Promise<void>
  /** Looks again every few seconds from now on. */
  watch(): void
  close(): void
}

interface DiscoveryOptions {
  /** Each a list of places where the same server may be. */
  readonly places: () => readonly (readonly Place[])[]
  /** Called when a server came or went for good. What it throws leaves things as they were, to be tried again. */
  readonly onChange: (servers: readonly Named[], change: Change) => void
  /** Whether a server that is in use answers, so that it need not be asked again. */
  readonly isUp: (name: string) => boolean
  readonly clock?: Clock
  readonly lookAt?: (places: readonly Place[]) => Promise<Sight>
}

export interface Change {
  readonly came: readonly Named[]
  readonly went: readonly Named[]
}

const lookEveryMs = 3_000
/** A server that restarts, or loads a large model, is back within this. */
export const goneAfterMs = 60_000
/** Other programs should not find us in their log for ever. */
const longestWaitMs = 300_000

interface Watched {
  /** The server here, for as long as it is not given up. */
  found: Found | undefined
  missingSince: number | undefined
  waitMs: number
  dueAt: number
  locked: { readonly url: string; readonly title?: string } | undefined
}

/** Finds model servers on this machine, and keeps looking. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { clock = systemClock, onChange, isUp, lookAt = lookAtOneOf } = options
  const watched = new Map<string, Watched>()
  let servers: readonly Named[] = []
  let cancel: (() => void) | undefined
  let closed = false
  let watching = false

  function stateOf(places: readonly Place[]): Watched {
    const key = places[0]?.url ?? ''
    const state = watched.get(key) ?? {
      found: undefined,
      missingSince: undefined,
      waitMs: lookEveryMs,
      dueAt: Number.NEGATIVE_INFINITY,
      locked: undefined,
    }
    watched.set(key, state)
    return state
  }

  async function see(places: readonly Place[]): Promise<void> {
    const state = stateOf(places)
    const { found } = state
    const known = servers.find(({ url }) => url === found?.url)
    if (known !== undefined && isUp(known.name)) {
      state.missingSince = undefined
      return
    }
    if (clock.now() < state.dueAt) return
    const sight = await lookAt(places)
    state.locked = sight.kind === 'locked' ? { url: sight.url, ...(sight.title && { title: sight.title }) } : undefined
    const isStrange = sight.kind === 'other' || sight.kind === 'locked' || sight.kind === 'gateway'
    const isSlow = sight.kind === 'slow'
    state.waitMs = isStrange || isSlow ? Math.min(state.waitMs * 2, isSlow ? 30_000 : longestWaitMs) : lookEveryMs
    state.dueAt = state.waitMs === lookEveryMs ? Number.NEGATIVE_INFINITY : clock.now() + state.waitMs
    if (sight.kind === 'found') {
      const { kind: _, ...server } = sight
      state.found = server
      state.missingSince = undefined
    } else if (state.found !== undefined) {
      state.missingSince ??= clock.now()
      if (clock.now() - state.missingSince >= goneAfterMs) state.found = undefined
    }
  }

  async function look(): Promise<void> {
    const places = options.places()
    await Promise.all(places.map(see))
    const current = places.flatMap((place) => stateOf(place).found ?? [])
    const named = nameAll(current, new Map(servers.map(({ url, name }) => [url, name])))
    const came = named.filter(({ url }) => !servers.some((server) => server.url === url))
    const went = servers.filter(({ url }) => !named.some((server) => server.url === url))
    const before = servers
    servers = named
    if (!watching || (came.length === 0 && went.length === 0)) return
    try {
      onChange(named, { came, went })
    } catch {
      // It was reported where it was thrown.
      servers = before
    }
  }

  function goOn(): void {
    cancel?.()
    if (closed) return
    cancel = clock.after(lookEveryMs, () => void look().finally(goOn))
  }

  return {
    get servers() {
      return servers
    },
    get locked() {
      return [...watched.values()].flatMap(({ locked }) => locked ?? [])
    },
    look,
    watch() {
      watching = true
      goOn()
    },
    close() {
      closed = true
      cancel?.()
    },
  }
}
