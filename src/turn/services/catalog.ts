import { GatewayError } from '../../errors.ts'
import type { Upstream, UpstreamModel } from '../../upstreams/upstream.ts'

const freshForMs = 30_000
const listingTimeoutMs = 10_000

/** One upstream's models as last told. A list that could not be had again stays as it was. */
interface Listing {
  readonly upstream: string
  readonly models: readonly UpstreamModel[]
  /** Why there is no list at all; a stale list has none. */
  readonly failure?: unknown
}

export interface Catalog {
  /** Every upstream's list, in the order of the upstreams. Never rejects because a service is away. */
  listings(signal: AbortSignal): Promise<readonly Listing[]>
}

interface Shelf {
  models: readonly UpstreamModel[] | undefined
  askedAt: number
  asking: Promise<Listing> | undefined
}

/** Which upstream lists which models: asked at most every 30 seconds, once for all who wait. */
export function createCatalog(upstreams: ReadonlyMap<string, Upstream>, now: () => number): Catalog {
  const shelves = new Map<string, Shelf>()

  async function ask(upstream: Upstream, shelf: Shelf): Promise<Listing> {
    try {
      // Not the signal of the client who happened to ask first: others wait for the same answer.
      shelf.models = await upstream.models(AbortSignal.timeout(listingTimeoutMs))
      shelf.askedAt = now()
      return { upstream: upstream.name, models: shelf.models }
    } catch (failure) {
      if (shelf.models === undefined) return { upstream: upstream.name, models: [], failure }
      shelf.askedAt = now()
      return { upstream: upstream.name, models: shelf.models }
    } finally {
      shelf.asking = undefined
    }
  }

  function listing(name: string, upstream: Upstream): Promise<Listing> {
    let shelf = shelves.get(name)
    if (shelf === undefined) {
      shelf = { models: undefined, askedAt: 0, asking: undefined }
      shelves.set(name, shelf)
    }
    if (shelf.models !== undefined && now() - shelf.askedAt < freshForMs) {
      return Promise.resolve({ upstream: name, models: shelf.models })
    }
    shelf.asking ??= ask(upstream, shelf)
    return shelf.asking
  }

  return {
    async listings(signal) {
      const all = Promise.all([...upstreams].map(([name, upstream]) => listing(name, upstream)))
      return await Promise.race([all, aborted(signal)])
    },
  }
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    else signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/**
 * The refusal of a model nobody serves, with the names that are nearest to it. A service that cannot be asked might have it,
 * which is told; why it cannot is its own affair, and no reason to try the same name again.
 */
export function modelNotFound(name: string, known: readonly string[], unasked: readonly string[] = []): GatewayError {
  const near = nearest(name, known)
  const remedy =
    near.length > 0
      ? ` Did you mean ${near.map((other) => `'${other}'`).join(', ')}?`
      : known.length > 0
        ? ' GET /v1/models lists the models served here.'
        : ' No model is served here: configure one under `models`.'
  const message = `The model '${name.slice(0, 200)}' does not exist.${remedy}${unaskedWords(unasked)}`
  return new GatewayError('model_not_found', message, { param: 'model' })
}

function unaskedWords(upstreams: readonly string[]): string {
  if (upstreams.length === 0) return ''
  const names = upstreams.map((upstream) => `'${upstream}'`).join(', ')
  return ` Not searched, because right now there is no list of models from: ${names}.`
}

const maxNear = 3
const maxNameLength = 96

/** Up to three known names that contain the given one, are contained in it, or differ from it in few letters. */
function nearest(name: string, known: readonly string[]): readonly string[] {
  const wanted = name.toLowerCase().slice(0, maxNameLength)
  if (wanted === '') return []
  const near: { other: string; apart: number }[] = []
  for (const other of new Set(known)) {
    const candidate = other.toLowerCase().slice(0, maxNameLength)
    const contained =
      wanted.length > 2 && candidate.length > 2 && (candidate.includes(wanted) || wanted.includes(candidate))
    const apart = contained ? 1 : distance(wanted, candidate)
    if (apart <= Math.max(2, wanted.length / 3)) near.push({ other, apart })
  }
  return near
    .sort((a, b) => a.apart - b.apart)
    .slice(0, maxNear)
    .map(({ other }) => other)
}

/** Levenshtein's distance, one row at a time. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
