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

/** What there is to decide on: a request, to be put to one upstream of its model. */
export interface PlanInput {
  readonly parts: Pick<PlanParts, 'capabilityCache' | 'grammars'>
  readonly request: Request
  readonly settings: ModelSettings
  readonly upstream: Upstream
  readonly context: TurnContext
}

/** Decides how this request is put to this upstream. */
export async function planTurn(input: PlanInput): Promise<Approach> {
  const { parts, request, upstream, context } = input
  const isCalling = callsTools(request)
  if (!isCalling && !hasCalls(request)) return { mode: 'none', settings: input.settings, upstream }
  const planned = { ...input, settings: await withTemplateDialect(input) }
  const { settings } = planned
  const native = await isNative(planned)
  if (!isCalling) return { mode: 'none', settings, upstream, ...(!native && { dialect: dialectOf(settings) }) }
  if (native && (await mayChoose(planned))) return { mode: 'native', settings, upstream }
  if (toolsSetting(planned) !== 'template') return await readingText('prompt', planned)
  // The server's chat template tells the tools, where it does; else they are taught in words.
  if (await parts.capabilityCache.listsTools(upstream, settings.model, context)) {
    return await readingText('template', planned)
  }
  return { ...(await readingText('prompt', planned)), isUntold: true }
}

/** Hosted services take few stop sequences, and those for reasoning models refuse any: local engines take plenty. */
const manyStops = 16

/** The approaches in which calls are read from the text. `prompt` works with any model: tools are taught in words. */
export async function readingText(mode: 'template' | 'prompt', input: PlanInput): Promise<Approach> {
  const { parts, request, upstream, context } = input
  const settings = await withTemplateDialect(input)
  const capabilities = await parts.capabilityCache.capabilities(upstream, settings.model, context.signal)
  const { stops = 0 } = capabilities
  const approach = {
    mode,
    settings,
    upstream,
    dialect: dialectOf(settings),
    stopsAtResults: stops >= Math.max(manyStops, (request.stop?.length ?? 0) + 1),
  } as const
  if (!isForced(request.toolChoice) && settings.constrain === 'never') return approach
  return { ...approach, forces: forcesOf(request, approach.dialect, capabilities, settings, parts.grammars) }
}

/** What the world may know of an approach. */
export function toPlan({ mode, dialect, upstream, settings, force }: Approach): Plan {
  const plan = { mode, upstream: upstream.name, model: settings.model }
  if (!readsText(mode) || dialect === undefined) return plan
  const constraint = force?.constraint?.kind ?? (force?.prefill === undefined ? undefined : 'prefill')
  return { ...plan, dialect: dialect.name, ...(constraint !== undefined && { constraint }) }
}

/** `dialect: auto` made definite where the service tells the model's chat template: names mislead, templates do not. */
async function withTemplateDialect(input: PlanInput): Promise<ModelSettings> {
  const { parts, settings, upstream, context } = input
  if (settings.dialect !== 'auto') return settings
  // Native tools that are configured need no probe before the first request.
  if (toolsSetting(input) !== 'native') {
    await parts.capabilityCache.capabilities(upstream, settings.model, context.signal, context.client)
  }
  const shown = parts.capabilityCache.templateDialect(upstream.name, settings.model)
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

/** How tools are to reach the model, as the client or the settings say. */
function toolsSetting({ settings, context }: Pick<PlanInput, 'settings' | 'context'>): ModelSettings['tools'] {
  return context.overrides?.tools ?? settings.tools
}

async function isNative(input: PlanInput): Promise<boolean> {
  const tools = toolsSetting(input)
  if (tools !== 'auto') return tools === 'native'
  const { parts, settings, upstream, context } = input
  const { capabilityCache } = parts
  const { nativeTools } = await capabilityCache.capabilities(upstream, settings.model, context.signal, context.client)
  // Not known: it is tried, and where tools are refused they are taught in words before anything has left.
  return nativeTools !== 'no'
}

/** A service that does not heed the client's choice is made to in words, unless it was settled that its own tools are used. */
async function mayChoose(input: PlanInput): Promise<boolean> {
  const { parts, request, settings, upstream, context } = input
  if (!isForced(request.toolChoice) || toolsSetting(input) !== 'auto') return true
  const able = await parts.capabilityCache.capabilities(upstream, settings.model, context.signal)
  return able.heedsToolChoice !== false || (able.prefill !== true && (able.constraints ?? []).length === 0)
}
