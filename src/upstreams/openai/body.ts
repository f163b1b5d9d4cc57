import type { Call } from '../../protocol/call.ts'
import { asFunction, toCustomArguments } from '../../protocol/custom.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import {
  type AssistantMessage,
  type Content,
  callsOf,
  type Message,
  metadataOf,
  textOf,
  thoughtsOf,
  wordsOf,
} from '../../protocol/message.ts'
import { type ProviderMetadata, withMetadata } from '../../protocol/provider-metadata.ts'
import { isForced, type Tool } from '../../protocol/tool.ts'
import { withoutUndefined } from '../../protocol/without-undefined.ts'
import { isInert, samplingFields } from '../dropped.ts'
import { plainTraits, type ToolChoiceForm, type Traits, toServiceId } from '../flavours/flavour.ts'
import type { Constraint, UpstreamRequest } from '../upstream.ts'
import type { Recalled } from './recalled.ts'

/** Which fields beyond the known ones a service takes, by wire name. */
export type Forward = readonly string[] | 'all'

type Draft = Record<string, Json | undefined>

/** Fields this gateway decides on itself: an answer is always one choice and always streamed with its usage. */
const ownFields = new Set(['model', 'messages', 'stream', 'stream_options', 'n', 'tools', 'tool_choice'])

/** How this service wants a request. */
export interface BodyForm {
  readonly forward?: Forward
  readonly traits?: Traits
  /** What came with a call, where the service wants it back and the client does not have it. */
  readonly recall?: (callId: string) => Recalled | undefined
  /** The model thinks before it calls, so that its service misses thoughts that are lost. */
  readonly thinks?: boolean
}

/** Fields of a request that are not sent although they would change the answer. */
export function droppedFields(request: UpstreamRequest, form: BodyForm = {}): readonly string[] {
  const { forward = [], traits = plainTraits } = form
  const isLost = (field: string) => !isInert(field) && !isForwarded(field, forward)
  const unknown = Object.entries(request.extra).flatMap(([field, value]) =>
    value === null || ownFields.has(field) || isForwarded(field, traits.takes) ? [] : [field],
  )
  const full = traits.drops.length === 0 ? {} : toOpenAiBody(request, { forward, traits: { ...traits, drops: [] } })
  return [...unknown, ...traits.drops.filter((field) => Object.hasOwn(full, field))].filter(isLost)
}

/** A request as an OpenAI-compatible service reads it. */
export function toOpenAiBody(asked: UpstreamRequest, form: BodyForm = {}): JsonObject {
  const { forward = [], traits = plainTraits } = form
  const request = traits.customTools || asked.tools.every(isFunction) ? asked : withFunctions(asked)
  const { prefill } = request
  const { tools, choice } = toToolOffer(request, traits.toolChoice)
  const messages = toMessages(request.messages, { ...form, forward, traits })
  const begun = traits.prefill.by === 'trailing' && prefill !== undefined ? traits.prefill : undefined
  const isTaken = (field: string) => isForwarded(field, forward) || isForwarded(field, traits.takes)
  const passed = toForwarded(request.extra, isTaken)
  const body = defined({
    ...passed,
    model: request.model,
    messages:
      begun === undefined ? messages : [...messages, { role: 'assistant', content: prefill ?? '', ...begun.mark }],
    stream: true,
    stream_options: traits.usage === 'asked' ? { include_usage: true } : undefined,
    // Without tools, services refuse everything about them.
    ...(tools.length > 0 && {
      tools: tools.map((tool) => toTool(tool, isStrict(tool, request, traits))),
      ...(request.toolsByTemplate === true
        ? traits.templateTools
        : { tool_choice: choice, parallel_tool_calls: traits.parallelCalls ? request.parallelCalls : undefined }),
    }),
    ...samplingFields(request),
    [traits.maxTokens]: request.maxTokens,
    stop: request.stop && request.stop.length > 0 ? request.stop.slice(0, traits.stops) : undefined,
    user: request.user,
    ...((request.thinks === false || request.reasoning?.enabled === false) &&
      toThoughtless(traits.thinkingOff, passed)),
    ...toConstraint(request.constraint, traits),
    ...begun?.fields,
  })
  return traits.drops.length === 0
    ? body
    : Object.fromEntries(
        Object.entries(body).filter(([field]) => !traits.drops.includes(field) || isForwarded(field, forward)),
      )
}

/** The fields by which a service is told what to hold its answer to. */
export function toConstraint(constraint: Constraint | undefined, { constraints }: Traits): JsonObject {
  if (constraint === undefined) return {}
  return constraints.find(({ kind }) => kind === constraint.kind)?.say(constraint) ?? {}
}

/** Further arguments of the template stay what the client wanted. */
function toThoughtless(thinkingOff: JsonObject, given: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(thinkingOff).map(([field, value]) => {
      const wanted = given[field]
      return [field, isJsonObject(value) && isJsonObject(wanted) ? { ...wanted, ...value } : value]
    }),
  )
}

function defined(draft: Draft): JsonObject {
  return withoutUndefined(draft) as JsonObject
}

function isForwarded(field: string, forward: Forward): boolean {
  return forward === 'all' || forward.includes(field)
}

function toForwarded(extra: JsonObject, isTaken: (field: string) => boolean): JsonObject {
  return Object.fromEntries(Object.entries(extra).filter(([field]) => !ownFields.has(field) && isTaken(field)))
}

