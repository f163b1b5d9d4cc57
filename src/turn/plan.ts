import type { Dialect } from '../dialects/dialect.ts'
import { dialectFor, findDialect } from '../dialects/registry.ts'
import { GatewayError } from '../errors.ts'
import { callsOf } from '../protocol/message.ts'
import { type Plan, readsText } from '../protocol/plan.ts'
import type { Request } from '../protocol/request.ts'
import { isForced } from '../protocol/tool.ts'
import type { Upstream } from '../upstreams/upstream.ts'
import type { TurnCache } from './cache.ts'
import { type Force, type ForceStep, forcesOf } from './prompt/force/force.ts'
import type { Grammars } from './prompt/force/grammars.ts'
import type { Reduced } from './schemas.ts'
import type { CapabilityCache } from './services/capabilities.ts'
import { type Catalog, modelNotFound } from './services/catalog.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from './settings.ts'
import type { TurnContext } from './turn.ts'

/** How one attempt at an answer goes about it. */
export interface Approach {
  readonly mode: Plan['mode']
  readonly settings: ModelSettings
  readonly upstream: Upstream
  /**
   * What calls are taught and read in. In mode `none` it is there only when calls of earlier turns must be told in words,
   * because the model knows no tool messages.
   */
  readonly dialect?: Dialect
  /** In prompt mode: the means that hold the answer to calls, the surest first. */
  readonly forces?: readonly ForceStep[]
  /** The one of them that is used. */
  readonly force?: Force
  /** Which form the messages were put in, where the one of the settings was refused. */
  readonly rung?: string
  /** Natively: the schemas the service would not take, and the form it gets them in. */
  readonly reduced?: Reduced
  /** The template was to tell the tools and does not: they are taught in words. */
  readonly isUntold?: boolean
  /** The service is told to stop where the model would write a tool's result itself. */
  readonly stopsAtResults?: boolean
  readonly cache?: TurnCache
}

export interface PlanParts {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly models: readonly ModelSettings[]
  readonly unnamed?: UnnamedSettings
  readonly catalog: Catalog
  readonly capabilityCache: CapabilityCache
  readonly grammars: Grammars
  readonly cache: TurnCache
}

/** What clients of Ollama put after the name of a model that has no tag. */
const latest = ':latest'

const namesFor = (name: string): readonly string[] =>
  name.endsWith(latest) ? [name, name.slice(0, -latest.length)] : [name]

/** The settings of a model that is configured under this name, or under this name without a tag that says nothing. */
export function findNamed(models: readonly ModelSettings[], name: string): ModelSettings | undefined {
  for (const one of namesFor(name)) {
    const configured = models.find((settings) => settings.name === one)
    if (configured !== undefined) return configured
  }
  return undefined
}

/** The settings of a model by the name the client used: configured, or listed by an upstream. */
export async function findModel(parts: PlanParts, name: string, signal: AbortSignal): Promise<ModelSettings> {
  const configured = parts.models.find((settings) => settings.name === name)
  if (configured !== undefined) return configured
  const listings = await parts.catalog.listings(signal)
  for (const one of namesFor(name)) {
    const found = parts.models.find((settings) => settings.name === one) ?? (await findListed(parts, listings, one))
    if (found !== undefined) return found
  }
  const known = [
    ...parts.models.map((settings) => settings.name),
    ...listings.flatMap(({ models }) => models.map(({ id }) => id)),
  ]
  const unasked = listings.filter(({ failure }) => failure instanceof GatewayError)
  // Where no model at all is known, why there is none says more than "does not exist".
  if (known.length === 0 && unasked[0] !== undefined) throw unasked[0].failure
  throw modelNotFound(
    name,
    known,
    unasked.map(({ upstream }) => upstream),
  )
}

type Listings = Awaited<ReturnType<Catalog['listings']>>

async function findListed(parts: PlanParts, listings: Listings, name: string): Promise<ModelSettings | undefined> {
  const serving = listings.filter(({ models }) => models.some(({ id }) => id === name)).map(({ upstream }) => upstream)
  if (serving.length > 0) return { ...defaultSettings(name, serving), ...parts.unnamed }
  for (const { upstream, models } of listings) {
    const ids = models.map(({ id }) => id)
    const meant = await parts.upstreams.get(upstream)?.findModel?.(name, ids)
    if (meant !== undefined) return { ...defaultSettings(name, [upstream]), ...parts.unnamed, model: meant }
  }
  return undefined
}

/** Which upstreams may answer, in the order to try them. */
export function upstreamsOf(parts: PlanParts, settings: ModelSettings): readonly Upstream[] {
  const found = settings.upstreams.flatMap((name) => parts.upstreams.get(name) ?? [])
  if (found.length > 0) return found
  throw new GatewayError(
    'model_not_found',
    `The model '${settings.name}' names no upstream that is configured. Check its 'upstream' in the gateway's config.`,
    {
      param: 'model',
    },
  )
}

