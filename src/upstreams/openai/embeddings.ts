import { byteLength } from '../../bytes.ts'
import { GatewayError } from '../../errors.ts'
import type { Embeddings } from '../../protocol/embedding.ts'
import { isJsonObject, type JsonObject, parseJson } from '../../protocol/json.ts'
import { keyFor, withKeyRemedy } from '../connection.ts'
import { complains } from '../refusals/complaints.ts'
import { classifyRefusal, type Refusal } from '../refusals/refusal.ts'
import { noEmbeddings, type UpstreamEmbedding } from '../upstream.ts'
import { tooLarge } from '../wire/failures.ts'
import { requestText } from '../wire/http.ts'
import { expectAnswer, type Service } from './service.ts'

interface Asking {
  readonly service: Service
  /** As in the settings. */
  readonly key: string | undefined
  readonly withinMs: number
  readonly maxBytes: number
}

/** Statuses of services that have nothing at this address, or nothing behind it. */
const absent: ReadonlySet<number | undefined> = new Set([404, 405, 501])
const unable =
  /\bembeddings?\b.{0,40}\bnot (?:supported|enabled)|(?:does not|doesn't|cannot) (?:support|have) embedding/i

/** The vectors of texts. */
export async function askEmbeddings(
  { service, key, withinMs, maxBytes }: Asking,
  { model, inputs, dimensions, clientKey, requestId }: UpstreamEmbedding,
  signal: AbortSignal,
): Promise<Embeddings> {
  const { name, client, pathOf, headersFor, secretsBeside } = service
  const secret = keyFor(key, clientKey)
  const sent: JsonObject = {
    model,
    input: inputs.length === 1 && inputs[0] !== undefined ? inputs[0] : inputs,
    encoding_format: 'float',
    ...(dimensions !== undefined && { dimensions }),
  }
  const request = {
    method: 'POST',
    path: pathOf('/embeddings'),
    headers: {
      ...headersFor(secret),
      'content-type': 'application/json',
      ...(requestId !== undefined && { 'x-request-id': requestId }),
    },
    body: JSON.stringify(sent),
  } as const
  const refuse = (said: Omit<Refusal, 'upstream'>): GatewayError => {
    const failure = classifyRefusal({ ...said, upstream: name, secrets: secretsBeside(secret) })
    const isAbsent = absent.has(said.status) && failure.code !== 'model_not_found'
    return isAbsent || unable.test(failure.message) ? noEmbeddings() : withKeyRemedy(failure, key, secret)
  }
  const { text, ...head } = await requestText({ upstream: name, client, request, withinMs, maxBytes }, signal)
  await expectAnswer(name, head, async () => text, refuse)
  const said = parseJson(text)
  if (said === undefined && byteLength(text) >= maxBytes) throw tooLarge(name)
  if (isJsonObject(said) && !('data' in said) && complains(said) !== undefined) throw refuse({ body: said })
  return readEmbeddings(name, said, inputs.length)
}

function readEmbeddings(upstream: string, said: unknown, count: number): Embeddings {
  const { data, usage } = isJsonObject(said) ? said : {}
  const vectors = new Map<number, readonly number[]>()
  for (const [service, entry] of Array.isArray(data) ? data.entries() : []) {
    if (!isJsonObject(entry)) continue
    const vector = readVector(entry['embedding'])
    if (vector !== undefined) vectors.set(typeof entry['index'] === 'number' ? entry['index'] : service, vector)
  }
  const ordered = Array.from({ length: count }, (_, index) => vectors.get(index) ?? [])
  if (vectors.size !== count || ordered.some(({ length }) => length === 0)) {
    const message = `${upstream}: it did not answer with one embedding for each input.`
    throw new GatewayError('upstream_malformed', message)
  }
  const tokens = isJsonObject(usage) ? (usage['prompt_tokens'] ?? usage['total_tokens']) : undefined
  return { vectors: ordered, ...(typeof tokens === 'number' && { promptTokens: tokens }) }
}

function readVector(value: unknown): readonly number[] | undefined {
  const isVector = Array.isArray(value) && value.every((number) => typeof number === 'number')
  return isVector ? (value as readonly number[]) : undefined
}
