import { GatewayError } from '../../../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../../protocol/json.ts'
import { complains } from '../../refusals/complaints.ts'
import { classifyRefusal } from '../../refusals/refusal.ts'
import type { UpstreamModel } from '../../upstream.ts'
import { type HttpHead, requestText } from '../../wire/http.ts'
import { expectAnswer } from '../answer/expect.ts'
import type { Place } from './place.ts'

const MAX_MODELS_BYTES = 8 * 1024 * 1024
const MODELS_MS = 10_000

/** The models it lists. */
export async function askModels(place: Place, signal: AbortSignal): Promise<readonly UpstreamModel[]> {
  const { name, secret, client, pathOf, headersFor, secretsBeside } = place
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
