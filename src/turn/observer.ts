import type { Plan } from '../protocol/plan.ts'
import type { Request } from '../protocol/request.ts'
import type { Tool } from '../protocol/tool.ts'
import type { Span } from '../protocol/trace/span.ts'
import type { UpstreamEvent, UpstreamRequest } from '../upstreams/upstream.ts'

/** Sees every request to a service and each batch of its answer: for recordings and traces. Changes nothing. */
export interface TurnObserver {
  ask(asking: Asking, question: Question): UpstreamObserver
}

/** How a service is asked. It holds nothing of what is said, so that it costs little to keep. */
export interface Asking {
  readonly plan: Plan
  /** The plainer form the messages were put in, after the usual one was refused. */
  readonly rung?: string | undefined
  /** What was made of a question, worked out anew: only when it is looked at in the inspector. */
  look(question: Question): Look
}

/** What it is asked. */
export interface Question {
  /** The client's request, as the turn took it. */
  readonly request: Request
  /** What the service got, where more than the request went into it: it was asked again, with what was wrong. */
  readonly corrected?: UpstreamRequest | undefined
}

export interface Look {
  /** What the service got. */
  readonly request: UpstreamRequest
  /** The words of it that teach the tools. */
  readonly taught: string
  /** What became of each part of its answer. Costs what reading it cost. */
  reread(answer: RawAnswer): Reread
}

/** One service asked once. */
export interface UpstreamObserver {
  /** What tells the service which trace its work belongs to. */
  readonly headers?: Readonly<Record<string, string>>
  /** The body that goes over the wire. */
  sent?(body: string | Uint8Array): void
  said(events: readonly UpstreamEvent[]): void
  /** Once, with what was thrown if it failed. */
  ended(thrown?: unknown): void
}

/** The same answer, passed to observers on its way. */
export async function* observed(
  reads: AsyncIterable<readonly UpstreamEvent[]>,
  observers: readonly UpstreamObserver[],
): AsyncGenerator<readonly UpstreamEvent[], void> {
  let failure: unknown
  try {
    for await (const events of reads) {
      for (const observer of observers) observer.said(events)
      yield events
    }
  } catch (thrown) {
    failure = thrown
    throw thrown
  } finally {
    for (const observer of observers) observer.ended(failure)
  }
}

/** An answer as far as it matters to who reads it again. */
export interface RawAnswer {
  readonly text: string
  /** How much of the text had been said when the first native call came. */
  readonly calledAt?: number | undefined
  readonly ending: 'stop' | 'length' | 'content_filter' | 'died'
}

export interface Reread {
  /** From the first character of the text to the last. */
  readonly spans: readonly Span[]
  /** All it takes to read it the same way; absent where it was not read, or in a way that has no name. */
  readonly recipe?: Recipe
}

/** An answer and all that decides how it is read. */
export interface Recipe {
  /** With the beginning that was written for the model. */
  readonly text: string
  readonly tools: readonly Tool[]
  readonly dialect?: string | undefined
  readonly parallel?: boolean | undefined
  readonly startsIn: 'text' | 'reasoning'
  readonly unknownTools: 'auto' | 'call' | 'text'
  readonly ending: RawAnswer['ending']
  /** The calls that were found to stand in the request. */
  readonly quoted: readonly { readonly name: string; readonly arguments: string }[]
  readonly content: string
  readonly reasoning: string
  readonly calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish?: string | undefined
}
