import type { LanguageModelV4Message, LanguageModelV4Prompt, LanguageModelV4ToolResultPart } from '@ai-sdk/provider'
import type { Call } from '../../protocol/call.ts'
import { type Message, type Part, type Spoken, wordsOf } from '../../protocol/message.ts'

type AiMessage = LanguageModelV4Message
type ProviderOptions = AiMessage['providerOptions']
type AiPart = Exclude<AiMessage['content'], string>[number]
type Assistant = Extract<AiMessage, { role: 'assistant' }>

/** What a provider is told of the text before it. */
interface Remark {
  readonly type: 'remark'
  readonly providerOptions: ProviderOptions
}

/** Parts that are no words keep their place and come back as they were. */
export interface OtherParts {
  keep(part: AiPart | Remark): Part
  take(part: Part): AiPart | Remark | undefined
}

export function createOtherParts(): OtherParts {
  const kept: (AiPart | Remark)[] = []
  return {
    keep: (part) => ({ type: 'other', value: kept.push(part) - 1 }),
    take: (part) => (part.type === 'other' ? kept[Number(part.value)] : undefined),
  }
}

/** A message with what its provider is told of it, which is handed through. */
type PromptMessage = Message & { readonly providerOptions?: ProviderOptions }

/** The AI SDK's prompt as messages of ours. */
export function fromPrompt(prompt: LanguageModelV4Prompt, others: OtherParts): readonly Message[] {
  return prompt.flatMap((message): readonly PromptMessage[] => {
    const options = message.providerOptions === undefined ? {} : { providerOptions: message.providerOptions }
    switch (message.role) {
      case 'system':
        return [{ role: 'system', content: message.content, ...options }]
      case 'user':
        return [{ role: 'user', content: message.content.flatMap((part) => toParts(part, others)), ...options }]
      case 'assistant':
        return [{ ...fromAssistant(message, others), ...options }]
      case 'tool':
        return message.content.flatMap((part) => (part.type === 'tool-result' ? [fromResult(part, others)] : []))
      default:
        return message satisfies never
    }
  })
}

function toParts(part: AiPart, others: OtherParts): readonly Part[] {
  if (part.type !== 'text') return [others.keep(part)]
  const text = { type: 'text', text: part.text } as const
  const { providerOptions } = part
  return providerOptions === undefined ? [text] : [text, others.keep({ type: 'remark', providerOptions })]
}

/** Everything in its place: a call among the words around it, and what is neither as it came. */
function fromAssistant({ content }: Assistant, others: OtherParts): Extract<Message, { role: 'assistant' }> {
  const spoken = content.flatMap((part): readonly Spoken[] => {
    if (part.type !== 'tool-call' || part.providerExecuted === true) return toParts(part, others)
    const { toolCallId: id, toolName: name, input } = part
    const given = typeof input === 'string' ? input : JSON.stringify(input ?? {})
    const call: Call = { id, kind: 'function', name, arguments: given }
    return [{ type: 'call', call }]
  })
  return { role: 'assistant', content: spoken }
}

function fromResult(part: LanguageModelV4ToolResultPart, others: OtherParts): Extract<Message, { role: 'tool' }> {
  return { role: 'tool', callId: part.toolCallId, name: part.toolName, content: contentOf(part.output, others) }
}

function contentOf(output: LanguageModelV4ToolResultPart['output'], others: OtherParts): string | readonly Part[] {
  switch (output.type) {
    case 'text':
    case 'error-text':
      return output.value
    case 'json':
    case 'error-json':
      return JSON.stringify(output.value)
    case 'execution-denied':
      return output.reason === undefined ? 'The user denied this call.' : `The user denied this call: ${output.reason}`
    case 'content':
      return output.value.flatMap((part): readonly Part[] => {
        if (part.type === 'text') return [{ type: 'text', text: part.text }]
        return part.type === 'file' ? [others.keep(part)] : []
      })
    default:
      return output satisfies never
  }
}

/** Messages of ours, calls and results told in words, as the AI SDK's prompt. What stood beside results stays beside them. */
export function toPrompt(
  messages: readonly Message[],
  others: OtherParts,
  before: LanguageModelV4Prompt,
): LanguageModelV4Prompt {
  const forSystem = before.findLast(({ role, providerOptions }) => role === 'system' && providerOptions !== undefined)
  const prompt = messages.flatMap((message): readonly LanguageModelV4Message[] => {
    const { providerOptions } = message as PromptMessage
    const options = providerOptions === undefined ? {} : { providerOptions }
    const { role } = message
    const content = wordsOf(message)
    const parts = typeof content === 'string' ? [{ type: 'text' as const, text: content }] : content
    if (role === 'tool') return []
    if (role === 'system') {
      const own = forSystem?.providerOptions === undefined ? {} : { providerOptions: forSystem.providerOptions }
      return [{ role, content: parts.map((part) => (part.type === 'text' ? part.text : '')).join('\n'), ...own }]
    }
    return [{ role, content: fromParts(parts, others), ...options } as LanguageModelV4Message]
  })
  const last = before.at(-1)
  const approvals = last?.role === 'tool' ? last.content.filter(({ type }) => type === 'tool-approval-response') : []
  return approvals.length === 0 ? prompt : [...prompt, { role: 'tool', content: approvals }]
}

function fromParts(parts: readonly Part[], others: OtherParts): readonly AiPart[] {
  const told: AiPart[] = []
  for (const part of parts) {
    const kept = others.take(part)
    const last = told.at(-1)
    if (part.type === 'text') told.push({ type: 'text', text: part.text })
    else if (kept?.type !== 'remark') told.push(...(kept === undefined ? [] : [kept]))
    else if (last?.type === 'text' && kept.providerOptions !== undefined) last.providerOptions = kept.providerOptions
  }
  return told
}
