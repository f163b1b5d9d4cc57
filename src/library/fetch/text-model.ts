import { GatewayError } from '../../errors.ts'
import type { FinishReason } from '../../protocol/event.ts'
import { classifyRefusal, withoutRetryWords } from '../../upstreams/refusals/refusal.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../../upstreams/upstream.ts'
import { type PlainMessage, toPlain } from '../messages.ts'
import { piecesOf } from '../reading.ts'

/** What a model of your own is asked. */
export interface Question {
  /** The name your client used. */
  readonly model: string
  /** The conversation in words, tools taught and results told: to be sent as it is. */
  readonly messages: readonly PlainMessage[]
  /** Aborts when your client has gone: pass it on. */
  readonly signal: AbortSignal
  /** The API key your client came with. */
  readonly key?: string | undefined
  readonly temperature?: number | undefined
  readonly topP?: number | undefined
  readonly maxTokens?: number | undefined
  readonly stop?: readonly string[] | undefined
  readonly seed?: number | undefined
  readonly user?: string | undefined
}

/** What your model says: words, or thoughts, how the answer ended, and what it took, where you know. */
export type Saying =
  | string
  | { readonly text: string }
  | { readonly reasoning: string }
  | { readonly finish: FinishReason }
  | { readonly usage: { readonly promptTokens: number; readonly completionTokens: number } }

/** Text in, text out. It may throw; an error with a `status` is told with that status. */
export type TextModel = (question: Question) => Sayings | Promise<Sayings>

/** All of it at once, or as it comes. */
export type Sayings = string | AsyncIterable<Saying> | Iterable<Saying> | ReadableStream<Saying>

/** A function as a model service: it knows words only, so tools are taught in the prompt. */
export function createTextUpstream(name: string, model: TextModel, models: readonly string[] = []): Upstream {
  return {
    name,
    kind: 'function',
    toolsInWords: true,
    about: () => ({ embedded: true, unlisted: true }),
    async *chat(request, signal) {
      let finish: FinishReason = 'stop'
      try {
        const said = await model(toQuestion(request, signal))
        for await (const saying of piecesOf(typeof said === 'string' ? [said] : said)) {
          if (signal.aborted) throw signal.reason
          const event = toEvent(saying)
          if (event?.type === 'finish') finish = event.reason
          else if (event !== undefined) yield [event]
        }
      } catch (thrown) {
        throw signal.aborted ? signal.reason : toFailure(name, thrown)
      }
      yield [{ type: 'finish', reason: finish }]
    },
    models: async () => models.map((id) => ({ id })),
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
}

function toQuestion(request: UpstreamRequest, signal: AbortSignal): Question {
  const { model, messages, sampling, maxTokens, stop, user, clientKey } = request
  return {
    model,
    messages: toPlain(messages),
    signal,
    key: clientKey,
    temperature: sampling.temperature,
    topP: sampling.topP,
    maxTokens,
    stop,
    seed: sampling.seed,
    user,
  }
}

function toEvent(saying: Saying): UpstreamEvent | undefined {
  if (typeof saying === 'string') return saying === '' ? undefined : { type: 'text', text: saying }
  if ('text' in saying) return { type: 'text', text: saying.text }
  if ('reasoning' in saying) return { type: 'reasoning', text: saying.reasoning }
  return 'finish' in saying ? { type: 'finish', reason: saying.finish } : { type: 'usage', ...saying.usage }
}

function toFailure(upstream: string, thrown: unknown): GatewayError {
  if (thrown instanceof GatewayError) return thrown
  const message = thrown instanceof Error ? thrown.message : String(thrown)
  const status = typeof thrown === 'object' && thrown !== null && 'status' in thrown ? thrown.status : undefined
  if (typeof status === 'number') return classifyRefusal({ upstream, status, body: message })
  return new GatewayError('upstream_error', withoutRetryWords(`${upstream}: ${message}`), { cause: thrown })
}
