import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Question } from '../flavours/flavour.ts'
import type { Refusal } from '../refusals/refusal.ts'
import { type HttpClient, type HttpHead, requestText } from '../wire/http.ts'

const MAX_BYTES = 8 * 1024 * 1024
/** What a service is asked about itself must not hold up a request for long. */
const QUESTION_MS = 1_000

/** Where a service is, and how anything there is asked. */
export interface Service {
  readonly name: string
  /** The key of the settings, where it is a key. */
  readonly secret: string | undefined
  readonly client: HttpClient
  /** Below the configured address. */
  pathOf(resource: string): string
  /** Beside `/v1`, where services have what is their own. */
  besideOf(path: string): string
  headersFor(secret: string | undefined): Record<string, string>
  /** What a refusal must not repeat: a key may stand in the query of the address, and services quote that. */
  secretsBeside(secret: string | undefined): readonly string[]
  /** What it says of itself, if it says anything. */
  askFreely(question: Question, model: string): Promise<JsonObject | undefined>
}

interface ServiceOptions {
  readonly name: string
  readonly url: URL
  readonly key: string | undefined
  readonly client: HttpClient
  /** Those of the product, as far as it is known by now. */
  readonly headers: () => Readonly<Record<string, string>> | undefined
}

export function createService({ name, url, key, client, headers: ownHeaders }: ServiceOptions): Service {
  const secret = key === 'passthrough' ? undefined : key

  function pathOf(resource: string): string {
    return `${url.pathname.replace(/\/+$/, '')}${resource}${url.search}`
  }

  function besideOf(path: string): string {
    return `${url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')}${path}${url.search}`
  }

  function headersFor(secret: string | undefined): Record<string, string> {
    return {
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
      ...ownHeaders(),
      ...(secret && { authorization: `Bearer ${secret}` }),
    }
  }

  async function askFreely(question: Question, model: string): Promise<JsonObject | undefined> {
    const headers = headersFor(secret)
    const body = question.body?.(model)
    const request = {
      path: question.inside === true ? pathOf(question.path) : besideOf(question.path),
      ...(body === undefined
        ? { method: 'GET' as const, headers }
        : {
            method: 'POST' as const,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    }
    try {
      const question = { upstream: name, client, request, withinMs: QUESTION_MS, maxBytes: MAX_BYTES }
      const { status, text } = await requestText(question, AbortSignal.timeout(QUESTION_MS))
      const answer: unknown = status === 200 ? JSON.parse(text) : undefined
      return isJsonObject(answer) ? answer : undefined
    } catch {
      // Who does not answer is not known any better.
      return undefined
    }
  }

  function secretsBeside(secret: string | undefined): readonly string[] {
    return secret ? [secret, ...url.searchParams.values()] : [...url.searchParams.values()]
  }

  return { name, secret, client, pathOf, besideOf, headersFor, secretsBeside, askFreely }
}

/** Answers worth reading pass, at once; everything else is thrown as what it means. */
export function expectAnswer(
  upstream: string,
  head: HttpHead,
  body: () => Promise<string>,
  refuse: (refusal: Omit<Refusal, 'upstream'>) => GatewayError,
): Promise<never> | undefined {
  const encoding = head.headers['content-encoding']
  if (encoding !== undefined && encoding !== 'identity') {
    throw new GatewayError(
      'upstream_malformed',
      `${upstream}: its response is compressed with "${encoding}", which was not requested.`,
    )
  }
  if (head.status >= 200 && head.status < 300) return undefined
  return refusalBody(head, body).then((words) => {
    throw refuse({ status: head.status, body: words, retryAfter: head.headers['retry-after'] })
  })
}

async function refusalBody(head: HttpHead, body: () => Promise<string>): Promise<string> {
  if (head.status < 400) return `it points to ${head.headers.location ?? 'another place'}`
  try {
    return await body()
  } catch (thrown) {
    // A refusal without its words is still that refusal, unless it was us who stopped reading.
    if (thrown instanceof GatewayError) throw thrown
    return ''
  }
}
