import { GatewayError } from '../errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Capabilities, Upstream } from '../upstreams/upstream.ts'
import { createAnswer } from './answer.ts'
import { createCatalog } from './catalog.ts'
import { dialectOf, findModel, type PlanParts, planTurn, toPlan, upstreamsOf } from './plan.ts'
import { prepare } from './prepare.ts'
import { listen, runTurn } from './run.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from './settings.ts'
import type { ModelCard, Turn, TurnContext, Turns } from './turn.ts'

export interface TurnsParts {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly models: readonly ModelSettings[]
  /** For models an upstream lists and `models` does not name. */
  readonly unnamed?: UnnamedSettings
  readonly newId: () => string
  readonly now?: () => number
}

/** Answers requests: the one way from a door to the models. */
export function createTurns({ upstreams, models, unnamed = {}, newId, now = Date.now }: TurnsParts): Turns {
  const catalog = createCatalog(upstreams, now)
  const parts: PlanParts = { upstreams, models, unnamed, catalog, capabilities: createCapabilities(now) }

  async function attempt(
    request: Request,
    settings: ModelSettings,
    upstream: Upstream,
    context: TurnContext,
  ): Promise<Turn> {
    const approach = await planTurn(parts, request, settings, upstream, context)
    const prepared = prepare(request, approach, context.clientKey)
    const speaker = await listen((signal) => upstream.chat(prepared.request, signal), context.signal)
    const answer = createAnswer(request, approach, prepared, newId)
    return { plan: toPlan(approach), events: runTurn(speaker, answer, context.signal) }
  }

  return {
    async start(request, context) {
      const settings = await findModel(parts, request.model, context.signal)
      const candidates = upstreamsOf(parts, settings)
      let failure: unknown
      for (const upstream of candidates) {
        try {
          return await attempt(request, settings, upstream, context)
        } catch (thrown) {
          if (context.signal.aborted || !isWorthAnother(thrown)) throw thrown
          failure = thrown
        }
      }
      throw failure
    },

    async models(signal) {
      const listings = await catalog.listings(signal)
      const cards = new Map<string, ModelCard>()
      for (const settings of models) {
        const listing = listings.find(({ upstream }) => settings.upstreams.includes(upstream))
        const listed = listing?.models.find(({ id }) => id === settings.model)
        cards.set(settings.name, toCard(settings, listed?.contextLength))
      }
      for (const { upstream, models: listed } of listings) {
        for (const { id, contextLength } of listed) {
          if (!cards.has(id)) cards.set(id, toCard({ ...defaultSettings(id, [upstream]), ...unnamed }, contextLength))
        }
      }
      return [...cards.values()]
    },
  }
}

function toCard(settings: ModelSettings, contextLength: number | undefined): ModelCard {
  return {
    id: settings.name,
    ownedBy: settings.upstreams[0] ?? 'dragoman',
    tools: settings.tools,
    ...(settings.tools === 'native' ? {} : { dialect: dialectOf(settings).name }),
    ...(contextLength === undefined ? {} : { contextLength }),
  }
}

const anotherMayHelp: ReadonlySet<string> = new Set([
  'upstream_error',
  'upstream_unreachable',
  'upstream_truncated',
  'upstream_malformed',
  'upstream_blocked',
  'upstream_overloaded',
  'upstream_timeout',
  'upstream_auth',
  'upstream_forbidden',
  'rate_limit_exceeded',
  'insufficient_quota',
])

/** Whether the fault lies with this service and not with the request: then the next one in the list is asked. */
function isWorthAnother(thrown: unknown): boolean {
  return thrown instanceof GatewayError && anotherMayHelp.has(thrown.code)
}

const verdictForMs = 600_000
const doubtForMs = 30_000

/** What upstreams say they can do, remembered per model; one that cannot be asked is unknown. */
function createCapabilities(now: () => number): PlanParts['capabilities'] {
  const known = new Map<string, { readonly capabilities: Capabilities; readonly until: number }>()
  return async (upstream, model, signal) => {
    const key = JSON.stringify([upstream.name, model])
    const verdict = known.get(key)
    if (verdict !== undefined && now() < verdict.until) return verdict.capabilities
    let capabilities: Capabilities = { nativeTools: 'unknown' }
    try {
      capabilities = await upstream.probe(model, signal)
    } catch (thrown) {
      if (signal.aborted) throw thrown
    }
    const forMs = capabilities.nativeTools === 'unknown' ? doubtForMs : verdictForMs
    known.set(key, { capabilities, until: now() + forMs })
    return capabilities
  }
}
