import { GatewayError } from '../../errors.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import { editDistance } from '../../protocol/text/nearest.ts'
import type { Upstream, UpstreamModel } from '../../upstreams/upstream.ts'

const freshForMs = 30_000
const retryAfterMs = 5_000
const listingTimeoutMs = 10_000

/** One upstream's models as last told. A list that could not be had again stays as it was. */
export interface Listing {
  readonly upstream: string
  readonly models: readonly UpstreamModel[]
  /** Why there is no list at all; a stale list has none. */
  readonly failure?: unknown
  /** Why it could not be asked the last time, whether there is an older list or not. */
  readonly trouble?: unknown
  /** It did not answer within the patience. */
  readonly pending?: boolean
}

interface Asking {
  /** `due`: only upstreams that are due for a check. Default: those without a fresh list. */
  readonly whom?: 'due'
  /** Until when answers are waited for; those that are late are told as pending. */
  readonly patience?: AbortSignal
}

export interface Catalog {
  /** Every upstream's list, in the order of the upstreams. Never rejects because a service is away. */
  listings(signal: AbortSignal, asking?: Asking): Promise<readonly Listing[]>
  /** How a request to it has just ended: whole, or by this failure of its own. */
  report(upstream: string, failure?: GatewayError): void
}

interface Entry {
  models: readonly UpstreamModel[] | undefined
  trouble: { readonly failure: unknown } | undefined
  askedAt: number
  /** A request to it failed since. */
  doubted: boolean
  asking: Promise<void> | undefined
}

/** Which upstream lists which models: asked at most every 30 seconds, once for all who wait. */
export function createCatalog(upstreams: ReadonlyMap<string, Upstream>, now: () => number): Catalog {
  const entries = new Map<string, Entry>()

  function entryOf(name: string): Entry {
    const entry = entries.get(name) ?? {
      models: undefined,
      trouble: undefined,
      askedAt: Number.NEGATIVE_INFINITY,
      doubted: false,
      asking: undefined,
    }
    entries.set(name, entry)
    return entry
  }

  async function ask(upstream: Upstream, entry: Entry): Promise<void> {
    try {
      // Not the signal of the client who happened to ask first: others wait for the same answer.
      entry.models = await upstream.models(AbortSignal.timeout(listingTimeoutMs))
      entry.trouble = undefined
    } catch (failure) {
      entry.trouble = { failure }
    } finally {
      entry.askedAt = now()
      entry.doubted = false
      entry.asking = undefined
    }
  }

  function isFresh(
    { models, trouble, askedAt, doubted }: Entry,
    { checkEveryMs }: Upstream,
    whom: Asking['whom'],
  ): boolean {
    const age = now() - askedAt
    if (whom === 'due') return !doubted && age < (checkEveryMs ?? Number.POSITIVE_INFINITY)
    return models !== undefined && age < (trouble === undefined ? freshForMs : retryAfterMs)
  }

  function told(name: string, { models, trouble, askedAt }: Entry): Listing {
    return {
      upstream: name,
      models: models ?? [],
      ...(trouble !== undefined && { trouble: trouble.failure }),
      ...(trouble !== undefined && models === undefined && { failure: trouble.failure }),
      ...(askedAt === Number.NEGATIVE_INFINITY && { pending: true }),
    }
  }

  async function listing(name: string, upstream: Upstream, { whom, patience }: Asking): Promise<Listing> {
    const entry = entryOf(name)
    if (isFresh(entry, upstream, whom)) return told(name, entry)
    entry.asking ??= ask(upstream, entry)
    // With a stale list, a service that did not answer the last time is not waited for.
    if (whom === undefined && entry.models !== undefined && entry.trouble !== undefined) return told(name, entry)
    await (patience === undefined ? entry.asking : orAborted(entry.asking, patience).catch(() => undefined))
    return told(name, entry)
  }

  return {
    async listings(signal, asking = {}) {
      const all = Promise.all([...upstreams].map(([name, upstream]) => listing(name, upstream, asking)))
      return await orAborted(all, signal)
    },
    report(name, failure) {
      const entry = entryOf(name)
      if (failure === undefined) entry.trouble = undefined
      // Time to look; one that must not be asked unasked is taken at its word.
      else if (upstreams.get(name)?.checkEveryMs !== undefined) entry.doubted = true
      else if (awayCodes.has(failure.code)) entry.trouble = { failure }
    },
  }
}

/** What says that a service cannot be reached at all. */
export function isAway(trouble: unknown): boolean {
  return trouble instanceof GatewayError && awayCodes.has(trouble.code)
}

const awayCodes: ReadonlySet<string> = new Set(['upstream_unreachable', 'upstream_timeout'])

/**
 * The refusal of an unknown model, with the names that are nearest to it. A service that cannot be asked might have it,
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
    const most = Math.max(2, Math.floor(wanted.length / 3))
    const apart = contained ? 1 : editDistance(wanted, candidate, most + 1)
    if (apart <= most) near.push({ other, apart })
  }
  return near
    .sort((a, b) => a.apart - b.apart)
    .slice(0, maxNear)
    .map(({ other }) => other)
}
