import type { GatewayError } from '../../../errors.ts'
import type { Event, FinishReason, Usage } from '../../../protocol/event.ts'
import { finishReason, unfinished } from '../../../protocol/finish.ts'
import { type Answer, fold } from '../../../protocol/fold.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { withMetadata } from '../../../protocol/provider-metadata.ts'
import { sumUsage } from '../../../protocol/usage.ts'

type AnsweredCall = Answer['calls'][number]

function toCall({ id, name, arguments: json, metadata }: AnsweredCall, manner: Manner): JsonObject {
  const ids = manner.quirks.callIdField ? { id, call_id: id } : { id }
  const call: JsonObject = manner.customTools.has(name)
    ? { ...ids, type: 'custom', custom: { name, input: json } }
    : { ...ids, type: 'function', function: { name, arguments: json || '{}' } }
  return withMetadata(call, metadata)
}

function toMessage(answer: Answer, manner: Manner): JsonObject {
  const { content, refusal, reasoning, calls, metadata } = answer
  const [first] = calls
  const called = first !== undefined
  return {
    role: 'assistant',
    content: content === '' && (called || refusal !== '') ? null : content,
    refusal: refusal === '' ? null : refusal,
    ...(reasoning !== '' && { reasoning_content: reasoning, reasoning }),
    ...metadata,
    ...(called && !manner.legacyFunctions && { tool_calls: calls.map((call) => toCall(call, manner)) }),
    ...(called &&
      manner.legacyFunctions && { function_call: { name: first.name, arguments: first.arguments || '{}' } }),
  }
}

function toChoice(answer: Answer, index: number, manner: Manner): JsonObject {
  if (answer.finish === undefined) {
    throw unfinished()
  }
  const reason = toFinishReason(answer.finish, answer.calls.length, manner)
  const logprobs = answer.logprobs.length === 0 ? null : { content: answer.logprobs, refusal: null }
  return { index, message: toMessage(answer, manner), logprobs, finish_reason: reason }
}

/** Events as one `chat.completion`: a fold over what would have been streamed. */
export function printCompletion(identity: Identity, choices: readonly (readonly Event[])[], manner: Manner): string {
  const { id, created, model } = identity
  const answers = choices.map((events) => fold(events))
  const usage = sumUsage(answers.map((answer) => answer.usage))
  return JSON.stringify({
    id,
    object: 'chat.completion',
    created,
    model,
    ...Object.assign({}, ...answers.map(({ remarks }) => remarks)),
    choices: answers.map((answer, index) => toChoice(answer, index, manner)),
    ...(usage !== undefined && { usage: toUsage(usage) }),
  })
}

/** What every piece of one answer repeats. */
export interface Identity {
  readonly id: string
  readonly created: number
  readonly model: string
}

/** How this client wants to be answered. */
export interface Manner {
  readonly includeUsage: boolean
  readonly legacyFunctions: boolean
  /** Names of the tools that take free text. */
  readonly customTools: ReadonlySet<string>
  readonly quirks: Quirks
}

/** The reason in this door's words; `tool_calls` exactly where there are calls. */
export function toFinishReason(reason: FinishReason, completeCalls: number, manner: Manner): string {
  const settled = finishReason(reason, completeCalls, true)
  return settled === 'tool_calls' && manner.legacyFunctions ? 'function_call' : settled
}

export function toUsage(usage: Usage): JsonObject {
  const { promptTokens, completionTokens, cachedTokens, reasoningTokens } = usage
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
    ...(reasoningTokens !== undefined && { completion_tokens_details: { reasoning_tokens: reasoningTokens } }),
  }
}

/** What some clients need beyond the standard. All others get none of it. */
export interface Quirks {
  /** Repeat a call's id as `call_id`, on its head and on its first arguments. */
  readonly callIdField: boolean
}

const none: Quirks = { callIdField: false }

/** Keyed by how the user agent begins. */
const table: readonly (readonly [prefix: string, quirks: Quirks])[] = [
  // The older Cline extension sends "result missing" for every tool whose call carried no `call_id`.
  ['Cline/', { callIdField: true }],
]

export function quirksOf(userAgent: string): Quirks {
  return table.find(([prefix]) => userAgent.startsWith(prefix))?.[1] ?? none
}

/** The one shape every failure leaves in, as a body or inside a stream. */
export function printError({ message, type, param, code }: GatewayError): string {
  return JSON.stringify({ error: { message, type, param, code } })
}
