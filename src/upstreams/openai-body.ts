import type { Call } from '../protocol/call.ts'
import type { Json, JsonObject } from '../protocol/json.ts'
import { type Content, type Message, textOf } from '../protocol/message.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'
import type { UpstreamRequest } from './upstream.ts'

/** Which fields beyond the known ones a service takes, by wire name. */
export type Forward = readonly string[] | 'all'

type Draft = Record<string, Json | undefined>

/** Fields this gateway decides on itself: an answer is always one choice and always streamed with its usage. */
const ownFields = new Set(['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'tool_choice'])

/** A request as any OpenAI-compatible service reads it. */
export function toOpenAiBody(request: UpstreamRequest, forward: Forward = []): JsonObject {
  const { sampling, tools } = request
  const reasoned = isForwarded('reasoning_content', forward)
  return defined({
    ...toForwarded(request.extra, forward),
    model: request.model,
    messages: request.messages.map((message) => toMessage(message, reasoned)),
    stream: true,
    stream_options: { include_usage: true },
    // Without tools, services refuse everything about them.
    ...(tools.length > 0 && {
      tools: tools.map(toTool),
      tool_choice: request.toolChoice && toToolChoice(request.toolChoice, tools),
      parallel_tool_calls: request.parallelCalls,
    }),
    temperature: sampling.temperature,
    top_p: sampling.topP,
    presence_penalty: sampling.presencePenalty,
    frequency_penalty: sampling.frequencyPenalty,
    seed: sampling.seed,
    logit_bias: sampling.logitBias,
    logprobs: sampling.logprobs,
    top_logprobs: sampling.topLogprobs,
    max_tokens: request.maxTokens,
    stop: request.stop && request.stop.length > 0 ? request.stop : undefined,
    response_format: request.responseFormat,
    reasoning_effort: request.reasoningEffort,
    user: request.user,
    ...request.hints,
  })
}

function defined(draft: Draft): JsonObject {
  return Object.fromEntries(Object.entries(draft).filter((entry): entry is [string, Json] => entry[1] !== undefined))
}

function isForwarded(field: string, forward: Forward): boolean {
  return forward === 'all' || forward.includes(field)
}

function toForwarded(extra: JsonObject, forward: Forward): JsonObject {
  return Object.fromEntries(
    Object.entries(extra).filter(([field]) => !ownFields.has(field) && isForwarded(field, forward)),
  )
}

function toMessage(message: Message, reasoned: boolean): JsonObject {
  const content = toContent(message.content)
  switch (message.role) {
    case 'system':
      return { role: 'system', content }
    case 'user':
      return defined({ role: 'user', content, name: message.name })
    case 'tool':
      return defined({ role: 'tool', tool_call_id: message.callId, content, name: message.name })
    case 'assistant':
      return defined({
        role: 'assistant',
        content: content === '' && message.calls.length > 0 ? null : content,
        // DeepSeek wants its thoughts back; strict services refuse the field.
        reasoning_content: reasoned ? message.reasoning : undefined,
        tool_calls: message.calls.length > 0 ? message.calls.map(toCall) : undefined,
        name: message.name,
      })
  }
}

/** A string wherever a string will do: many services mistreat lists of text parts (Ollama loses the call id of one). */
function toContent(content: Content): Json {
  if (typeof content === 'string') return content
  if (content.every((part) => part.type === 'text')) return textOf(content)
  return content.map((part) => {
    switch (part.type) {
      case 'text':
        return { type: 'text', text: part.text }
      case 'image':
        return { type: 'image_url', image_url: defined({ url: part.url, detail: part.detail }) }
      case 'other':
        return part.value
    }
  })
}

function toCall(call: Call): JsonObject {
  return call.kind === 'custom'
    ? { id: call.id, type: 'custom', custom: { name: call.name, input: call.arguments } }
    : { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

function toTool(tool: Tool): JsonObject {
  const { name, description, parameters, strict } = tool
  return tool.kind === 'custom'
    ? { type: 'custom', custom: defined({ name, description }) }
    : { type: 'function', function: defined({ name, description, parameters, strict }) }
}

function toToolChoice(choice: ToolChoice, tools: readonly Tool[]): Json {
  function named(name: string): JsonObject {
    const kind = tools.find((tool) => tool.name === name)?.kind ?? 'function'
    return { type: kind, [kind]: { name } }
  }
  switch (choice.mode) {
    case 'named':
      return named(choice.name)
    case 'allowed': {
      const mode = choice.required ? 'required' : 'auto'
      return { type: 'allowed_tools', allowed_tools: { mode, tools: choice.names.map(named) } }
    }
    default:
      return choice.mode
  }
}
