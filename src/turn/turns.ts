import type { Dialect } from '../dialects/dialect.ts'
import { findDialect } from '../dialects/registry.ts'
import { GatewayError, joinFailures } from '../errors.ts'
import type { Request } from '../protocol/request.ts'
import { noEmbeddings, type Upstream, type UpstreamModel } from '../upstreams/upstream.ts'
import { countPromptTokens } from './answer/usage/usage.ts'
import { createAttempt } from './attempt.ts'
import { createTurnCache } from './cache.ts'
import { dialectOf, findModel, findNamed, type PlanParts, planTurn, upstreamsOf } from './plan.ts'
import { createGrammars } from './prompt/force/grammars.ts'
import { withSearch } from './prompt/offer/offer.ts'
import { prepare } from './prompt/prepare.ts'
import { heal } from './repair/heal.ts'
import { sparingMedia } from './repair/media.ts'
import { createCapabilityCache } from './services/capabilities.ts'
import { createCatalog, isAway, type Listing } from './services/catalog.ts'
import { assumedContext, contextWarning } from './services/context.ts'
import { createRelay } from './services/relay.ts'
import { toServiceCard } from './services/services.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from './settings.ts'
import type { ModelCard, Turn, TurnContext, Turns } from './turn.ts'
import { createVision } from './vision.ts'

/** What turns are made of. */
export interface TurnsParts {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly models: readonly ModelSettings[]
  /** For models an upstream lists and `models` does not name. */
  readonly unnamed?: UnnamedSettings
  readonly newId: () => string
  readonly now?: () => number
}

interface Served {
  readonly settings: ModelSettings
  /** As its service lists it. */
  readonly listed: UpstreamModel | undefined
}

/** Answers requests: the one way from a door to the models. */
export function createTurns({ upstreams, models, unnamed = {}, newId, now = Date.now }: TurnsParts): Turns {
  const catalog = createCatalog(upstreams, now)
  const capabilityCache = createCapabilityCache(now)
  const relay = createRelay(now, Math.random, ({ name }, failure) => catalog.report(name, failure))
  const parts: PlanParts = {
    upstreams,
    models,
    unnamed,
    catalog,
    capabilityCache,
    grammars: createGrammars(),
    cache: createTurnCache(),
  }
  const attempt = sparingMedia(createAttempt(parts, newId, relay.report, now), now)
  const vision = createVision(async (request, context) => {
    return await answer(request, await findModel(parts, request.model, context.signal), context)
  }, now)

  async function answer(request: Request, settings: ModelSettings, context: TurnContext): Promise<Turn> {
    const candidates = upstreamsOf(parts, settings)
    return await relay.run(candidates, (upstream) => attempt(request, settings, upstream, context), {
      signal: context.signal,
      weights: settings.weights,
    })
  }

  /** How tools reach a model, once that is known. */
  function settled(settings: ModelSettings): ModelSettings {
    if (settings.tools !== 'auto') return settings
    const [first = ''] = settings.upstreams
    if (upstreams.get(first)?.toolsInWords === true) return { ...settings, tools: 'prompt' }
    return { ...settings, tools: capabilityCache.toolsOf(first, settings.model) ?? 'auto' }
  }

  /** Every model there is, named in the configuration or listed by a service, with how it is served. */
  function servedBy(listings: readonly Listing[]): readonly Served[] {
    const served = new Map<string, Served>()
    for (const settings of models) {
      const listing = listings.find(({ upstream }) => settings.upstreams.includes(upstream))
      const listed = listing?.models.find(({ id }) => id === settings.model)
      served.set(settings.name, { settings, listed })
    }
    for (const { upstream, models: listed } of listings) {
      for (const model of listed) {
        const { id } = model
        const known = served.get(id)
        if (known === undefined) {
          served.set(id, { settings: { ...defaultSettings(id, [upstream]), ...unnamed }, listed: model })
        } else if (!models.includes(known.settings) && !known.settings.upstreams.includes(upstream)) {
          const upstreamsOfIt = [...known.settings.upstreams, upstream]
          served.set(id, { ...known, settings: { ...known.settings, upstreams: upstreamsOfIt } })
        }
      }
    }
    return [...served.values()]
  }

  /** A model as people see it, with what its first service has told of it so far. */
  function cardOf({ settings, listed }: Served): ModelCard {
    const [first = ''] = settings.upstreams
    const context = capabilityCache.contextOf(first, settings.model) ?? {}
    const warning = contextWarning(settings.name, context)
    // What a model could have says nothing where its service gives it less and cuts the rest off.
    const could = context.cuts === true ? undefined : context.most
    const shown = capabilityCache.templateDialect(first, settings.model)
    const card = toCard(settled(settings), shown, context.tokens ?? listed?.contextLength ?? could, listed?.outputLimit)
    const able = capabilityCache.abilitiesOf(first, settings.model)
    const assumed = card.contextLength === undefined ? assumedContext(context) : undefined
    return {
      ...card,
      ...(assumed !== undefined && { assumedContext: assumed }),
      ...able,
      ...(settings.vision !== undefined && { vision: true }),
      ...(warning !== undefined && { warning }),
    }
  }

  return {
    async start(request, context) {
      const sound = settleFaults(request, models)
      const settings = withOverrides(await findModel(parts, request.model, context.signal), context)
      return await answer(await vision.describe(sound, settings, context), settings, context)
    },

    async countTokens(request, context) {
      const sound = settleFaults(request, models)
      const settings = withOverrides(await findModel(parts, request.model, context.signal), context)
      const [upstream] = upstreamsOf(parts, settings)
      if (upstream === undefined) throw new GatewayError('model_not_found', `No model server offers ${request.model}.`)
      const searched = withSearch(vision.recall(sound, settings, context), settings, parts.cache)
      const approach = await planTurn({ parts, request: searched, settings, upstream, context })
      const prepared = prepare(searched, { ...approach, cache: parts.cache }, context)
      return await countPromptTokens(upstream, prepared.request, context.signal, parts.cache.counts)
    },

    async embed(request, { signal, clientKey, requestId }) {
      const settings = await findModel(parts, request.model, signal)
      const able = upstreamsOf(parts, settings).filter(({ embed }) => embed !== undefined)
      if (able.length === 0) throw noEmbeddings()
      // A client of Ollama has the model loaded: it is there.
      if (request.inputs.length === 0) return { vectors: [] }
      const asked = {
        ...request,
        model: settings.model,
        ...(clientKey !== undefined && { clientKey }),
        ...(requestId !== undefined && { requestId }),
      }
      return await relay.run(
        able,
        async (upstream) => {
          const embeddings = await upstream.embed?.(asked, signal)
          if (embeddings === undefined) throw noEmbeddings()
          relay.report(upstream)
          return embeddings
        },
        { signal, weights: settings.weights, mayAnother: ({ code }) => code === 'not_found' },
      )
    },

    async models(signal) {
      const listings = await catalog.listings(signal)
      const served = servedBy(listings)
      const cards = served.map(cardOf)
      const failure = noneAnswers(listings)
      if (cards.length === 0 && failure !== undefined) throw failure
      const away = new Set(listings.flatMap(({ upstream, trouble }) => (isAway(trouble) ? upstream : [])))
      return cards.map((card, index) =>
        served[index]?.settings.upstreams.every((name) => away.has(name)) ? { ...card, unavailable: true } : card,
      )
    },

    async model(name, signal) {
      const settings = await findModel(parts, name, signal)
      const [upstream] = upstreamsOf(parts, settings)
      if (upstream !== undefined) await capabilityCache.capabilities(upstream, settings.model, signal)
      const listings = await catalog.listings(signal)
      const listing = listings.find((one) => one.upstream === upstream?.name)
      return cardOf({ settings, listed: listing?.models.find(({ id }) => id === settings.model) })
    },

    async services(signal, { patience, probed = 0 } = {}) {
      const listings = await catalog.listings(signal, { whom: 'due', ...(patience !== undefined && { patience }) })
      const served = servedBy(listings)
      const of = (name: string) => served.filter(({ settings }) => settings.upstreams.includes(name))
      const limit = patience === undefined ? signal : AbortSignal.any([signal, patience])
      await Promise.allSettled(
        [...upstreams].flatMap(([name, upstream]) =>
          isAway(listings.find((listing) => listing.upstream === name)?.trouble)
            ? []
            : of(name)
                .slice(0, probed)
                .map(({ settings }) => capabilityCache.capabilities(upstream, settings.model, limit)),
        ),
      )
      signal.throwIfAborted()
      return listings.flatMap((listing) => {
        const upstream = upstreams.get(listing.upstream)
        if (upstream === undefined) return []
        return [toServiceCard(upstream, listing, of(upstream.name).map(cardOf))]
      })
    },
  }
}

