import { GatewayError, joinFailures } from '../errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import { createAttempt } from './attempt.ts'
import { createCatalog } from './catalog.ts'
import { contextWarning } from './context.ts'
import { heal } from './heal.ts'
import { dialectOf, findModel, findNamed, type PlanParts, planTurn, upstreamsOf } from './plan.ts'
import { prepare } from './prepare.ts'
import { createRelay } from './relay.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from './settings.ts'
import type { ModelCard, Turns } from './turn.ts'
import { countPromptTokens } from './usage.ts'
import { createVerdicts } from './verdicts.ts'

/** Of how many models the services are asked at the start. */
const warnedModels = 4

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
  const verdicts = createVerdicts(now)
  const relay = createRelay(now)
  const parts: PlanParts = { upstreams, models, unnamed, catalog, verdicts }
  const attempt = createAttempt(parts, newId, relay.report, now)

  /** How tools reach a model, once that is known. */
  function settled(settings: ModelSettings): ModelSettings {
    if (settings.tools !== 'auto') return settings
    const [first = ''] = settings.upstreams
    if (upstreams.get(first)?.toolsInWords === true) return { ...settings, tools: 'prompt' }
    return { ...settings, tools: verdicts.toolsOf(first, settings.model) ?? 'auto' }
  }

  /** A model as people see it, with what its first service has told of it so far. */
  function cardOf(settings: ModelSettings, listedLength: number | undefined): ModelCard {
    const [first = ''] = settings.upstreams
    const context = verdicts.contextOf(first, settings.model) ?? {}
    const warning = contextWarning(settings.name, context)
    const card = toCard(settled(settings), context.tokens ?? listedLength)
    return warning === undefined ? card : { ...card, warning }
  }

  return {
    async start(request, context) {
      const sound = settleFaults(request, models)
      const settings = await findModel(parts, request.model, context.signal)
      const candidates = upstreamsOf(parts, settings)
      return await relay.run(candidates, (upstream) => attempt(sound, settings, upstream, context), {
        signal: context.signal,
        weights: settings.weights,
      })
    },

    async countTokens(request, context) {
      const sound = settleFaults(request, models)
      const settings = await findModel(parts, request.model, context.signal)
      const [upstream] = upstreamsOf(parts, settings)
      if (upstream === undefined) throw new GatewayError('model_not_found', `Nobody serves ${request.model}.`)
      const approach = await planTurn(parts, sound, settings, upstream, context)
      const prepared = prepare(sound, approach, context.clientKey)
      return await countPromptTokens(upstream, prepared.request, context.signal)
    },

    async models(signal) {
      const listings = await catalog.listings(signal)
      const cards = new Map<string, ModelCard>()
      for (const settings of models) {
        const listing = listings.find(({ upstream }) => settings.upstreams.includes(upstream))
        const listed = listing?.models.find(({ id }) => id === settings.model)
        cards.set(settings.name, cardOf(settings, listed?.contextLength))
      }
      for (const { upstream, models: listed } of listings) {
        for (const { id, contextLength } of listed) {
          if (cards.has(id)) continue
          cards.set(id, cardOf({ ...defaultSettings(id, [upstream]), ...unnamed }, contextLength))
        }
      }
      return [...cards.values()]
    },

    async model(name, signal) {
      const settings = await findModel(parts, name, signal)
      const [upstream] = upstreamsOf(parts, settings)
      if (upstream !== undefined) await verdicts.capabilities(upstream, settings.model, signal)
      const listings = await catalog.listings(signal)
      const listed = listings
        .find((listing) => listing.upstream === upstream?.name)
        ?.models.find(({ id }) => id === settings.model)
      return cardOf(settings, listed?.contextLength)
    },

    async warnings(signal) {
      const listings = await catalog.listings(signal)
      const listed = listings.flatMap(({ upstream, models: own }) =>
        own.map(({ id }) => defaultSettings(id, [upstream])),
      )
      const asked = (models.length > 0 ? models : listed).slice(0, warnedModels)
      const warnings = await Promise.all(
        asked.map(async ({ name, model, upstreams: [first = ''] }) => {
          const upstream = upstreams.get(first)
          if (upstream === undefined) return undefined
          const { context = {} } = await verdicts.capabilities(upstream, model, signal)
          return contextWarning(name, context)
        }),
      )
      return warnings.filter((warning) => warning !== undefined)
    },
  }
}

/** A conversation with faults is refused before anything is asked of anyone, or healed where its model is set so. */
function settleFaults(request: Request, models: readonly ModelSettings[]): Request {
  const { faults = [] } = request
  if (faults.length === 0) return request
  const settings = findNamed(models, request.model)
  if (settings?.history !== 'heal') throw joinFailures(faults)
  return { ...request, messages: heal(request.messages) }
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
