import type { Event } from '../../../protocol/event.ts'
import { unfinished } from '../../../protocol/finish.ts'
import { type Answer, fold } from '../../../protocol/fold.ts'
import type { JsonObject } from '../../../protocol/json.ts'
import { withMetadata } from '../../../protocol/provider-metadata.ts'
import { sumUsage } from '../../../protocol/usage.ts'
import { type Identity, type Manner, toFinishReason, toUsage } from './wire.ts'

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
