import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import type { Flavour } from '../flavours/flavour.ts'
import { complains } from '../refusals/complaints.ts'
import { classifyRefusal } from '../refusals/refusal.ts'
import type { ContextWindow, UpstreamEvent, UpstreamModel } from '../upstream.ts'
import { type HttpHead, requestText } from '../wire/http.ts'
import type { Ask } from './identity.ts'
import { expectAnswer, type Service } from './service.ts'

const MAX_MODELS_BYTES = 8 * 1024 * 1024
const MODELS_MS = 10_000

/** The models it lists. */
export async function askModels(service: Service, signal: AbortSignal): Promise<readonly UpstreamModel[]> {
  const { name, secret, client, pathOf, headersFor, secretsBeside } = service
  const request = { method: 'GET', path: pathOf('/models'), headers: headersFor(secret) } as const
  const { text, ...head } = await requestText(
    { upstream: name, client, request, withinMs: MODELS_MS, maxBytes: MAX_MODELS_BYTES },
    signal,
  )
  if (isPage(head)) {
    const remedy = 'Is the URL right? It usually ends in /v1.'
    throw new GatewayError('upstream_malformed', `${name}: it sent a web page instead of a list of models. ${remedy}`)
  }
  await expectAnswer(
    name,
    head,
    async () => text,
    (said) => classifyRefusal({ ...said, upstream: name, secrets: secretsBeside(secret) }),
  )
  const told = parseJson(text)
  if (isJsonObject(told) && !('data' in told) && !('models' in told) && complains(told) !== undefined) {
    throw classifyRefusal({ body: told, upstream: name, secrets: secretsBeside(secret) })
  }
  return readModels(name, text)
}

/** Whatever lives there, it is not an API. A gateway before one says its own failures in HTML as well. */
function isPage({ status, headers }: HttpHead): boolean {
  const type = headers['content-type'] ?? ''
  return type.startsWith('text/html') && (status < 400 || status === 404 || status === 405)
}

/** A list of models in OpenAI's shape, or in Ollama's. */
export function readModels(upstream: string, text: string): readonly UpstreamModel[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('upstream_malformed', `${upstream}: the list of models is not valid JSON.`, { cause })
  }
  const list = isJsonObject(body) ? (body['data'] ?? body['models'] ?? (body['data'] === null ? [] : undefined)) : body
  if (!Array.isArray(list))
    throw new GatewayError('upstream_malformed', `${upstream}: its reply contains no list of models.`)
  return list.filter(isJsonObject).flatMap((model) => {
    const id = [model['id'], model['model'], model['name']].find((value) => typeof value === 'string')
    const lengths = [
      model['max_model_len'],
      model['context_length'],
      model['context_window'],
      model['max_context_length'],
    ]
    const contextLength = lengths.find((length) => typeof length === 'number')
    const outputLimit = outputLimitOf(model)
    return id === undefined
      ? []
      : [
          {
            id,
            ...(contextLength !== undefined && { contextLength }),
            ...(outputLimit !== undefined && { outputLimit }),
          },
        ]
  })
}

/** Under the names services have for it. */
function outputLimitOf(model: JsonObject): number | undefined {
  const provider = isJsonObject(model['top_provider']) ? model['top_provider'] : {}
  const limits = [
    model['max_completion_tokens'],
    model['max_output_tokens'],
    model['max_output_length'],
    provider['max_completion_tokens'],
  ]
  return limits.find((limit) => typeof limit === 'number' && limit > 0) as number | undefined
}

/** How much of a conversation each model of a service is given, by the service's own word. */
export interface Contexts {
  /** Asks. What it says of one model is what its other answers leave open. */
  ask(flavour: Flavour, model: string): Promise<ContextWindow>
  /** What it said last. */
  known(model: string): ContextWindow | undefined
}

const maxKnown = 500

export function createContexts(ask: Ask, wanted: number | undefined): Contexts {
  const told = createMemory<ContextWindow>({ entries: maxKnown })
  return {
    async ask({ context, chat, traits }, model) {
      const answers = await Promise.all(
        (context ?? []).map(async (question) => {
          const answer = await ask(question, model)
          return answer === undefined ? {} : question.read(answer, model)
        }),
      )
      const said: ContextWindow = Object.assign({}, ...answers.toReversed())
      const window: ContextWindow =
        wanted !== undefined && chat !== undefined
          ? { ...said, tokens: Math.min(wanted, said.most ?? wanted) }
          : {
              ...said,
              ...(traits.cutsPrompts && { cuts: true }),
              ...(traits.contextRemedy && { remedy: traits.contextRemedy }),
            }
      told.set(model, window)
      return window
    },
    known: told.get,
  }
}

/** What is told of a prompt that is too large before anything of the answer. */
export function toCutNote({ tokens, remedy = '' }: ContextWindow = {}): UpstreamEvent {
  return {
    type: 'note',
    kind: 'prompt_truncated',
    detail: `It does not fit into a context of ${tokens} tokens. ${remedy}`.trim(),
  }
}

/** A refusal of too large a prompt, with what to do about it. */
export function withRemedy(failure: GatewayError, remedy: string | undefined): GatewayError {
  if (failure.code !== 'context_length_exceeded' || remedy === undefined) return failure
  const said = /[.!?]$/.test(failure.message) ? failure.message : `${failure.message}.`
  return new GatewayError(failure.code, `${said} ${remedy}`, { param: failure.param ?? undefined })
}
