import { type FailureCode, GatewayError } from '../errors.ts'
import type { Call } from '../protocol/call.ts'
import type { EmbeddingRequest, Embeddings } from '../protocol/embedding.ts'
import type { FinishReason, Usage } from '../protocol/event.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import type { Message } from '../protocol/message.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { ProviderMetadata } from '../protocol/provider-metadata.ts'
import type { Request } from '../protocol/request.ts'

/** What goes to a service: a Request whose messages and tools are already in the form this turn decided on. */
export interface UpstreamRequest extends Request {
  /** The client's own key, for upstreams configured with `key: passthrough`. */
  readonly clientKey?: string
  /** What logs call the request, for services that keep one. */
  readonly requestId?: string
  /** The gateways it has come through, so that one that leads back to itself is noticed. */
  readonly via?: string
  /** Trace headers. */
  readonly headers?: Readonly<Record<string, string>>
  /** Whose conversation it is. Nothing remembered for one owner is used for another. */
  readonly owner?: string
  /** For services that keep the conversation on their side. */
  readonly thread?: Thread
  /** The line with which the last message ends, where one was put there. A service that keeps what it is told needs it once. */
  readonly reminder?: string
  /** How the answer begins: the service goes on after it. Only where declared. */
  readonly prefill?: string
  /** What the answer is held to. Only where declared. */
  readonly constraint?: Constraint
  /** Is told every body that goes over the wire, where one does. */
  readonly onSent?: (body: string | Uint8Array) => void
  /** The service's chat template teaches the tools; calls are left in the text. Only where declared. */
  readonly toolsByTemplate?: true
  /** False: the answer is wanted without a thought before it, where the service can be told so. */
  readonly thinks?: false
  /** What the prompt says in words: for the stand-in, which understands none. */
  readonly origin?: Origin
}

/** A request before its tools and their results were put into words. */
export interface Origin {
  readonly request: Request
  /** Calls as the prompt asks for them. */
  print(calls: readonly Call[]): string
}

/** Texts whose vectors are wanted, as a service is asked for them. */
export interface UpstreamEmbedding extends EmbeddingRequest, Pick<UpstreamRequest, 'clientKey' | 'requestId'> {}

/** What is said where no service has any. Ollama's clients know these words. */
export function noEmbeddings(): GatewayError {
  return new GatewayError('not_found', 'embeddings are not served here')
}

/** A form the service makes sure its answer has, in the notation it takes. */
export type Constraint =
  | { readonly kind: 'gbnf' | 'ebnf'; readonly grammar: string }
  | { readonly kind: 'structural-tag'; readonly tag: JsonObject }
  | { readonly kind: 'json-schema'; readonly schema: JsonObject }

/** One kind of constraint a service holds an answer to. */
export interface ConstraintOffer {
  readonly kind: Constraint['kind']
  /** Words beside calls cost it next to nothing, so that an answer may be held to it that need not call. */
  readonly isCheap?: boolean
}

export interface Mark {
  readonly role: Message['role']
  readonly text: string
}

/** A conversation as its client will tell it again with the next request. */
export interface Thread {
  /** Whose it is, and the client's own name for it: what two of them say alike is still not one conversation. */
  readonly owner: string
  /** One for each of the request's messages: the same for the same message, however the client spells it next time. */
  marks(): readonly string[]
  /** The same conversation in one plain form, whatever form this request has, and without a word about tools. */
  conversation(): readonly Mark[]
  /** What the model is told beside what the client says: its tools and what is asked of it. Empty when that is nothing. */
  taught(): string
  /**
   * Asks for the mark of the answer. It is told once the answer has ended whole, before the client learns that it has;
   * of an answer that broke off or was cut short, nothing is told. To be called before the first read.
   */
  onAnswered(tell: (mark: string) => Promise<void>): void
}

/**
 * What a service said, in order. `call` is a native tool call in pieces: fields appear when the service sends them.
 * Adapters never invent a finish: a stream that ends without one is thrown as `upstream_truncated`, except after
 * `[DONE]`, where `finish` carries `assumed: true`.
 */
export type UpstreamEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'refusal'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call'
      readonly index?: number
      readonly id?: string
      readonly name?: string
      readonly json?: string
      readonly metadata?: ProviderMetadata
      /** Its `json` is not JSON but the text a custom tool takes. */
      readonly isText?: true
      /** It was found in the text, beside calls the service made. */
      readonly isLeaked?: true
    }
  | { readonly type: 'logprobs'; readonly content: readonly Json[] }
  | { readonly type: 'provider-metadata'; readonly fields: ProviderMetadata }
  | { readonly type: 'remarks'; readonly fields: JsonObject }
  | { readonly type: 'note'; readonly kind: NoteKind; readonly detail?: string }
  | ({ readonly type: 'usage' } & Usage)
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly assumed?: boolean }

