import { type Message, textOf } from '../../protocol/message.ts'

const speakers = { user: '[User]', assistant: '[Assistant]' } as const

/**
 * A conversation as one message: this service keeps conversations itself and takes no history. One that has only begun
 * needs no frame: the system text, a blank line, the question.
 */
export function flatten(messages: readonly Message[]): string {
  const system = messages.flatMap(({ role, content }) => (role === 'system' ? [textOf(content)] : []))
  const spoken = messages.flatMap(({ role, content }) =>
    role === 'user' || role === 'assistant' ? [{ role, text: textOf(content) }] : [],
  )
  const paragraphs = spoken.every(({ role }) => role === 'user')
    ? spoken.map(({ text }) => text)
    : [
        'This is our conversation so far:',
        ...spoken.map(({ role, text }) => `${speakers[role]}\n${text}`),
        spoken.at(-1)?.role === 'user'
          ? 'Now give your answer to the last message, as the assistant and without a label.'
          : 'Now continue your last message where it stops, without a label.',
      ]
  return [...system, ...paragraphs].filter((text) => text !== '').join('\n\n')
}
