import { createRandomId } from '../../random-id.ts'
import type { ModelSettings } from '../../turn/settings.ts'
import { defaultSettings } from '../../turn/settings.ts'
import type { Turns } from '../../turn/turn.ts'
import { createTurns } from '../../turn/turns.ts'
import { createOpenAiUpstreamOver } from '../../upstreams/openai/openai.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import { createFetchClient, type Fetch } from '../../upstreams/wire/fetch-client.ts'
import { pickDialect } from '../full.ts'
import { serveTurns } from './fetch.ts'
import { createTextUpstream, type TextModel } from './text-model.ts'

/** A model service that speaks OpenAI's chat completions. */
export interface Service {
  /** Its address, up to and including `/v1`. */
  readonly url: string | URL
  /** Its API key. Default: the one your client comes with. */
  readonly key?: string | undefined
  /** Sends the requests. Default: the runtime's own `fetch`. */
  readonly fetch?: Fetch | undefined
  /** What it is (`vllm`, `ollama`, …). Default: found out. */
  readonly flavour?: string | undefined
}

/** What clients take as their `fetch`. */
export type FetchFunction = (input: string | URL | Request, init?: RequestInit) => Promise<Response>

/** What makes a `fetch`. */
export interface FetchOptions
  extends Partial<
    Pick<
      ModelSettings,
      'arguments' | 'unknownTools' | 'repair' | 'persist' | 'template' | 'listing' | 'toolsBudget' | 'history' | 'loop'
    >
  > {
  /** The model: the address of a service, or a function of yours, text in and text out. */
  readonly upstream: string | URL | Service | TextModel
  /** How tools reach it. Default: `auto`, native where that works; a function always gets them in its prompt. */
  readonly tools?: ModelSettings['tools'] | undefined
  /** The dialect they are taught in. Default: `auto`, by the name of the model. */
  readonly dialect?: string | undefined
  /** The models of a function, for clients that list them. Any name is taken, listed or not. */
  readonly models?: readonly string[] | undefined
  /** How long to wait for a service. Default: ten minutes for its first word, two between words, an hour for all of them. */
  readonly timeouts?:
    | { readonly firstEventMs?: number; readonly idleMs?: number; readonly totalMs?: number }
    | undefined
}

const standardTimeouts = { connectMs: 5000, firstEventMs: 600_000, idleMs: 120_000, totalMs: 3_600_000 }
/** Models that were asked for by name; beyond this the oldest is forgotten. */
const mostModels = 1000
const name = 'upstream'

/**
 * A `fetch` that answers OpenAI's API by itself, with tool calls for models that have none: hand it to any client,
 * `new OpenAI({ fetch })`. No port is opened. It speaks chat completions and Responses, and Anthropic's Messages as well.
 */
export function createFetch(options: FetchOptions): FetchFunction {
  const { upstream, tools = 'auto', dialect = 'auto', models: listed, timeouts, ...rest } = options
  if (dialect !== 'auto') pickDialect(dialect)
  const models: ModelSettings[] = (listed ?? []).map(settingsOf)
  const turns = createTurns({
    upstreams: new Map([[name, toUpstream(upstream, listed, { ...standardTimeouts, ...timeouts })]]),
    models,
    newId: () => createRandomId('call_'),
  })

  function settingsOf(model: string): ModelSettings {
    return { ...defaultSettings(model, [name]), ...rest, tools, dialect }
  }

  /** Any name is taken: the service decides whether there is such a model. */
  function know(model: string): void {
    if (models.some((settings) => settings.name === model)) return
    models.push(settingsOf(model))
    if (models.length > mostModels) models.shift()
  }

  const knowing: Turns = {
    ...turns,
    start(request, context) {
      know(request.model)
      return turns.start(request, context)
    },
    countTokens(request, context) {
      know(request.model)
      return turns.countTokens(request, context)
    },
    embed(request, context) {
      know(request.model)
      return turns.embed(request, context)
    },
  }
  const serve = serveTurns(knowing)
  return async (input, init = {}) => {
    const { signal, ...asked } = init
    const request = new Request(input, asked)
    // A signal of its own is all that every runtime hands on.
    return await serve(request, signal ?? (input instanceof Request ? input.signal : undefined))
  }
}

function toUpstream(
  given: FetchOptions['upstream'],
  models: readonly string[] | undefined,
  timeouts: typeof standardTimeouts,
): Upstream {
  if (typeof given === 'function') return createTextUpstream(name, given, models)
  const service: Service = typeof given === 'string' || given instanceof URL ? { url: given } : given
  if (!URL.canParse(String(service?.url))) {
    const remedy = "Give the address of a model server ('http://127.0.0.1:8000/v1'), or a function: text in, text out."
    throw new TypeError(`createFetch can't use this 'upstream'. ${remedy}`)
  }
  return createOpenAiUpstreamOver((url) => createFetchClient(url, service.fetch), {
    name,
    url: String(service.url),
    key: service.key ?? 'passthrough',
    timeouts,
    flavour: service.flavour,
  })
}
