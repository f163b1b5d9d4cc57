import { callsOf, type Message, type SystemMessage, textOf, thoughtsOf, wordsOf } from '../../../protocol/message.ts'
import type { TemplateSettings } from '../../settings.ts'
import { openingTexts, printInstructions } from './history.ts'
import { joinContents, normalise, type PromptMessage } from './normalise.ts'

/**
 * Messages that go to the service as they are, made to suit a template that is not the usual one. Calls and results stay
 * calls and results: who cannot take those is not asked natively.
 */
export function fitMessages(messages: readonly Message[], template: TemplateSettings): readonly Message[] {
  const { system, alternate, single = false, transcript = false } = template
  if (system && !alternate && !single && !transcript) return messages
  const instructions = openingTexts(messages).join('\n\n')
  const answered = messages.findIndex(({ role }) => role === 'assistant')
  const others = messages.flatMap((message, place): readonly Exclude<Message, SystemMessage>[] => {
    if (message.role !== 'system') return [message]
    const text = answered === -1 || place < answered ? '' : textOf(message.content)
    return text === '' ? [] : [{ role: 'user', content: printInstructions(text) }]
  })
  const told = others.map(toPromptMessage)
  if (told.every((message) => message !== undefined)) return normalise(instructions, told, template)
  if (instructions === '') return others
  if (system) return [{ role: 'system', content: instructions }, ...others]
  const [first, ...rest] = others
  if (first?.role !== 'user') return [{ role: 'user', content: instructions }, ...others]
  return [{ ...first, content: joinContents(instructions, first.content) }, ...rest]
}

/** None of a message with calls, or results. */
function toPromptMessage(message: Message): PromptMessage | undefined {
  if (message.role === 'user') return message
  if (message.role !== 'assistant' || callsOf(message).length > 0) return undefined
  const { content: _, ...rest } = message
  const reasoning = thoughtsOf(message)
  return { ...rest, content: wordsOf(message), ...(reasoning !== undefined && { reasoning }) }
}