/** The service could not parse a call in what its model said, and returns the text. It may well be one. */
export class BadGeneration extends GatewayError {
  readonly generation: string

  constructor(code: FailureCode, message: string, generation: string) {
    super(code, message)
    this.generation = generation
  }
}

/**
 * A service seems to refuse tools, but its words stand in the request as well: it may only quote them. Worth another try
 * without tools, and nothing is learnt from it.
 */
export class QuotedRefusal extends GatewayError {}

/** A service does not take the schema of a tool, or cannot make a grammar of it. */
export class SchemaRefusal extends GatewayError {}

export interface UpstreamModel {
  readonly id: string
  readonly contextLength?: number
  /** The most tokens an answer may have, where the service says so. */
  readonly outputLimit?: number
}

/** What a model can do beside text, where its service reports it. */
export interface Abilities {
  /** It looks at pictures. */
  readonly vision?: boolean
  /** It can think before it answers. */
  readonly thinking?: boolean
}

/** What a service is known to do with tools. `unknown`: not asked yet. */
export interface Capabilities extends Abilities {
  readonly nativeTools: 'yes' | 'no' | 'unknown'
  /** False: a call that is required need not come, for all it says. */
  readonly heedsToolChoice?: boolean
  /** How long this may be taken for granted. */
  readonly knownForMs?: number
  /** It goes on from the beginning of an answer. */
  readonly prefill?: boolean
  /** Its chat template can be made to tell the tools without its own parser reading the answer. */
  readonly templateTools?: boolean
  /** How many stop sequences it takes without complaint. */
  readonly stops?: number
  /** What it holds an answer to, the strongest first. */
  readonly constraints?: readonly ConstraintOffer[]
  /** Its prompts end inside a thought, as the service itself shows: unless it is told not to think, or even then. */
  readonly opensThought?: 'usually' | 'always'
  /** How much of a conversation the model is given, where the service reports it. */
  readonly context?: ContextWindow
  /** The source of the model's chat template, where the service reports it. */
  readonly template?: string
}

/** How much of a conversation a model is given. */
export interface ContextWindow {
  /** The tokens it has now. Absent: not known before it is loaded. */
  readonly tokens?: number
  /** The most it could have. */
  readonly most?: number
  /** What does not fit is cut off without a word. */
  readonly cuts?: boolean
  /** What to do where that is too little, for people. */
  readonly remedy?: string
}

/** Who a service is, for people to read: no secrets. */
export interface About {
  /** Where it is. */
  readonly address?: string
  /** What it is known or was recognised to be: `llama.cpp`. */
  readonly product?: string
  /** Whose key it is sent; absent: none. */
  readonly key?: 'own' | 'client'
  /** What to do about native tools that do not work there, for people. */
  readonly toolsRemedy?: string
  /** It has no list of models to ask for, so that nothing is known of it before a request. */
  readonly unlisted?: boolean
  /** Nothing has to be reached: it is part of this program. */
  readonly embedded?: boolean
}

/** One model service. Adapters do transport and shape only; teaching, reading, ids and retries live in the turn. */
export interface Upstream {
  readonly name: string
  readonly kind: string
  about?(): About
  /** How often its list of models may be asked for, just to see whether it is there. Absent: never. */
  readonly checkEveryMs?: number
  /** Every client asks it with a key of its own: what it says of one account holds for that account. */
  readonly isPersonal?: boolean
  /** It takes text only: tools are always taught in the prompt. */
  readonly toolsInWords?: true
  /**
   * One answer, always streamed. Each item holds what arrived in one read, so that it can leave in one write.
   * Throws GatewayError; stops within milliseconds of `signal` aborting.
   */
  chat(request: UpstreamRequest, signal: AbortSignal): AsyncIterable<readonly UpstreamEvent[]>
  models(signal: AbortSignal): Promise<readonly UpstreamModel[]>
  /** Which of its models a name means that none of them is listed by, where a model has several names. */
  findModel?(name: string, listed: readonly string[]): Promise<string | undefined>
  probe(model: string, signal: AbortSignal): Promise<Capabilities>
  /** The tokens of a request's prompt by the model's own tokenizer, where the service has an endpoint for it. */
  countTokens?(request: UpstreamRequest, signal: AbortSignal): Promise<number>
  /** The vectors of texts, where it has any. */
  embed?(request: UpstreamEmbedding, signal: AbortSignal): Promise<Embeddings>
  close(): Promise<void>
}
