import { randomUUID } from 'node:crypto'
import { systemClock, type WaitingClock } from '../../clock.ts'
import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject, parseObject } from '../../protocol/json.ts'
import { type ConnectionSettings, keyFor, noKey } from '../connection.ts'
import { droppedNote, fieldsBeside, withNotes } from '../dropped.ts'
import type { UpstreamLimits } from '../kind.ts'
import type { Sessions } from '../store.ts'
import type { Upstream, UpstreamModel, UpstreamRequest } from '../upstream.ts'
import type { Timeouts } from '../wire/deadlines.ts'
import { requestText } from '../wire/http.ts'
import { expectWords, openStream } from '../wire/stream.ts'
import { createHttpClient } from '../wire/undici-client.ts'
import { createQwenAnswer, type QwenAnswer } from './answer.ts'
import { type Thinking, toCompletionBody, toNewChatBody } from './body.ts'
import { type Chain, createChain, createLocks, flatten, freshIn } from './conversation.ts'
import { classify, remedyFor } from './failures.ts'

const REQUEST_MS = 15_000
const MAX_MODELS_BYTES = 8 * 1024 * 1024

/** How long to wait for a chat that is busy, try by try. */
const waitsMs = [1_000, 2_000, 4_000]

/** The chat of Qwen's own web page, with the user's own token. It has no tools, no history and no system role. */
export interface QwenChatSettings extends ConnectionSettings {
  readonly url?: string
  /** The token of a session on the web page, or `passthrough`: the client's own key is one. */
  readonly key?: string | undefined
  /** `replay`: every answer in a fresh chat that gets the whole conversation. `stateful`: conversations are continued. */
  readonly mode?: 'replay' | 'stateful'
  /** Which of the ids the service makes the next message hangs on. */
  readonly parent?: 'response_id' | 'parent_id'
  readonly thinking?: Thinking
}

export interface QwenChatOptions extends Omit<QwenChatSettings, 'mode'> {
  readonly name: string
  readonly timeouts: Timeouts
  readonly limits?: UpstreamLimits | undefined
  /** Where conversations are remembered to be continued; without it, every answer is a chat of its own. */
  readonly sessions?: Sessions | undefined
  readonly clock?: WaitingClock
  readonly newId?: () => string
}

/** Where one message goes. */
interface Place {
  readonly chat: string
  readonly parent: string | null
  readonly content: string
  readonly taught: string
}

