import type { Json, JsonObject } from './json.ts'
import type { NoteKind } from './note.ts'
import type { ProviderMetadata } from './provider-metadata.ts'

/** Why an answer ended. */
export type FinishReason = 'stop' | 'tool_calls' | 'length' | 'content_filter'

/** The tokens an answer took. */
export interface Usage {
  readonly promptTokens: number
  readonly completionTokens: number
  /** Read from a cache of prompts, and written to it. */
  readonly cachedTokens?: number
  readonly cacheWriteTokens?: number
  readonly reasoningTokens?: number
  /** The service gave no figures; these are estimated. */
  readonly estimated?: boolean
}

/** What was repaired, held, dropped or found worth telling: for traces, metrics and headers, never for the client's text. */
export interface Note {
  readonly type: 'note'
  readonly kind: NoteKind
  readonly detail?: string
  readonly index?: number
}

/**
 * What one answer consists of, in the order the model spoke. A door turns these into its wire; a whole answer is a fold
 * over the same events, so streaming and not streaming cannot disagree.
 *
 * Calls come one after the other: between the start of a call and its end, or error, nothing else is said.
 * `call-delta.json` concatenated over a call is its arguments: at every moment a prefix of valid JSON.
 * `call-error` ends a call that was started and never completed; `raw` is the text it was read from.
 */
export type Event =
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'text-delta'; readonly text: string }
  /** Words with which the model refuses, where the service tells them from others. */
  | { readonly type: 'refusal-delta'; readonly text: string }
  | {
      readonly type: 'call-start'
      readonly index: number
      readonly id: string
      readonly name: string
      readonly metadata?: ProviderMetadata
    }
  | { readonly type: 'call-delta'; readonly index: number; readonly json: string }
  | { readonly type: 'call-end'; readonly index: number }
  | { readonly type: 'call-error'; readonly index: number; readonly raw: string; readonly reason: string }
  /** How sure the model was of its text, token by token, as the service tells it. */
  | { readonly type: 'logprobs'; readonly content: readonly Json[] }
  /** What the service wants back with this answer, whole, or with one of its calls. */
  | { readonly type: 'provider-metadata'; readonly index?: number; readonly fields: ProviderMetadata }
  /** What the service says about its answer (`timings`, `system_fingerprint`), for the client as it came. */
  | { readonly type: 'remarks'; readonly fields: JsonObject }
  | Note
  | ({ readonly type: 'usage' } & Usage)
  /** `stop`: the sequence that ended it, where one did and it is known. */
  | { readonly type: 'finish'; readonly reason: FinishReason; readonly stop?: string }

/** Whether an event is beside the answer: as long as there are only such, nothing has been said. */
export function isAside({ type }: Event): boolean {
  return type === 'note' || type === 'usage' || type === 'remarks' || type === 'provider-metadata'
}
