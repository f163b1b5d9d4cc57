import type { Dialect } from '../dialects/dialect.ts'
import { dialectFor, findDialect } from '../dialects/registry.ts'
import { GatewayError } from '../errors.ts'
import type { Request } from '../protocol/request.ts'
import type { Capabilities, Upstream } from '../upstreams/upstream.ts'
import { type Catalog, modelNotFound } from './catalog.ts'
import { defaultSettings, type ModelSettings, type UnnamedSettings } from './settings.ts'
import type { Plan, TurnContext } from './turn.ts'

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
}

export interface PlanParts {
  readonly upstreams: ReadonlyMap<string, Upstream>
  readonly models: readonly ModelSettings[]
  readonly unnamed?: UnnamedSettings
  readonly catalog: Catalog
  readonly capabilities: (upstream: Upstream, model: string, signal: AbortSignal) => Promise<Capabilities>
}

/** The settings of a model by the name the client used: configured, or listed by an upstream. */
export async function findModel(parts: PlanParts, name: string, signal: AbortSignal): Promise<ModelSettings> {
  const configured = parts.models.find((settings) => settings.name === name)
  if (configured !== undefined) return configured
  const listings = await parts.catalog.listings(signal)
  const serving = listings.filter(({ models }) => models.some(({ id }) => id === name)).map(({ upstream }) => upstream)
  if (serving.length > 0) return { ...defaultSettings(name, serving), ...parts.unnamed }
  // An upstream that could not be asked might well have it: its own failure says more than "does not exist".
  const unasked = listings.find(({ failure }) => failure instanceof GatewayError)
  if (unasked !== undefined) throw unasked.failure
  const known = [
    ...parts.models.map((settings) => settings.name),
    ...listings.flatMap(({ models }) => models.map(({ id }) => id)),
  ]
  throw modelNotFound(name, known)
}

/** Which upstreams may answer, in the order to try them. */
export function upstreamsOf(parts: PlanParts, settings: ModelSettings): readonly Upstream[] {
  const found = settings.upstreams.flatMap((name) => parts.upstreams.get(name) ?? [])
  if (found.length > 0) return found
  throw new GatewayError('model_not_found', `The model '${settings.name}' has no upstream that is configured.`, {
    param: 'model',
  })
}

/** Decides how this request is put to this upstream. */
export async function planTurn(
  parts: PlanParts,
  request: Request,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<Approach> {
  if (!callsTools(request)) {
    if (!hasCalls(request)) return { mode: 'none', settings, upstream }
    const native = await isNative(parts, settings, upstream, context)
    return native
      ? { mode: 'none', settings, upstream }
      : { mode: 'none', settings, upstream, dialect: dialectOf(settings) }
  }
  if (await isNative(parts, settings, upstream, context)) return { mode: 'native', settings, upstream }
  return { mode: 'prompt', settings, upstream, dialect: dialectOf(settings) }
}

/** What the world may know of an approach. */
export function toPlan({ mode, dialect, upstream, settings }: Approach): Plan {
  const plan = { mode, upstream: upstream.name, model: settings.model }
  return mode === 'prompt' && dialect !== undefined ? { ...plan, dialect: dialect.name } : plan
}

/** The dialect a model is taught in prompt mode. */
export function dialectOf(settings: ModelSettings): Dialect {
  if (settings.dialect === 'auto') return dialectFor(settings.model)
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
  return request.messages.some(
    (message) => message.role === 'tool' || (message.role === 'assistant' && message.calls.length > 0),
  )
}

async function isNative(
  parts: PlanParts,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
): Promise<boolean> {
  const tools = context.overrides?.tools ?? settings.tools
  if (tools !== 'auto') return tools === 'native'
  const { nativeTools } = await parts.capabilities(upstream, settings.model, context.signal)
  return nativeTools === 'yes'
}