export function createQwenChatUpstream(options: QwenChatOptions): Upstream {
  const { name, timeouts, limits, sessions, clock = systemClock, newId = randomUUID } = options
  const { key, parent: parentField = 'response_id', thinking = 'off' } = options
  const url = new URL(options.url ?? 'https://chat.qwen.ai')
  const root = url.pathname.replace(/\/+$/, '')
  const client = createHttpClient(url, { ...timeouts, proxy: options.proxy, ca: options.ca })
  const locks = createLocks()

  function toRequest(method: 'GET' | 'POST', path: string, token: string | undefined, body?: JsonObject) {
    return {
      method,
      path: `${root}${path}`,
      headers: {
        accept: method === 'GET' || path.endsWith('/new') ? 'application/json' : 'text/event-stream, application/json',
        'accept-encoding': 'identity',
        'user-agent': 'dragoman',
        'x-request-id': newId(),
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    }
  }

  async function ask(request: ReturnType<typeof toRequest>, token: string | undefined, signal: AbortSignal) {
    const question = { upstream: name, client, request, withinMs: REQUEST_MS, maxBytes: MAX_MODELS_BYTES }
    const { status, headers, text } = await requestText(question, signal)
    const value = status < 300 ? parseObject(text) : undefined
    if (value !== undefined && value['success'] !== false && !Array.isArray(value['ret'])) return value
    throw toRefusal(status, text, token, headers['retry-after'])
  }

  function toRefusal(status: number, body: string, token: string | undefined, retryAfter?: string): GatewayError {
    return classify({ upstream: name, status, body, retryAfter, secrets: token ? [token] : [] })
  }

  async function createChat(model: string, token: string, signal: AbortSignal): Promise<string> {
    const request = toRequest('POST', '/api/v2/chats/new', token, toNewChatBody(model, clock.now()))
    const { data } = (await ask(request, token, signal)) as { readonly data?: unknown }
    const id = isJsonObject(data) ? data['id'] : undefined
    if (typeof id === 'string' && id !== '') return id
    throw new GatewayError('upstream_malformed', `${name}: created a chat but sent no chat ID.`)
  }

  function say(place: Place, request: UpstreamRequest, token: string, answer: QwenAnswer, signal: AbortSignal) {
    const question = { ...place, model: request.model, thinking, nowMs: clock.now(), newId }
    const path = `/api/v2/chat/completions?chat_id=${encodeURIComponent(place.chat)}`
    const stream = {
      upstream: name,
      client,
      timeouts,
      answerBytes: limits?.answerBytes,
      reader: answer,
      steps: [withNotes(droppedNote(fieldsBeside(request, takes)))],
      onSent: request.onSent,
      request: toRequest('POST', path, token, toCompletionBody(question)),
      async expect(head: { status: number; headers: NodeJS.Dict<string | string[]> }, body: () => Promise<string>) {
        const type = String(head.headers['content-type'] ?? '')
        if (head.status < 300 && type.startsWith('text/event-stream')) return
        throw toRefusal(head.status, await body(), token, head.headers['retry-after']?.toString())
      },
    }
    return openStream(stream, signal)
  }

  /** Where the conversation can be gone on from; nowhere is a chat that has yet to be made. */
  async function findPlace(request: UpstreamRequest, chain: Chain | undefined): Promise<Place | undefined> {
    const session = chain?.before === undefined ? undefined : await sessions?.get(chain.before)
    if (chain === undefined || session === undefined) return undefined
    const content = flatten(freshIn(request.messages) ?? [])
    // The chat has had the reminder with the message it began with.
    return { ...session, content: withoutEnd(content, request.reminder) }
  }

  /** Asks the clock's permission to try again; throws what is not worth it. */
  async function wait(tries: number, thrown: unknown, signal: AbortSignal): Promise<void> {
    const ms = waitsMs[tries]
    if (ms === undefined) throw thrown
    await clock.wait(ms, signal)
  }

  return {
    name,
    kind: 'qwen-chat',
    toolsInWords: true,
    isPersonal: key === 'passthrough',

    async *chat(request, signal) {
      expectWords(name, request)
      const token = keyFor(key, request.clientKey)
      if (!token) throw noKey(name, key)
      const thread = sessions && request.thread
      const chain = thread && createChain(request, thread, [name, token])
      let place = await findPlace(request, chain)
      let reached: { readonly place: Place; readonly answer: QwenAnswer } | undefined
      thread?.onAnswered(async (mark) => {
        const parent = reached?.answer.created[parentField]
        if (chain === undefined || reached?.answer.isWhole !== true || parent === undefined) return
        const { chat, taught } = reached.place
        for (const after of chain.after(mark, taught)) await sessions?.set(after, { chat, parent, taught })
      })
      for (let tries = 0; ; ) {
        const isContinued = place !== undefined
        place ??= {
          chat: await createChat(request.model, token, signal),
          parent: null,
          content: flatten(request.messages),
          taught: chain?.taught ?? '',
        }
        const answer = createQwenAnswer({
          upstream: name,
          classify: (body) => toRefusal(200, body, token),
          maxTokens: request.maxTokens,
          maxEvent: limits?.eventBytes,
        })
        reached = { place, answer }
        const release = await locks.acquire(place.chat, signal)
        let begun = false
        try {
          const reads = say(place, request, token, answer, signal)
          for await (const events of reads) {
            begun ||= events.length > 0
            yield events
          }
          return
        } catch (thrown) {
          const remedy = begun ? undefined : remedyFor(thrown)
          if (remedy === 'wait') await wait(tries++, thrown, signal)
          else if (remedy === 'rebuild' && isContinued) {
            if (chain?.before !== undefined) await sessions?.delete(chain.before)
            place = undefined
          } else throw thrown
        } finally {
          release()
        }
      }
    },

    about: () => ({
      address: `${url.origin}${root}`,
      product: "Qwen's web chat",
      ...(key !== undefined && { key: key === 'passthrough' ? 'client' : 'own' }),
    }),

    async models(signal) {
      const token = key === 'passthrough' ? undefined : key
      const { data } = await ask(toRequest('GET', '/api/models', token), token, signal)
      if (!Array.isArray(data))
        throw new GatewayError('upstream_malformed', `${name}: its reply contains no list of models.`)
      return data.filter(isJsonObject).flatMap(toModel)
    },

    // What it is told about tools it takes without a word, and never calls one.
    async probe() {
      return { nativeTools: 'no' }
    },

    async close() {
      await Promise.all([client.close(), sessions?.close()])
    },
  }
}

function withoutEnd(text: string, end = ''): string {
  return end !== '' && text.endsWith(end) ? text.slice(0, -end.length).trimEnd() : text
}

/** A message has no place for parameters. These two are handled on this side, by the service's count and by the turn. */
const takes: ReadonlySet<string> = new Set(['max_tokens', 'stop'])

function toModel(model: JsonObject): readonly UpstreamModel[] {
  const { id, info } = model as Readonly<Record<string, unknown>>
  const meta = isJsonObject(info) && isJsonObject(info['meta']) ? info['meta'] : {}
  if (typeof id !== 'string' || (isJsonObject(info) && info['is_active'] === false)) return []
  const length = meta['max_context_length']
  return [{ id, ...(typeof length === 'number' && { contextLength: length }) }]
}
