import { type AssistantMessage, type Message, textOf, type UserMessage } from '../../protocol/message.ts'
import type { TemplateSettings } from '../settings.ts'
import { joinContents, normalise } from './normalise.ts'

/**
 * Messages that go to the service as they are, made to suit a template that is not the usual one. Calls and results stay
 * calls and results: who cannot take those is not asked natively.
 */
export function fitMessages(messages: readonly Message[], template: TemplateSettings): readonly Message[] {
  const { system, alternate, single = false, transcript = false } = template
  if (system && !alternate && !single && !transcript) return messages
  const instructions = messages
    .flatMap((message) => (message.role === 'system' ? [textOf(message.content)] : []))
    .filter((text) => text !== '')
    .join('\n\n')
  const others = messages.filter((message) => message.role !== 'system')
  if (others.every(isPlain)) return normalise(instructions, others, template)
  if (instructions === '') return others
  if (system) return [{ role: 'system', content: instructions }, ...others]
  const [first, ...rest] = others
  if (first?.role !== 'user') return [{ role: 'user', content: instructions }, ...others]
  return [{ ...first, content: joinContents(instructions, first.content) }, ...rest]
}

function isPlain(message: Message): message is UserMessage | AssistantMessage {
  return message.role === 'user' || (message.role === 'assistant' && message.calls.length === 0)
}
