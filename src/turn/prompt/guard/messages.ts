import { type Content, type Message, mapCalls, type Spoken, type SystemMessage } from '../../../protocol/message.ts'
import type { Guard } from './guard.ts'

/**
 * Messages that the server's chat template prints, guarded as those we print ourselves. `directives` are what is asked of the
 * next answer beside the client's own instructions.
 */
export function guardMessages(
  messages: readonly Message[],
  directives: readonly string[],
  guard: Guard,
): readonly Message[] {
  const guarded = messages.map((message): Message => {
    switch (message.role) {
      case 'system':
        return { ...message, content: mapText(message.content, guard.keep) }
      case 'user':
      case 'tool':
        return { ...message, content: mapText(message.content, guard.neutralise) }
      case 'assistant': {
        const { content } = message
        if (typeof content === 'string') return { ...message, content: guard.keep(content) }
        const kept = mapCalls(message, (call) => ({
          ...call,
          arguments: call.kind === 'custom' ? guard.keep(call.arguments) : guard.keepJson(call.arguments),
        }))
        return typeof kept.content === 'string'
          ? kept
          : { ...kept, content: kept.content.map((part) => keepPart(part, guard)) }
      }
    }
  })
  if (directives.length === 0) return guarded
  const last: SystemMessage = { role: 'system', content: directives.join(' ') }
  const place = guarded.findLastIndex(({ role }) => role === 'system')
  const instructions = guarded[place]
  if (instructions?.role !== 'system' || typeof instructions.content !== 'string') return [last, ...guarded]
  return guarded.with(place, { ...last, content: `${instructions.content}\n\n${directives.join(' ')}` })
}

function keepPart(part: Spoken, guard: Guard): Spoken {
  return part.type === 'text' || part.type === 'thought' ? { ...part, text: guard.keep(part.text) } : part
}

function mapText(content: Content, change: (text: string) => string): Content {
  if (typeof content === 'string') return change(content)
  return content.map((part) => (part.type === 'text' ? { ...part, text: change(part.text) } : part))
}
