import type { FinishReason, Usage } from '../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { readCallMetadata, readMessageMetadata } from '../../protocol/provider-metadata.ts'
import type { UpstreamEvent } from '../upstream.ts'

/** What one chunk of a stream, or one whole completion, says. */
export interface ChunkReading {
  readonly events: readonly UpstreamEvent[]
  /** It holds a piece of the answer that was asked for, if only an empty one; a message is more than a mere finish. */
  readonly holds: 'nothing' | 'choice' | 'message'
  /** The service's own word; none while the answer goes on. */
  readonly finish: string | undefined
  readonly usage: Usage | undefined
  /** What it says about the answer as a whole. */
  readonly remarks: JsonObject | undefined
}

/** Reads a `chat.completion.chunk` or a `chat.completion`: they differ in `delta` and `message` only. */
export function readChunk(chunk: JsonObject): ChunkReading {
  const choice = readChoice(chunk['choices'])
  const message = choice?.['delta'] ?? choice?.['message']
  const events = readDelta(message)
  if (choice !== undefined) addLogprobs(events, choice['logprobs'])
  return {
    events,
    remarks: readRemarks(chunk),
    holds: isJsonObject(message) ? 'message' : choice ? 'choice' : 'nothing',
    finish: readWord(choice?.['finish_reason']),
    usage: readUsage(chunk),
  }
}

/** Only one choice is ever asked for. */
function readChoice(choices: unknown): JsonObject | undefined {
  if (!Array.isArray(choices)) return undefined
  for (const choice of choices) if (isJsonObject(choice) && (choice['index'] ?? 0) === 0) return choice
  return undefined
}

function readWord(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined
}

const remarkNames = ['system_fingerprint', 'service_tier', 'timings', 'provider', 'citations', 'search_results']

function readRemarks(chunk: JsonObject): JsonObject | undefined {
  let remarks: Record<string, Json> | undefined
  for (const name of remarkNames) {
    const value = chunk[name]
    if (value === undefined || value === null || value === '') continue
    remarks ??= {}
    remarks[name] = value
  }
  return remarks
}

function addLogprobs(events: UpstreamEvent[], logprobs: unknown): void {
  const content = isJsonObject(logprobs) ? logprobs['content'] : undefined
  if (Array.isArray(content) && content.length > 0) events.push({ type: 'logprobs', content })
}

function readDelta(delta: unknown): UpstreamEvent[] {
  if (!isJsonObject(delta)) return []
  const events: UpstreamEvent[] = []
  // vLLM 0.11 to 0.15 sends the same thought under both names.
  addText(events, 'reasoning', delta['reasoning_content'] || delta['reasoning'])
  addContent(events, delta['content'])
  addText(events, 'refusal', delta['refusal'])
  const metadata = readMessageMetadata(delta)
  if (metadata !== undefined) events.push({ type: 'provider-metadata', fields: metadata })
  const calls = delta['tool_calls']
  for (const call of Array.isArray(calls) ? calls : [calls]) addCall(events, call)
  if (isJsonObject(delta['function_call'])) addCall(events, { index: 0, function: delta['function_call'] })
  return events
}

/** Content is text, or (Mistral's reasoning models) a list of text and thinking parts. */
function addContent(events: UpstreamEvent[], content: unknown): void {
  if (!Array.isArray(content)) return addText(events, 'text', content)
  for (const part of content) {
    if (typeof part === 'string') addText(events, 'text', part)
    else if (!isJsonObject(part)) continue
    else if (part['type'] === 'thinking') addThinking(events, part['thinking'])
    else addText(events, 'text', part['text'])
  }
}

function addThinking(events: UpstreamEvent[], thinking: unknown): void {
  if (!Array.isArray(thinking)) return addText(events, 'reasoning', thinking)
  for (const part of thinking) if (isJsonObject(part)) addText(events, 'reasoning', part['text'])
}

function addText(events: UpstreamEvent[], type: 'text' | 'reasoning' | 'refusal', text: unknown): void {
  if (typeof text === 'string' && text !== '') events.push({ type, text })
}

