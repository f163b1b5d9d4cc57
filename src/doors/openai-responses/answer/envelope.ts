import type { FinishReason, Usage } from '../../../protocol/event.ts'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { ResponsesRequest } from '../request/request.ts'

/** What of a response changes while it is made. */
export interface State {
  readonly status: 'in_progress' | 'completed' | 'incomplete' | 'failed'
  readonly output: readonly JsonObject[]
  readonly usage?: Usage | undefined
  readonly error?: { readonly code: string; readonly message: string }
  readonly reason?: FinishReason | undefined
  /** In seconds. */
  readonly completedAt?: number
}

/** The response object; what stays the same all the time is printed once. */
export function createEnvelope(asked: ResponsesRequest, id: string, createdAt: number): (state: State) => string {
  const { body, request } = asked
  const { reasoning, text } = body
  const head = JSON.stringify({
    id,
    object: 'response',
    created_at: createdAt,
    background: false,
    instructions: body['instructions'] ?? null,
    max_output_tokens: request.maxTokens ?? null,
    metadata: isJsonObject(body['metadata']) ? body['metadata'] : {},
    model: request.model,
    parallel_tool_calls: request.parallelCalls ?? true,
    previous_response_id: body['previous_response_id'] ?? null,
    reasoning: { effort: null, summary: null, ...(isJsonObject(reasoning) ? reasoning : {}) },
    store: asked.store,
    temperature: body['temperature'] ?? 1,
    text: { format: { type: 'text' }, ...(isJsonObject(text) ? text : {}) },
    tool_choice: body['tool_choice'] ?? 'auto',
    tools: body['tools'] ?? [],
    top_p: body['top_p'] ?? 1,
    truncation: body['truncation'] ?? 'disabled',
    user: body['user'] ?? null,
  }).slice(0, -1)
  return ({ status, output, usage, error, reason, completedAt }) => {
    const details = status === 'incomplete' ? { reason: reason === 'length' ? 'max_output_tokens' : reason } : null
    const rest = {
      completed_at: completedAt ?? null,
      status,
      error: error ?? null,
      incomplete_details: details as JsonObject | null,
      output,
      usage: usage === undefined ? null : toUsage(usage),
    }
    return `${head},${JSON.stringify(rest).slice(1)}`
  }
}

function toUsage({ promptTokens, completionTokens, cachedTokens = 0, reasoningTokens = 0 }: Usage): JsonObject {
  return {
    input_tokens: promptTokens,
    input_tokens_details: { cached_tokens: cachedTokens },
    output_tokens: completionTokens,
    output_tokens_details: { reasoning_tokens: reasoningTokens },
    total_tokens: promptTokens + completionTokens,
  }
}