function toMessages(messages: readonly Message[], form: Required<Pick<BodyForm, 'forward' | 'traits'>> & BodyForm) {
  const { forward, traits, recall, thinks = false } = form
  const reasoned = traits.reasoning !== 'dropped' || isForwarded('reasoning_content', forward)
  const id = (callId: string) => toServiceId(callId, traits.callIds)

  function recalled(message: AssistantMessage): string | undefined {
    if (!reasoned) return undefined
    const [call] = callsOf(message)
    return thoughtsOf(message) ?? (call === undefined ? undefined : recall?.(call.id)?.thought)
  }

  function keptOf(message: AssistantMessage): ProviderMetadata | undefined {
    if (traits.providerMetadata === 'dropped') return undefined
    const [call] = callsOf(message)
    return metadataOf(message) ?? (call === undefined ? undefined : recall?.(call.id)?.message)
  }

  function keptOfCall(call: Call): ProviderMetadata | undefined {
    if (traits.providerMetadata === 'dropped') return undefined
    return call.metadata ?? recall?.(call.id)?.call
  }

  const thoughts = messages.map((message) => (message.role === 'assistant' ? recalled(message) : undefined))
  // All or nothing: a service that wants thoughts back wants them of every message that calls.
  const isThinking = thinks || thoughts.some((thought) => thought !== undefined)
  const filler = traits.reasoning === 'remembered' && isThinking ? '' : undefined

  return messages.map(toWire)

  function toWire(message: Message, index: number): JsonObject {
    const content = toContent(wordsOf(message))
    switch (message.role) {
      case 'system':
        return { role: 'system', content }
      case 'user':
        return defined({ role: 'user', content, name: traits.names ? message.name : undefined })
      case 'tool':
        return defined({
          role: 'tool',
          tool_call_id: id(message.callId),
          content,
          name: traits.names ? message.name : undefined,
        })
      case 'assistant': {
        // This wire has one service for words and one for calls: their order among each other cannot be told.
        const calls = callsOf(message)
        const isCalling = calls.length > 0
        return defined({
          ...keptOf(message),
          role: 'assistant',
          content: content === '' && isCalling ? null : content,
          reasoning_content: thoughts[index] ?? (isCalling ? filler : undefined),
          tool_calls: isCalling ? calls.map((call) => toCall(call, id(call.id), keptOfCall(call), traits)) : undefined,
          name: traits.names ? message.name : undefined,
        })
      }
    }
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

function toCall(call: Call, id: string, kept: ProviderMetadata | undefined, { customTools }: Traits): JsonObject {
  const { kind, name, arguments: text } = call
  const wire: JsonObject =
    kind === 'custom' && customTools
      ? { id, type: 'custom', custom: { name, input: text } }
      : { id, type: 'function', function: { name, arguments: kind === 'custom' ? toCustomArguments(text) : text } }
  return withMetadata(wire, kept)
}

const isFunction = ({ kind }: Tool): boolean => kind === 'function'

function withFunctions(asked: UpstreamRequest): UpstreamRequest {
  return { ...asked, tools: asked.tools.map(asFunction) }
}

function isStrict({ strict }: Tool, { toolChoice }: UpstreamRequest, traits: Traits): boolean | undefined {
  if (traits.strict === 'never') return undefined
  return traits.strict === 'forced' && isForced(toolChoice) ? true : strict
}

function toTool(tool: Tool, strict: boolean | undefined): JsonObject {
  const { name, description, parameters, format } = tool
  return tool.kind === 'custom'
    ? { type: 'custom', custom: defined({ name, description, format }) }
    : {
        type: 'function',
        function: defined({ name, description, parameters, strict }),
      }
}

interface ToolOffer {
  readonly tools: readonly Tool[]
  readonly choice?: Json | undefined
}

/** `tool_choice` in this service's words. Where it has none, the other tools are not offered. */
function toToolOffer({ tools, toolChoice: choice }: UpstreamRequest, form: ToolChoiceForm): ToolOffer {
  const offer = (names: readonly string[]) => tools.filter(({ name }) => names.includes(name))
  const must = form === 'any' ? 'any' : 'required'
  switch (choice?.mode) {
    case undefined:
      return { tools }
    case 'named':
      if (form === 'ignored') return { tools: offer([choice.name]) }
      if (form === 'name') return { tools, choice: choice.name }
      if (form === 'words' || form === 'any') return { tools: offer([choice.name]), choice: must }
      return { tools, choice: toNamed(choice.name, tools) }
    case 'allowed': {
      const mode = choice.required ? must : 'auto'
      if (form === 'ignored') return { tools: offer(choice.names) }
      if (form !== 'openai') return { tools: offer(choice.names), choice: mode }
      const allowed = choice.names.map((name) => toNamed(name, tools))
      return { tools, choice: { type: 'allowed_tools', allowed_tools: { mode, tools: allowed } } }
    }
    default:
      if (form === 'ignored') return { tools }
      return { tools, choice: choice?.mode === 'required' ? must : choice?.mode }
  }
}

function toNamed(name: string, tools: readonly Tool[]): JsonObject {
  const kind = tools.find((tool) => tool.name === name)?.kind ?? 'function'
  return { type: kind, [kind]: { name } }
}
