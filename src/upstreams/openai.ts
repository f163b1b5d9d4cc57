import { Pool } from 'undici'
import { GatewayError } from '../errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { createDeadlines, type Timeouts } from './deadlines.ts'
import { type Exchange, type ExchangeHead, openExchange, readText } from './exchange.ts'
import type { Flavour, Question } from './flavours/flavour.ts'
import { type Begun, startLate } from './late.ts'
import { createAnswerReader } from './openai-answer.ts'
import { type Forward, toOpenAiBody } from './openai-body.ts'
import { classifyRefusal, type Refusal } from './openai-failures.ts'
import { createIdentity } from './openai-identity.ts'
import { createLessons, type Lesson } from './openai-lessons.ts'
import { readModels } from './openai-models.ts'
import { createThoughts } from './openai-thoughts.ts'
import { run, toFailure } from './speech.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from './upstream.ts'

const MAX_REFUSAL_BYTES = 64 * 1024
const MAX_MODELS_BYTES = 8 * 1024 * 1024
const MODELS_MS = 10_000
/** What a service is asked about itself must not hold up a request for long. */
const QUESTION_MS = 1_000

/** A finish reason is followed by at most the usage and `[DONE]`; who stays silent after it is not waited for longer. */
const AFTER_FINISH_MS = 2_000

/** Any service that speaks OpenAI's chat completions. */
export interface OpenAiSettings {
  /** Up to and including `/v1`. A query is kept. */
  readonly url: string
  /** The key, or `passthrough`: the client's own. */
  readonly key?: string
  readonly forward?: Forward
  /** The name of a flavour. Absent: found out by the address, else by free questions. */
  readonly flavour?: string | undefined
}

export interface OpenAiOptions extends OpenAiSettings {
  readonly name: string
  readonly timeouts: Timeouts
  readonly now?: () => number
  /** The flavours there are; default all of the registry. */
  readonly flavours?: readonly Flavour[]
}

