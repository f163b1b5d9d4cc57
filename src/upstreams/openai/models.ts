import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { UpstreamModel } from '../upstream.ts'

/** A list of models in OpenAI's shape, or in Ollama's. */
export function readModels(upstream: string, text: string): readonly UpstreamModel[] {
  let body: unknown
  try {
    body = JSON.parse(text)
  } catch (cause) {
    throw new GatewayError('upstream_malformed', `${upstream}: the list of models is not valid JSON.`, { cause })
  }
  const list = isJsonObject(body) ? (body['data'] ?? body['models']) : body
  if (!Array.isArray(list))
    throw new GatewayError('upstream_malformed', `${upstream}: no list of models in its answer.`)
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