/** Decides how this request is put to this upstream. */
export async function planTurn(
  parts: PlanParts,
  request: Request,
  named: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<Approach> {
  const isCalling = callsTools(request)
  if (!isCalling && !hasCalls(request)) return { mode: 'none', settings: named, upstream }
  const settings = await withTemplateDialect(parts, named, upstream, context)
  if (!isCalling) {
    const native = await isNative(parts, settings, upstream, context)
    return native
      ? { mode: 'none', settings, upstream }
      : { mode: 'none', settings, upstream, dialect: dialectOf(settings) }
  }
  if (
    (await isNative(parts, settings, upstream, context)) &&
    (await mayChoose(parts, request, settings, upstream, context))
  ) {
    return { mode: 'native', settings, upstream }
  }
  if ((context.overrides?.tools ?? settings.tools) === 'template') {
    return await toTemplate(parts, request, settings, upstream, context)
  }
  return await toPrompt(parts, request, settings, upstream, context)
}

/** The approach in which the server's chat template tells the tools, where it does; else they are taught in words. */
async function toTemplate(
  parts: Pick<PlanParts, 'capabilityCache' | 'grammars'>,
  request: Request,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<Approach> {
  if (await parts.capabilityCache.listsTools(upstream, settings.model, context)) {
    return await readingText('template', parts, request, settings, upstream, context)
  }
  return { ...(await toPrompt(parts, request, settings, upstream, context)), isUntold: true }
}

/** The approach that works with any model: tools taught in words. */
export async function toPrompt(
  parts: Pick<PlanParts, 'capabilityCache' | 'grammars'>,
  request: Request,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<Approach> {
  return await readingText('prompt', parts, request, settings, upstream, context)
}

/** Hosted services take few stop sequences, and those for reasoning models refuse any: local engines take plenty. */
const manyStops = 16

async function readingText(
  mode: 'template' | 'prompt',
  { capabilityCache, grammars }: Pick<PlanParts, 'capabilityCache' | 'grammars'>,
  request: Request,
  named: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<Approach> {
  const settings = await withTemplateDialect({ capabilityCache }, named, upstream, context)
  const capabilities = await capabilityCache.capabilities(upstream, settings.model, context.signal)
  const { stops = 0 } = capabilities
  const approach = {
    mode,
    settings,
    upstream,
    dialect: dialectOf(settings),
    stopsAtResults: stops >= Math.max(manyStops, (request.stop?.length ?? 0) + 1),
  } as const
  if (!isForced(request.toolChoice) && settings.constrain === 'never') return approach
  return { ...approach, forces: forcesOf(request, approach.dialect, capabilities, settings, grammars) }
}

/** What the world may know of an approach. */
export function toPlan({ mode, dialect, upstream, settings, force }: Approach): Plan {
  const plan = { mode, upstream: upstream.name, model: settings.model }
  if (!readsText(mode) || dialect === undefined) return plan
  const constraint = force?.constraint?.kind ?? (force?.prefill === undefined ? undefined : 'prefill')
  return { ...plan, dialect: dialect.name, ...(constraint !== undefined && { constraint }) }
}

/** `dialect: auto` made definite where the service tells the model's chat template: names mislead, templates do not. */
async function withTemplateDialect(
  { capabilityCache }: Pick<PlanParts, 'capabilityCache'>,
  settings: ModelSettings,
  upstream: Upstream,
  { signal, client, overrides }: TurnContext,
): Promise<ModelSettings> {
  if (settings.dialect !== 'auto') return settings
  // Native tools that are configured need no probe before the first request.
  if ((overrides?.tools ?? settings.tools) !== 'native') {
    await capabilityCache.capabilities(upstream, settings.model, signal, client)
  }
  const shown = capabilityCache.templateDialect(upstream.name, settings.model)
  return shown === undefined ? settings : { ...settings, dialect: shown.name }
}

/** The dialect a model is taught in prompt mode: the one of its settings, of its chat template, or of its name. */
export function dialectOf(settings: ModelSettings, ofTemplate?: Dialect): Dialect {
  if (settings.dialect === 'auto') return ofTemplate ?? dialectFor(settings.model)
  const dialect = findDialect(settings.dialect)
  if (dialect !== undefined) return dialect
  throw new GatewayError(
    'invalid_value',
    `The model '${settings.name}' is configured with an unknown dialect, '${settings.dialect}'.`,
    {
      param: 'model',
    },
  )
}

function callsTools(request: Request): boolean {
  return request.tools.length > 0 && request.toolChoice?.mode !== 'none'
}

function hasCalls(request: Request): boolean {
  return request.messages.some((message) => message.role === 'tool' || callsOf(message).length > 0)
}

async function isNative(
  parts: PlanParts,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<boolean> {
  const tools = context.overrides?.tools ?? settings.tools
  if (tools !== 'auto') return tools === 'native'
  const { nativeTools } = await parts.capabilityCache.capabilities(
    upstream,
    settings.model,
    context.signal,
    context.client,
  )
  // Nobody knows: it is tried, and where tools are refused they are taught in words before anything has left.
  return nativeTools !== 'no'
}

/** A service that does not heed the client's choice is made to in words, unless it was settled that its own tools are used. */
async function mayChoose(
  { capabilityCache }: PlanParts,
  request: Request,
  settings: ModelSettings,
  upstream: Upstream,
  { signal, overrides }: TurnContext,
): Promise<boolean> {
  if (!isForced(request.toolChoice) || (overrides?.tools ?? settings.tools) !== 'auto') return true
  const {
    heedsToolChoice,
    prefill,
    constraints = [],
  } = await capabilityCache.capabilities(upstream, settings.model, signal)
  return heedsToolChoice !== false || (prefill !== true && constraints.length === 0)
}