/** A client may try another dialect for one request. */
function withOverrides(settings: ModelSettings, { overrides }: TurnContext): ModelSettings {
  const dialect = overrides?.dialect
  if (dialect === undefined) return settings
  if (dialect === 'auto' || findDialect(dialect) !== undefined) return { ...settings, dialect }
  const message = "The header 'x-dragoman-dialect' names no dialect. Run `dragoman dialects` for the list."
  throw new GatewayError('invalid_value', message, { param: 'x-dragoman-dialect' })
}

/** Nothing is served, and these are the reasons. */
function noneAnswers(listings: readonly Listing[]): GatewayError | undefined {
  const failures = listings.flatMap(({ trouble }) => (trouble instanceof GatewayError ? trouble : []))
  const [first] = failures
  if (first === undefined) return undefined
  const reasons = failures.map(({ message }) => message).join(' ')
  return new GatewayError(first.code, `There is no model to list, because no model server answers. ${reasons}`)
}

/** A conversation with faults is refused before anything is asked of anyone, or healed where its model is set so. */
function settleFaults(request: Request, models: readonly ModelSettings[]): Request {
  const { faults = [] } = request
  if (faults.length === 0) return request
  const settings = findNamed(models, request.model)
  if (settings?.history !== 'heal') throw joinFailures(faults)
  return { ...request, messages: heal(request.messages) }
}

function toCard(
  settings: ModelSettings,
  shown: Dialect | undefined,
  contextLength: number | undefined,
  outputLimit: number | undefined,
): ModelCard {
  return {
    id: settings.name,
    ownedBy: settings.upstreams[0] ?? 'dragoman',
    tools: settings.tools,
    ...(settings.tools === 'native' ? {} : { dialect: dialectOf(settings, shown).name }),
    ...(contextLength === undefined ? {} : { contextLength }),
    ...(outputLimit === undefined ? {} : { outputLimit }),
  }
}