function addCall(events: UpstreamEvent[], call: unknown): void {
  if (!isJsonObject(call)) return
  // Some leave the object around name and arguments out.
  const made = [call['function'], call['custom']].find(isJsonObject) ?? call
  const { id } = call
  const index = typeof call['index'] === 'string' ? Number.parseInt(call['index'], 10) : call['index']
  const name = made['name'] ?? (made === call ? call['function'] : undefined)
  const json = toArgumentsText(made['arguments'] ?? made['input'])
  const metadata = readCallMetadata(call)
  events.push({
    type: 'call',
    ...(typeof index === 'number' && !Number.isNaN(index) && { index }),
    ...(typeof id === 'string' && id !== '' && { id }),
    ...(typeof name === 'string' && name !== '' && { name }),
    ...(json !== undefined && json !== '' && { json }),
    ...(metadata !== undefined && { metadata }),
    ...(made === call['custom'] && { isText: true as const }),
  })
}

/** Some services send the arguments as a value and not as JSON text. */
function toArgumentsText(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? undefined : JSON.stringify(value)
}

function readUsage(chunk: JsonObject): Usage | undefined {
  const groq = chunk['x_groq']
  const usage = [chunk['usage'], isJsonObject(groq) ? groq['usage'] : undefined].find(isJsonObject)
  if (!usage) return undefined
  const promptTokens = countIn(usage, 'prompt_tokens', 'input_tokens')
  const completionTokens = countIn(usage, 'completion_tokens', 'output_tokens')
  if (promptTokens === undefined && completionTokens === undefined) return undefined
  const cachedTokens =
    countIn(usage['prompt_tokens_details'], 'cached_tokens') ??
    countIn(usage, 'prompt_cache_hit_tokens', 'cached_tokens')
  const reasoningTokens =
    countIn(usage['completion_tokens_details'], 'reasoning_tokens') ?? countIn(usage, 'reasoning_tokens')
  return {
    promptTokens: promptTokens ?? 0,
    completionTokens: completionTokens ?? 0,
    ...(cachedTokens !== undefined && { cachedTokens }),
    ...(reasoningTokens !== undefined && { reasoningTokens }),
  }
}

function countIn(counts: unknown, ...names: readonly string[]): number | undefined {
  if (!isJsonObject(counts)) return undefined
  return names.map((name) => counts[name]).find((count): count is number => typeof count === 'number' && count >= 0)
}

const finishWords: Readonly<Record<FinishReason | 'failed', readonly string[]>> = {
  stop: ['stop', 'eos', 'eos_token', 'end_turn', 'stop_sequence', 'complete', 'completed'],
  length: ['length', 'max_tokens', 'max_output_tokens', 'model_length', 'model_context_window_exceeded'],
  tool_calls: ['tool_calls', 'tool_call', 'tool_use', 'function_call'],
  content_filter: ['content_filter', 'safety', 'refusal', 'sensitive', 'recitation'],
  // SGLang, OpenRouter, GLM and DeepSeek say with these that the answer broke off.
  failed: ['abort', 'error', 'network_error', 'insufficient_system_resource'],
}

const finishReasons = new Map(
  (Object.keys(finishWords) as (keyof typeof finishWords)[]).flatMap((reason) =>
    finishWords[reason].map((word) => [word, reason] as const),
  ),
)

/** A service's word for why it ended. `failed`: it broke off. Absent: an unknown word. */
export function readFinish(word: string): FinishReason | 'failed' | undefined {
  return finishReasons.get(word.toLowerCase())
}

/** What a string in the frame of an event is: words, a thought, or more of a call's arguments. */
export type Hole =
  | { readonly type: 'text' }
  | { readonly type: 'reasoning' }
  | { readonly type: 'call'; readonly index: number | undefined }

/** The string of an event that is nothing but a piece of something longer; empty for any other. */
export function textOfPiece(event: UpstreamEvent): string {
  if (event.type === 'text' || event.type === 'reasoning') return event.text
  return event.type === 'call' ? (event.json ?? '') : ''
}

/** What kind of piece an event is that holds this string and nothing else. */
export function toHole(event: UpstreamEvent, value: string): Hole | undefined {
  if (textOfPiece(event) !== value) return undefined
  if (event.type === 'text' || event.type === 'reasoning') return { type: event.type }
  if (event.type !== 'call' || event.id !== undefined || event.name !== undefined || event.metadata !== undefined)
    return undefined
  return { type: 'call', index: event.index }
}

export function toPiece(hole: Hole, text: string): UpstreamEvent {
  if (hole.type !== 'call') return { type: hole.type, text }
  return hole.index === undefined ? { type: 'call', json: text } : { type: 'call', index: hole.index, json: text }
}
