import { GatewayError } from '../../errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { type Message, textOf } from '../../protocol/message.ts'
import { type ConnectionSettings, keyFor, noKey } from '../connection.ts'
import { droppedNote, fieldsBeside, withNotes } from '../dropped.ts'
import type { UpstreamLimits } from '../kind.ts'
import { withoutRetryWords } from '../refusals/refusal.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../upstream.ts'
import type { Timeouts } from '../wire/deadlines.ts'
import { expectWords, openStream, refusalOf } from '../wire/stream.ts'
import { createHttpClient } from '../wire/undici-client.ts'
import { createPoeReader } from './events.ts'

/** Poe's bots, by the bot query protocol 1.2. Which bots there are it does not say: models have to be configured. */
export interface PoeSettings extends ConnectionSettings {
  /** Bots are below it. */
  readonly url?: string
  /** The key, or `passthrough`: the client's own. */
  readonly key?: string | undefined
}

export interface PoeOptions extends PoeSettings {
  readonly name: string
  readonly timeouts: Timeouts
  readonly limits?: UpstreamLimits | undefined
}

export function createPoeUpstream({ name, key, timeouts, limits, ...options }: PoeOptions): Upstream {
  const url = new URL(options.url ?? 'https://api.poe.com/bot')
  const root = url.pathname.replace(/\/+$/, '')
  const client = createHttpClient(url, { ...timeouts, proxy: options.proxy, ca: options.ca })

  async function* chat(request: UpstreamRequest, signal: AbortSignal): AsyncGenerator<readonly UpstreamEvent[], void> {
    expectWords(name, request)
    const secret = keyFor(key, request.clientKey)
    if (!secret) throw noKey(name, key)
    const stream = {
      upstream: name,
      client,
      timeouts,
      answerBytes: limits?.answerBytes,
      onSent: request.onSent,
      reader: createPoeReader(name, [secret], limits?.eventBytes),
      steps: [withNotes(droppedNote(fieldsBeside(request, takes)))],
      request: {
        method: 'POST' as const,
        path: `${root}/${encodeURIComponent(request.model)}`,
        headers: {
          accept: 'application/json',
          'accept-encoding': 'identity',
          'content-type': 'application/json',
          'user-agent': 'dragoman',
          authorization: `Bearer ${secret}`,
        },
        body: JSON.stringify(toPoeBody(request)),
      },
      async expect(head: Parameters<typeof refusalOf>[1], body: () => Promise<string>) {
        const isRefusal = String(head.headers['content-type']).startsWith('application/json')
        if (head.status >= 200 && head.status < 300 && !isRefusal) return
        throw head.status === 404 ? noBot(name, request.model) : refusalOf(name, head, await body(), [secret])
      },
    }
    yield* openStream(stream, signal)
  }

  return {
    name,
    kind: 'poe',
    toolsInWords: true,
    isPersonal: key === 'passthrough',

    about: () => ({
      address: `${url.origin}${root}`,
      product: "Poe's bots",
      unlisted: true,
      ...(key !== undefined && { key: key === 'passthrough' ? 'client' : 'own' }),
    }),

    chat,

    async models() {
      return []
    },

    // Some bots take tools; the API does not say which.
    async probe() {
      return { nativeTools: 'no' }
    },

    async close() {
      await client.close()
    },
  }
}

/** Bots are addresses: one that is not there is a bot that is not there. */
function noBot(upstream: string, model: string): GatewayError {
  const remedy = "Check the spelling of the model's name, or of `model` in its settings."
  const message = `${upstream}: Poe has no bot called '${model.slice(0, 200)}' (status 404). ${remedy}`
  return new GatewayError('model_not_found', withoutRetryWords(message), { param: 'model' })
}

/** The only fields a query has a place for. */
const takes: ReadonlySet<string> = new Set(['temperature', 'logit_bias', 'stop'])

const roles = { system: 'system', user: 'user', assistant: 'bot', tool: 'tool' } as const

/** A request as a bot reads it. There is no field for the length of the answer. */
function toPoeBody({ messages, sampling, stop, user }: UpstreamRequest): JsonObject {
  return {
    version: '1.2',
    type: 'query',
    query: messages.map(toPoeMessage),
    user_id: user ?? '',
    conversation_id: '',
    message_id: '',
    temperature: sampling.temperature ?? null,
    skip_system_prompt: false,
    logit_bias: sampling.logitBias ?? {},
    stop_sequences: stop ?? [],
    language_code: 'en',
    tools: null,
    tool_calls: null,
    tool_results: null,
  }
}

function toPoeMessage({ role, content }: Message): JsonObject {
  return {
    role: roles[role],
    content: textOf(content),
    content_type: 'text/markdown',
    timestamp: 0,
    message_id: '',
    feedback: [],
    attachments: [],
    parameters: {},
    message_type: null,
    metadata: null,
  }
}