export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  const { name, key, forward = [], timeouts } = options
  const url = new URL(options.url)
  // Unbounded here: a limit with a queue belongs where it can be seen. HTTP/1.1 only: there, to cancel is to hang up.
  const pool = new Pool(url.origin, { connect: { timeout: timeouts.connectMs }, allowH2: false })
  const now = options.now ?? Date.now
  const lessons = createLessons(now)
  const thoughts = createThoughts()
  const identity = createIdentity({
    url,
    flavour: options.flavour === 'auto' ? undefined : options.flavour,
    ask: askFreely,
    now,
    known: options.flavours,
  })

  function pathOf(resource: string): string {
    return `${url.pathname.replace(/\/+$/, '')}${resource}${url.search}`
  }

  function headersFor(secret: string | undefined): Record<string, string> {
    return {
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
      ...identity.traits.headers,
      ...(secret && { authorization: `Bearer ${secret}` }),
    }
  }

  async function askFreely(question: Question, model: string): Promise<JsonObject | undefined> {
    const beside = url.pathname.replace(/\/+$/, '').replace(/\/v1$/, '')
    const headers = headersFor(key === 'passthrough' ? undefined : key)
    const body = question.body?.(model)
    const request = {
      path: question.inside === true ? pathOf(question.path) : `${beside}${question.path}${url.search}`,
      ...(body === undefined
        ? { method: 'GET' as const, headers }
        : {
            method: 'POST' as const,
            headers: { ...headers, 'content-type': 'application/json' },
            body: JSON.stringify(body),
          }),
    }
    try {
      const errand = { upstream: name, pool, request, withinMs: QUESTION_MS, maxBytes: MAX_MODELS_BYTES }
      const { head, text } = await run(errand, AbortSignal.timeout(QUESTION_MS))
      const answer: unknown = head.status === 200 ? JSON.parse(text) : undefined
      return isJsonObject(answer) ? answer : undefined
    } catch {
      // Who does not answer is not known any better.
      return undefined
    }
  }

  /** Answers worth reading pass; everything else is thrown as what it means. */
  async function expectAnswer(exchange: Exchange, refuse: (refusal: Omit<Refusal, 'upstream'>) => GatewayError) {
    const head = await exchange.head()
    const encoding = head.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new GatewayError('upstream_malformed', `${name}: answered with content encoding "${encoding}", unasked.`)
    }
    if (head.status >= 200 && head.status < 300) return
    const body = await refusalBody(head, exchange)
    throw refuse({ status: head.status, body, retryAfter: head.headers['retry-after'] })
  }

  /** One body sent, and its answer. `refused` is told of every refusal before it is thrown. */
  async function* send(
    body: JsonObject,
    secret: string | undefined,
    signal: AbortSignal,
    refused: (refusal: Refusal) => void,
  ): AsyncGenerator<readonly UpstreamEvent[], void> {
    const refuse = (said: Omit<Refusal, 'upstream'>) => {
      const refusal = { ...said, upstream: name, secrets: secret ? [secret] : [] }
      refused(refusal)
      return classifyRefusal(refusal)
    }
    const exchange = openExchange(
      pool,
      {
        method: 'POST',
        path: pathOf('/chat/completions'),
        headers: { ...headersFor(secret), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      signal,
    )
    const deadlines = createDeadlines(timeouts, exchange.abort)
    const answer = createAnswerReader(name, (said) => refuse({ body: said }))
    let begun = false
    let whole = false
    try {
      await expectAnswer(exchange, refuse)
      begun = true
      while (!answer.done) {
        const chunks = await readOn(exchange, () => answer.finished && !signal.aborted)
        if (!chunks) break
        const events: UpstreamEvent[] = []
        let progressed = false
        try {
          for (const chunk of chunks) progressed = answer.push(chunk, events) || progressed
        } catch (thrown) {
          // What was said before the failure was said.
          if (events.length > 0) yield events
          throw thrown
        }
        if (events.length > 0) {
          deadlines.hold()
          yield events
        }
        if (answer.finished) deadlines.lastCall(Math.min(AFTER_FINISH_MS, timeouts.idleMs))
        else if (progressed) deadlines.progress()
      }
      const last: UpstreamEvent[] = []
      answer.end(last)
      whole = true
      yield last
    } catch (thrown) {
      if (signal.aborted) throw signal.reason
      throw toFailure(thrown, name, begun)
    } finally {
      deadlines.clear()
      if (whole) exchange.release()
      else exchange.abort(new Error('cancelled'))
    }
  }

  /** Keeps what the model thinks before it calls, for the next request. */
  async function* remember(reads: AsyncIterable<readonly UpstreamEvent[]>) {
    const heard = thoughts.listen()
    for await (const events of reads) {
      heard.hear(events)
      yield events
    }
    heard.end()
  }

  async function begin(request: UpstreamRequest, signal: AbortSignal): Promise<Begun<readonly UpstreamEvent[]>> {
    const secret = key === 'passthrough' ? request.clientKey : key
    if (request.tools.length > 0) await identity.identify()
    const { traits } = identity
    const remembers = traits.reasoning === 'remembered'
    const body = toOpenAiBody(request, { forward, traits, ...(remembers && { recall: thoughts.recall }) })
    for (let isLast = false; ; isLast = true) {
      const { body: sent, applied } = lessons.apply(request.model, body)
      let refusal: Refusal | undefined
      const reads = send(sent, secret, signal, (said) => {
        refusal = said
      })
      const rest = remembers ? remember(reads) : reads
      try {
        const first = await rest.next()
        if (applied.length === 0 || first.done === true) return { first, rest }
        return { first: { done: false, value: [...applied.map(toNote), ...first.value] }, rest }
      } catch (thrown) {
        // Once: a service that minds every field in turn would be asked for ever.
        if (refusal === undefined || isLast || signal.aborted) throw thrown
        if (!lessons.learn(request.model, sent, refusal.status, refusal.body)) throw thrown
      }
    }
  }

  return {
    name,
    kind: 'openai',

    chat: (request, signal) => startLate(() => begin(request, signal)),

    async models(signal) {
      const secret = key === 'passthrough' ? undefined : key
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MODELS_MS)])
      const request = { method: 'GET', path: pathOf('/models'), headers: headersFor(secret) } as const
      const exchange = openExchange(pool, request, limit)
      try {
        await expectAnswer(exchange, (said) =>
          classifyRefusal({ ...said, upstream: name, secrets: secret ? [secret] : [] }),
        )
        const { text } = await readText(exchange, MAX_MODELS_BYTES)
        return readModels(name, text)
      } catch (thrown) {
        if (signal.aborted) throw signal.reason
        if (limit.aborted) throw new GatewayError('upstream_timeout', `${name}: no list of models in ${MODELS_MS} ms.`)
        throw toFailure(thrown, name, false)
      } finally {
        exchange.abort(new Error('cancelled'))
      }
    },

    async probe(model) {
      await identity.identify()
      const nativeTools = await identity.nativeTools(model)
      const { toolChoice, prefill, schema, knownForMs } = identity.traits
      return {
        nativeTools,
        heedsToolChoice: toolChoice !== 'unheard',
        prefill: prefill.by !== 'none',
        constraints: schema === 'none' ? [] : ['json-schema'],
        knownForMs,
      }
    },

    async close() {
      await pool.destroy()
    },
  }
}

/** The next read; a connection that breaks once the answer is whole has merely ended. */
async function readOn(exchange: Exchange, isWhole: () => boolean): Promise<readonly Uint8Array[] | undefined> {
  try {
    return await exchange.read()
  } catch (thrown) {
    if (isWhole()) return undefined
    throw thrown
  }
}

async function refusalBody(head: ExchangeHead, exchange: Exchange): Promise<string> {
  if (head.status < 400) return `it points to ${head.headers.location ?? 'another place'}`
  try {
    return (await readText(exchange, MAX_REFUSAL_BYTES)).text
  } catch (thrown) {
    // A refusal without its words is still that refusal, unless it was us who stopped reading.
    if (thrown instanceof GatewayError) throw thrown
    return ''
  }
}

function toNote({ field, instead }: Lesson): UpstreamEvent {
  return { type: 'note', kind: 'field-dropped', detail: instead === undefined ? field : `${field}, for ${instead}` }
}
