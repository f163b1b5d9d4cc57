import type { Usage } from '../protocol/event.ts'
import { textOf } from '../protocol/message.ts'
import type { UpstreamRequest } from '../upstreams/upstream.ts'

const charactersPerToken = 4

/** A guess at the usage nobody reported. Never zero: agents work out how full their context is from it. */
export function estimateUsage(request: UpstreamRequest, completionCharacters: number): Usage {
  let characters = request.tools.length === 0 ? 0 : JSON.stringify(request.tools).length
  for (const message of request.messages) {
    characters += textOf(message.content).length
    if (message.role === 'assistant')
      for (const call of message.calls) characters += call.name.length + call.arguments.length
  }
  return {
    promptTokens: toTokens(characters),
    completionTokens: toTokens(completionCharacters),
    estimated: true,
  }
}

function toTokens(characters: number): number {
  return Math.max(1, Math.ceil(characters / charactersPerToken))
}
