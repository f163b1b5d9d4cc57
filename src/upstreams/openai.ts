import { Pool } from 'undici'
import { GatewayError } from '../errors.ts'
import { isJsonObject } from '../protocol/json.ts'
import { createDeadlines, type Timeouts } from './deadlines.ts'
import { type Exchange, type ExchangeHead, openExchange, readText } from './exchange.ts'
import { createAnswerReader } from './openai-answer.ts'
import { type Forward, toOpenAiBody } from './openai-body.ts'
import { classifyRefusal } from './openai-failures.ts'
import { redact } from './redact.ts'
import type { Upstream, UpstreamEvent, UpstreamModel } from './upstream.ts'

const MAX_REFUSAL_BYTES = 64 * 1024
const MAX_MODELS_BYTES = 8 * 1024 * 1024
const MODELS_MS = 10_000

/** A finish reason is followed by at most the usage and `[DONE]`; who stays silent after it is not waited for longer. */
const AFTER_FINISH_MS = 2_000

/** Any service that speaks OpenAI's chat completions. */
export interface OpenAiSettings {
  /** Up to and including `/v1`. A query is kept. */
  readonly url: string
  /** The key, or `passthrough`: the client's own. */
  readonly key?: string
  readonly forward?: Forward
}

export interface OpenAiOptions extends OpenAiSettings {
  readonly name: string
  readonly timeouts: Timeouts
}

export function createOpenAiUpstream(options: OpenAiOptions): Upstream {
  const { name, key, forward, timeouts } = options
  const url = new URL(options.url)
  // Unbounded here: a limit with a queue belongs where it can be seen. HTTP/1.1 only: there, to cancel is to hang up.
  const pool = new Pool(url.origin, { connect: { timeout: timeouts.connectMs }, allowH2: false })

  function pathOf(resource: string): string {
    return `${url.pathname.replace(/\/+$/, '')}${resource}${url.search}`
  }

  function headersFor(secret: string | undefined): Record<string, string> {
    return {
      accept: 'text/event-stream, application/json',
      'accept-encoding': 'identity',
      'user-agent': 'dragoman',
      ...(secret && { authorization: `Bearer ${secret}` }),
    }
  }

  /** Answers worth reading pass; everything else is thrown as what it means. */
  async function expectAnswer(exchange: Exchange, secrets: readonly string[]): Promise<void> {
    const head = await exchange.head()
    const encoding = head.headers['content-encoding']
    if (encoding !== undefined && encoding !== 'identity') {
      throw new GatewayError('upstream_malformed', `${name}: answered with content encoding "${encoding}", unasked.`)
    }
    if (head.status >= 200 && head.status < 300) return
    throw classifyRefusal({
      upstream: name,
      status: head.status,
      body: await refusalBody(head, exchange),
      retryAfter: head.headers['retry-after'],
      secrets,
    })
  }

  return {
    name,
    kind: 'openai',

    async *chat(request, signal) {
      const secret = key === 'passthrough' ? request.clientKey : key
      const secrets = secret ? [secret] : []
      const exchange = openExchange(
        pool,
        {
          method: 'POST',
          path: pathOf('/chat/completions'),
          headers: { ...headersFor(secret), 'content-type': 'application/json' },
          body: JSON.stringify(toOpenAiBody(request, forward)),
        },
        signal,
      )
      const deadlines = createDeadlines(timeouts, exchange.abort)
      const answer = createAnswerReader(name, (body) => classifyRefusal({ upstream: name, body, secrets }))
      let begun = false
      let whole = false
      try {
        await expectAnswer(exchange, secrets)
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
    },

    async models(signal) {
      const secret = key === 'passthrough' ? undefined : key
      const limit = AbortSignal.any([signal, AbortSignal.timeout(MODELS_MS)])
      const request = { method: 'GET', path: pathOf('/models'), headers: headersFor(secret) } as const
      const exchange = openExchange(pool, request, limit)
      try {
        await expectAnswer(exchange, secret ? [secret] : [])
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

    async probe() {
      return { nativeTools: 'unknown' }
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

function readModels(upstream: string, text: string): readonly UpstreamModel[] {
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
    return id === undefined ? [] : [{ id, ...(contextLength !== undefined && { contextLength }) }]
  })
}

const malformedCodes = new Set(['UND_ERR_HEADERS_OVERFLOW', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH'])

/** What the connection did, as a failure. */
function toFailure(thrown: unknown, upstream: string, begun: boolean): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
  const words = redact(thrown instanceof Error ? thrown.message || code : code)
  if (malformedCodes.has(code) || code.startsWith('HPE_')) {
    return new GatewayError('upstream_malformed', `${upstream}: not an answer in HTTP (${words}).`, { cause: thrown })
  }
  if (begun) {
    const message = `${upstream}: the connection broke before the answer was complete (${words}).`
    return new GatewayError('upstream_truncated', message, { cause: thrown })
  }
  return new GatewayError('upstream_unreachable', `${upstream}: cannot be reached (${words}).`, { cause: thrown })
}
