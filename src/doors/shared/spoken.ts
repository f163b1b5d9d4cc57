import type { AssistantMessage, Spoken } from '../../protocol/message.ts'

/** Texts next to each other are one, and alone they are a string. */
export function toSpoken(parts: readonly Spoken[]): AssistantMessage['content'] {
  const spoken: Spoken[] = []
  for (const part of parts) {
    const last = spoken.at(-1)
    const goesOn = part.type === 'text' && last?.type === 'text'
    if (goesOn) spoken[spoken.length - 1] = { type: 'text', text: `${last.text}\n\n${part.text}` }
    else spoken.push(part)
  }
  const [first] = spoken
  return spoken.length === 1 && first?.type === 'text' ? first.text : spoken
}
