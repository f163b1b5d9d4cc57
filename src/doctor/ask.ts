import type { Event } from '../protocol/event.ts'
import { type Answer, fold } from '../protocol/fold.ts'
import { isJsonObject, type JsonObject, parseJson } from '../protocol/json.ts'
import type { Request } from '../protocol/request.ts'
import { defaultSettings, type ModelSettings } from '../turn/settings.ts'
import { createTurns } from '../turn/turns.ts'
import { toOpenAiBody } from '../upstreams/openai/body.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../upstreams/upstream.ts'
import { requestText } from '../upstreams/wire/http.ts'
import { createHttpClient } from '../upstreams/wire/undici-client.ts'

/** What one trial may take: a large model may have to be loaded first. */
const trialMs = 120_000
const maxTokens = 2_048

/** An answer, or why there is none. */
export type Outcome<Said> = { readonly said: Said } | { readonly failure: Error }

async function outcomeOf<Said>(ask: () => Promise<Said>): Promise<Outcome<Said>> {
  try {
    return { said: await ask() }
  } catch (thrown) {
    return { failure: thrown instanceof Error ? thrown : new Error(String(thrown)) }
  }
}

function complete(model: string, asked: Partial<Request>): UpstreamRequest {
  return { model, messages: [], tools: [], sampling: { temperature: 0 }, maxTokens, extra: {}, ...asked }
}

/** A request as the gateway would put it, in this mode and dialect. */
export function askAsGateway(
  upstream: Upstream,
  model: string,
  settings: Partial<ModelSettings>,
  asked: Partial<Request>,
  signal: AbortSignal,
): Promise<Outcome<Answer>> {
  return outcomeOf(async () => {
    let ids = 0
    const turns = createTurns({
      upstreams: new Map([[upstream.name, upstream]]),
      models: [{ ...defaultSettings(model, [upstream.name]), ...settings }],
      newId: () => `call_${ids++}`,
    })
    const limit = AbortSignal.any([signal, AbortSignal.timeout(trialMs)])
    const turn = await turns.start(complete(model, asked), { signal: limit })
    const events: Event[] = []
    for await (const some of turn.events) events.push(...some)
    return fold(events)
  })
}

export interface PlainAnswer {
  readonly text: string
  readonly events: readonly UpstreamEvent[]
  readonly firstMs: number
  readonly ms: number
}

/** A request as it stands, and all the service said. */
export function askPlainly(
  upstream: Upstream,
  model: string,
  asked: Partial<Request>,
  signal: AbortSignal,
): Promise<Outcome<PlainAnswer>> {
  return outcomeOf(async () => {
    const begun = performance.now()
    let firstMs: number | undefined
    const events: UpstreamEvent[] = []
    const limit = AbortSignal.any([signal, AbortSignal.timeout(trialMs)])
    for await (const some of upstream.chat(complete(model, asked), limit)) {
      firstMs ??= performance.now() - begun
      events.push(...some)
    }
    const ms = performance.now() - begun
    return {
      text: events.map((event) => (event.type === 'text' ? event.text : '')).join(''),
      events,
      ms,
      firstMs: firstMs ?? ms,
    }
  })
}

/** Where a service is, for what only a plain request shows. */
export interface Reach {
  readonly url: string
  readonly key?: string
}

/** The same request answered in one piece: the gateway never asks that way, but what it gives shows what the stream lost. */
export function askWhole(
  { url, key }: Reach,
  model: string,
  asked: Partial<Request>,
  signal: AbortSignal,
): Promise<Outcome<{ readonly calls: readonly { readonly name: string; readonly arguments: string }[] }>> {
  return outcomeOf(async () => {
    const base = new URL(url)
    const client = createHttpClient(base, { connectMs: 5_000 })
    try {
      const { stream_options: _, ...body } = toOpenAiBody(complete(model, asked))
      const request = {
        method: 'POST',
        path: `${base.pathname.replace(/\/+$/, '')}/chat/completions${base.search}`,
        headers: {
          'content-type': 'application/json',
          accept: 'application/json',
          'accept-encoding': 'identity',
          'user-agent': 'dragoman',
          ...(key !== undefined && key !== 'passthrough' && { authorization: `Bearer ${key}` }),
        },
        body: JSON.stringify({ ...body, stream: false }),
      } as const
      const question = { upstream: url, client, request, withinMs: trialMs, maxBytes: 1 << 20 }
      const { status, text } = await requestText(question, signal)
      if (status !== 200) throw new Error(`It answered with status ${status}.`)
      return { calls: readCalls(parseJson(text)) }
    } finally {
      await client.close()
    }
  })
}

function readCalls(body: unknown) {
  const choices = isJsonObject(body) && Array.isArray(body['choices']) ? body['choices'] : []
  const message: unknown = isJsonObject(choices[0]) ? choices[0]['message'] : undefined
  const calls = isJsonObject(message) && Array.isArray(message['tool_calls']) ? message['tool_calls'] : []
  return calls.filter(isJsonObject).flatMap(({ function: called }) => {
    if (!isJsonObject(called) || typeof called['name'] !== 'string') return []
    return [{ name: called['name'], arguments: textOf(called['arguments']) }]
  })
}

function textOf(value: JsonObject[string] | undefined): string {
  return typeof value === 'string' ? value : JSON.stringify(value ?? {})
}
