import type { Call } from '../../../protocol/call.ts'
import {
  type Content,
  type Message,
  mapCalls,
  type Part,
  piecesOf,
  type Spoken,
  textOf,
} from '../../../protocol/message.ts'
import type { ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import { joinTexts } from '../../shared/history.ts'
import type { Sealed } from '../../shared/seal.ts'

/** Puts messages together from items that say less than one each. */
export interface Conversation {
  system(content: Content): void
  user(content: Content): void
  /** What an assistant thought, said and called is one message, until something else comes. */
  thought(text: string): void
  said(content: Content): void
  called(call: Call): void
  /** `introduces`: tools that are available from here on. */
  result(callId: string, content: Content, introduces?: readonly string[]): void
  /** What the service wants back with the last message of the assistant, and with calls. */
  keep(kept: Omit<Sealed, 'thoughts'>): void
  end(): readonly Message[]
}

export function createConversation(): Conversation {
  const messages: Message[] = []
  let answer: Spoken[] | undefined
  /** Results have no place for pictures: they follow the last result of a row. */
  let pictures: Part[] = []
  const keptOfCalls = new Map<string, ProviderMetadata>()

  function showPictures(): void {
    if (pictures.length === 0) return
    messages.push({ role: 'user', content: [{ type: 'text', text: 'Images from the tool results:' }, ...pictures] })
    pictures = []
  }

  function speak(...pieces: readonly Spoken[]): void {
    if (answer === undefined) showPictures()
    answer ??= []
    answer.push(...pieces)
  }

  function endAnswer(): void {
    if (answer === undefined) return
    const spoken = answer
    answer = undefined
    // Thoughts that led to nothing are nothing a model can be given back.
    if (spoken.every(({ type }) => type === 'thought')) return
    messages.push({ role: 'assistant', content: joinTexts(spoken) })
  }

  function withCallMetadata(message: Message): Message {
    if (message.role !== 'assistant') return message
    return mapCalls(message, (call) => {
      const metadata = keptOfCalls.get(call.id)
      return metadata === undefined ? call : { ...call, metadata }
    })
  }

  return {
    system(content) {
      endAnswer()
      messages.push({ role: 'system', content })
    },
    user(content) {
      endAnswer()
      showPictures()
      messages.push({ role: 'user', content })
    },
    thought(text) {
      if (text !== '') speak({ type: 'thought', text })
    },
    said(content) {
      if (content !== '') speak(...piecesOf(content))
    },
    called(call) {
      speak({ type: 'call', call })
    },
    result(callId, content, introduces = []) {
      endAnswer()
      const shown = piecesOf(content).filter(({ type }) => type !== 'text')
      pictures.push(...shown)
      const words = textOf(content)
      const pointed = shown.length === 0 ? words : [words, '(image: see below)'].filter((one) => one !== '').join('\n')
      messages.push({ role: 'tool', callId, content: pointed, ...(introduces.length > 0 && { introduces }) })
    },
    keep({ message, calls = {} }) {
      for (const [id, metadata] of Object.entries(calls)) keptOfCalls.set(id, metadata)
      if (message === undefined) return
      const place = messages.findLastIndex(({ role }) => role === 'assistant')
      const last = messages[place]
      if (answer !== undefined) answer = withKept(answer, message)
      else if (last?.role === 'assistant')
        messages[place] = { ...last, content: withKept(piecesOf(last.content), message) }
    },
    end() {
      endAnswer()
      showPictures()
      return keptOfCalls.size === 0 ? messages : messages.map(withCallMetadata)
    },
  }
}

/** What is kept of a message as a whole is a thought without words; what comes later counts. */
function withKept(spoken: readonly Spoken[], metadata: ProviderMetadata): Spoken[] {
  const others = spoken.filter((part) => part.type !== 'thought' || part.text !== '')
  return [{ type: 'thought', text: '', metadata }, ...others]
}
