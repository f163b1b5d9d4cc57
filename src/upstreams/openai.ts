import { createHash } from 'node:crypto'
import { GatewayError } from '../errors.ts'
import { isJsonObject, type JsonObject, parseJson } from '../protocol/json.ts'
import { complains } from './complaints.ts'
import type { Timeouts } from './deadlines.ts'
import type { ExchangeHead } from './exchange.ts'
import type { Flavour, Question } from './flavours/flavour.ts'
import { type Begun, startLate } from './late.ts'
import { createAnswerReader } from './openai-answer.ts'
import { droppedFields, type Forward, toOpenAiBody } from './openai-body.ts'
import { fromFunctions } from './openai-custom.ts'
import { classifyRefusal, type Refusal } from './openai-failures.ts'
import { createIdentity } from './openai-identity.ts'
import { createKeepsakes } from './openai-keepsakes.ts'
import { applyLessons, createLessons, type Lesson, readLessons } from './openai-lessons.ts'
import { readModels } from './openai-models.ts'
import { createThoughts } from './openai-thoughts.ts'
import { createPool } from './pool.ts'
import { run, speak } from './speech.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from './upstream.ts'

const MAX_MODELS_BYTES = 8 * 1024 * 1024
const MODELS_MS = 10_000
/** What a service is asked about itself must not hold up a request for long. */
const QUESTION_MS = 1_000
/** A service that minds one field after the other would be asked for ever. */
const MAX_TRIES = 4

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
  /** The most an answer may say. */
  readonly answerBytes?: number | undefined
  readonly now?: () => number
  /** The flavours there are; default all of the registry. */
  readonly flavours?: readonly Flavour[]
}

export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  const { name, key, forward = [], timeouts, answerBytes } = options
  const url = new URL(options.url)
  const pool = createPool(url, timeouts)
  const now = options.now ?? Date.now
  const lessons = createLessons(now)
  const thoughts = createThoughts()
  const keepsakes = createKeepsakes()
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
  async function expectAnswer(
    head: ExchangeHead,
    body: () => Promise<string>,
    refuse: (refusal: Omit<Refusal, 'upstream'>) => GatewayError,
  ): Promise<void> {
    const encoding = head.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new GatewayError('upstream_malformed', `${name}: answered with content encoding "${encoding}", unasked.`)
    }
    if (head.status >= 200 && head.status < 300) return
    throw refuse({ status: head.status, body: await refusalBody(head, body), retryAfter: head.headers['retry-after'] })
  }

  /** One body sent, and its answer. `refused` is told of every refusal before it is thrown. */
  async function* send(
    body: JsonObject,
    secret: string | undefined,
    signal: AbortSignal,
    refused: (refusal: Refusal) => void,
  ): AsyncGenerator<readonly UpstreamEvent[], void> {
    const refuse = (said: Omit<Refusal, 'upstream'>) => {
      const refusal = { ...said, upstream: name, sent: body, secrets: secret ? [secret] : [] }
      refused(refusal)
      return classifyRefusal(refusal)
    }
    const speech = {
      upstream: name,
      pool,
      request: {
        method: 'POST',
        path: pathOf('/chat/completions'),
        headers: { ...headersFor(secret), 'content-type': 'application/json' },
        body: JSON.stringify(body),
      },
      timeouts,
      reader: createAnswerReader(name, (said) => refuse({ body: said }), answerBytes && maxJsonFor(answerBytes)),
      answerBytes,
      expect: (head: ExchangeHead, said: () => Promise<string>) => expectAnswer(head, said, refuse),
    } as const
    yield* speak(speech, signal)
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
    // Who it is decides how tools are written, and which further fields it takes.
    if (request.tools.length > 0 || droppedFields(request, { forward }).length > 0) await identity.identify()
    const { traits } = identity
    const remembers = traits.reasoning === 'remembered'
    const { thread } = request
    const keeps = traits.keepsakes === 'remembered' && request.tools.length > 0
    const body = toOpenAiBody(request, {
      forward,
      traits,
      ...(remembers && { recall: thoughts.recall }),
      ...(keeps && { recallKept: (place, callId) => keepsakes.recall(thread, place, callId) }),
    })
    const unsent = droppedFields(request, { forward, traits }).map((field) => toNote({ field }))
    const custom = new Set(
      traits.customTools ? [] : request.tools.flatMap((tool) => (tool.kind === 'custom' ? [tool.name] : [])),
    )
    const scope = scopeOf(request.model, secret)
    const known = lessons.about(scope, body)
    const learnt: Lesson[] = []
    for (let tries = 1; ; tries += 1) {
      const sent = applyLessons(body, [...known, ...learnt])
      let refusal: Refusal | undefined
      const reads = send(sent, secret, signal, (said) => {
        refusal = said
      })
      const told = custom.size === 0 ? reads : fromFunctions(reads, custom)
      const heard = remembers ? remember(told) : told
      const rest = keeps && thread !== undefined ? keepsakes.keep(heard, thread) : heard
      try {
        const first = await rest.next()
        lessons.keep(scope, learnt)
        const notes = [...unsent, ...[...known, ...learnt].map(toNote)]
        if (notes.length === 0 || first.done === true) return { first, rest }
        return { first: { done: false, value: [...notes, ...first.value] }, rest }
      } catch (thrown) {
        if (refusal === undefined || tries >= MAX_TRIES || signal.aborted) throw thrown
        const more = readLessons(sent, refusal.status, refusal.body)
        if (more.length === 0) throw thrown
        learnt.push(...more)
      }
    }
  }

  return {
    name,
    kind: 'openai',
    isPersonal: key === 'passthrough',

    chat: (request, signal) => startLate(() => begin(request, signal)),

    async models(signal) {
      const secret = key === 'passthrough' ? undefined : key
      const request = { method: 'GET', path: pathOf('/models'), headers: headersFor(secret) } as const
      const errand = { upstream: name, pool, request, withinMs: MODELS_MS, maxBytes: MAX_MODELS_BYTES }
      const { head, text } = await run(errand, signal)
      await expectAnswer(
        head,
        async () => text,
        (said) => classifyRefusal({ ...said, upstream: name, secrets: secret ? [secret] : [] }),
      )
      const told = parseJson(text)
      if (isJsonObject(told) && !('data' in told) && !('models' in told) && complains(told) !== undefined) {
        throw classifyRefusal({ body: told, upstream: name, secrets: secret ? [secret] : [] })
      }
      return readModels(name, text)
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

/** Text in JSON is longer than text, and stands in a frame. */
function maxJsonFor(answerBytes: number): number {
  return 2 * answerBytes + 64 * 1024
}

async function refusalBody(head: ExchangeHead, body: () => Promise<string>): Promise<string> {
  if (head.status < 400) return `it points to ${head.headers.location ?? 'another place'}`
  try {
    return await body()
  } catch (thrown) {
    // A refusal without its words is still that refusal, unless it was us who stopped reading.
    if (thrown instanceof GatewayError) throw thrown
    return ''
  }
}

/** What one caller may not send, another may: a key stands for its account. */
function scopeOf(model: string, secret: string | undefined): string {
  return JSON.stringify([
    model,
    createHash('sha256')
      .update(secret ?? '')
      .digest('base64'),
  ])
}

function toNote({ field, instead }: Pick<Lesson, 'field' | 'instead'>): UpstreamEvent {
  return { type: 'note', kind: 'field_dropped', detail: instead === undefined ? field : `${field}, for ${instead}` }
}
