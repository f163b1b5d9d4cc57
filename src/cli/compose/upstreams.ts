import type { Config } from '../../config/load.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import type { Gated } from '../../upstreams/gate.ts'
import { createUpstream } from '../../upstreams/registry.ts'
import type { Shared } from './service.ts'
import { withMemory } from './store.ts'
import { vocabulary } from './vocabulary.ts'

/** The services of a configuration. The caller closes them. */
export function createUpstreams({ settings }: Config, shared?: Shared): ReadonlyMap<string, Gated> {
  const context = {
    timeouts: settings.timeouts,
    limits: settings.limits,
    gate: shared?.gate,
    sessions: withMemory(settings.sessions, shared),
  }
  return new Map(
    [...settings.upstreams].map(([name, upstream]) => [
      name,
      createUpstream(name, upstream, context, vocabulary.kinds),
    ]),
  )
}

/** Beyond this a list of models is no list of labels. */
const mostModelLabels = 200

/** The models of the configuration, and those the services tell of, as far as there are not too many. */
export function namesOfModels(
  { settings }: Config,
  services: () => readonly ServiceCard[] | undefined,
): Pick<ReadonlySet<string>, 'has'> {
  return {
    has(wanted) {
      if (settings.models.some(({ name }) => name === wanted)) return true
      const listed = (services() ?? []).flatMap(({ models }) => models.map(({ id }) => id))
      return listed.slice(0, mostModelLabels).includes(wanted)
    },
  }
}

/** A key, and whatever stands in its headers or, as a password, in its address. */
export function secretsIn(settings: object): readonly string[] {
  const { key, headers, url } = settings as { key?: unknown; headers?: unknown; url?: unknown }
  const own = typeof key === 'string' && key !== 'passthrough' ? [key] : []
  const sent = Object.values(Object(headers)).filter((value) => typeof value === 'string')
  const place = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  return [...own, ...sent, ...(place === undefined ? [] : [place.password, ...place.searchParams.values()])]
}
