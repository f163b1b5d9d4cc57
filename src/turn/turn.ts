import type { EmbeddingRequest, Embeddings } from '../protocol/embedding.ts'
import type { Event } from '../protocol/event.ts'
import type { Plan } from '../protocol/plan.ts'
import type { Request } from '../protocol/request.ts'
import type { Preparation } from '../protocol/trace/change.ts'
import type { About } from '../upstreams/upstream.ts'
import type { TurnObserver } from './observer.ts'

export interface Turn {
  readonly plan: Plan
  /** What was done to the request, in order. */
  readonly preparations?: () => readonly Preparation[]
  /** A guess at the tokens of its prompt, for those who must say something at the beginning. */
  readonly promptTokens: () => number
  /** What arrived in one read is one item, so that it can leave in one write. */
  readonly events: AsyncIterable<readonly Event[]>
}

export interface TurnContext {
  readonly signal: AbortSignal
  readonly clientKey?: string
  /** What logs call the request, here and at the service. */
  readonly requestId?: string
  /** The gateways it has come through. */
  readonly via?: string
  /** Who asks: the same for the same client, and no secret. */
  readonly client?: string
  /** The client's own name for the conversation. */
  readonly conversation?: string
  /** The client gets the answer in one piece: until it is whole, nothing was promised. */
  readonly whole?: boolean
  /** Whether the client is told the usage; absent: it is. */
  readonly usage?: boolean
  readonly overrides?: { readonly tools?: 'native' | 'template' | 'prompt'; readonly dialect?: string }
  /** Who is told what services are asked and say. */
  readonly observers?: readonly TurnObserver[]
}

/** Answers requests: what doors ask for answers, models and tokens. */
export interface Turns {
  start(request: Request, context: TurnContext): Promise<Turn>
  /** Every model there is to ask for. Rejects when there is none because no service answers. */
  models(signal: AbortSignal): Promise<readonly ModelCard[]>
  /** One model by any name that finds it, with what its service tells of it when asked. Throws where there is none. */
  model(name: string, signal: AbortSignal): Promise<ModelCard>
  /** The tokens of a request's prompt, as its model would get it: by the service's tokenizer, else estimated. */
  countTokens(request: Request, context: TurnContext): Promise<number>
  /** The vectors of texts. Throws where no service of the model has any. */
  embed(request: EmbeddingRequest, context: TurnContext): Promise<Embeddings>
  /** Every service, whether it is there, and its models. Never rejects because a service is away. */
  services?(signal: AbortSignal, looking?: Looking): Promise<readonly ServiceCard[]>
}

export interface Looking {
  /** Until when answers are waited for. */
  readonly patience?: AbortSignal
  /** Of how many models of each service to find out how tools reach them. */
  readonly probed?: number
}

export interface ModelCard {
  readonly id: string
  readonly ownedBy: string
  readonly tools: 'native' | 'template' | 'prompt' | 'auto'
  readonly dialect?: string
  readonly contextLength?: number
  /** What it may turn out to be, where its service does not say and cuts prompts off. */
  readonly assumedContext?: number
  /** The most tokens an answer may have, where its service says so. */
  readonly outputLimit?: number
  /** Whether it looks at pictures, and whether it can think before it answers, where its service tells. */
  readonly vision?: boolean
  readonly thinking?: boolean
  /** What people should know before they use it, as sentences. */
  readonly warning?: string
  /** No service that has it can be reached. */
  readonly unavailable?: boolean
}

/** One model service as people should see it. */
export interface ServiceCard extends Pick<About, 'address' | 'product' | 'embedded'> {
  readonly name: string
  /** `unknown`: it cannot be told before a client's request. */
  readonly state: 'up' | 'down' | 'unknown'
  /** What is wrong with it, or what is not known, as a sentence. */
  readonly reason?: string
  /** What to do about it, as a sentence. */
  readonly remedy?: string
  readonly models: readonly ModelCard[]
}
