import type { FinishReason, Usage } from '../protocol/event.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Request } from '../protocol/request.ts'

/** What goes to a service: a Request whose messages and tools are already in the form this turn decided on. */
export interface UpstreamRequest extends Request {
  /** The client's own key, for upstreams configured with `key: passthrough`. */
  readonly clientKey?: string
  /** Upstream-specific fields the turn asks for (prefill flags, structured output), by wire name. */
  readonly hints?: JsonObject
}

/**
 * What a service said, in order. `call` is a native tool call in pieces: fields appear when the service sends them.
 * Adapters never invent a finish: a stream that ends without one is thrown as `upstream_truncated`, except after
 * `[DONE]`, where `finish` carries `assumed: true`.
 */
export type UpstreamEvent =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'call'
      readonly index?: number
      readonly id?: string
      readonly name?: string
      readonly json?: string
    }
  | { readonly type: 'replace'; readonly text: string }
  | { readonly type: 'note'; readonly kind: string; readonly detail?: string }
  | ({ readonly type: 'usage' } & Usage)
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly assumed?: boolean }

export interface UpstreamModel {
  readonly id: string
  readonly contextLength?: number
}

/** What a service is known to do with tools. `unknown`: nobody asked it yet. */
export interface Capabilities {
  readonly nativeTools: 'yes' | 'no' | 'unknown'
}

/** One model service. Adapters do transport and shape only; teaching, reading, ids and retries live in the turn. */
export interface Upstream {
  readonly name: string
  readonly kind: string
  /**
   * One answer, always streamed. Each item holds what arrived in one read, so that it can leave in one write.
   * Throws GatewayError; stops within milliseconds of `signal` aborting.
   */
  chat(request: UpstreamRequest, signal: AbortSignal): AsyncIterable<readonly UpstreamEvent[]>
  models(signal: AbortSignal): Promise<readonly UpstreamModel[]>
  probe(model: string, signal: AbortSignal): Promise<Capabilities>
  close(): Promise<void>
}
