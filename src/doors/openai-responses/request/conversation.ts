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
import { toSpoken } from '../../shared/spoken.ts'
import type { Sealed } from '../kept/seal.ts'

/** Puts messages together from items that say less than one each. */
export interface Conversation {
  system(content: Content): void
  user(content: Content): void
  /** What an assistant thought, said and called is one message, until something else comes. */
  thought(text: string): void
  said(content: Content): void
  called(call: Call): void
  result(callId: string, content: Content): void
  /** What the service wants back with the last message of the assistant, and with calls. */
  keep(kept: Omit<Sealed, 'thoughts'>): void
  end(): readonly Message[]
}

export function createConversation(instructions: string): Conversation {
  const messages: Message[] = []
  let speaking: Spoken[] | undefined
  /** Results have no place for pictures: they follow the last result of a row. */
  let pictures: Part[] = []
  /** Nothing may stand between calls and their results: what does is told after them. */
  const unanswered = new Set<string>()
  let late: Message[] = []
  const keptOfCalls = new Map<string, ProviderMetadata>()

  function tellLate(): void {
    messages.push(...late)
    late = []
  }

  function showPictures(): void {
    if (pictures.length === 0) return
    messages.push({ role: 'user', content: [{ type: 'text', text: 'Images from the tool results:' }, ...pictures] })
    pictures = []
  }

  function speak(...pieces: readonly Spoken[]): void {
    if (speaking === undefined) {
      showPictures()
      tellLate()
    }
    speaking ??= []
    speaking.push(...pieces)
  }

  function hush(): void {
    if (speaking === undefined) return
    const spoken = speaking
    speaking = undefined
    // Thoughts that led to nothing are nothing a model can be given back.
    if (spoken.every(({ type }) => type === 'thought')) return
    messages.push({ role: 'assistant', content: toSpoken(spoken) })
    unanswered.clear()
    for (const part of spoken) if (part.type === 'call') unanswered.add(part.call.id)
  }

  function tell(message: Message): void {
    hush()
    showPictures()
    tellLate()
    messages.push(message)
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
      hush()
      if (unanswered.size > 0) late.push({ role: 'system', content })
      else tell({ role: 'system', content })
    },
    user(content) {
      tell({ role: 'user', content })
      unanswered.clear()
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
    result(callId, content) {
      hush()
      unanswered.delete(callId)
      const shown = piecesOf(content).filter(({ type }) => type !== 'text')
      pictures.push(...shown)
      const words = textOf(content)
      const pointed = shown.length === 0 ? words : [words, '(image: see below)'].filter((one) => one !== '').join('\n')
      messages.push({ role: 'tool', callId, content: pointed })
    },
    keep({ message, calls = {} }) {
      for (const [id, metadata] of Object.entries(calls)) keptOfCalls.set(id, metadata)
      if (message === undefined) return
      const place = messages.findLastIndex(({ role }) => role === 'assistant')
      const last = messages[place]
      if (speaking !== undefined) speaking = withKept(speaking, message)
      else if (last?.role === 'assistant')
        messages[place] = { ...last, content: withKept(piecesOf(last.content), message) }
    },
    end() {
      hush()
      showPictures()
      tellLate()
      return withOneBeginning(instructions, keptOfCalls.size === 0 ? messages : messages.map(withCallMetadata))
    },
  }
}

/** What is kept of a message as a whole is a thought without words; what comes later counts. */
function withKept(spoken: readonly Spoken[], metadata: ProviderMetadata): Spoken[] {
  const others = spoken.filter((part) => part.type !== 'thought' || part.text !== '')
  return [{ type: 'thought', text: '', metadata }, ...others]
}

/** Everything a model is told before the user first speaks is one message; what comes later stays in its place. */
function withOneBeginning(instructions: string, messages: readonly Message[]): readonly Message[] {
  const spoken = messages.findIndex(({ role }) => role === 'user')
  const isEarly = (index: number): boolean => spoken === -1 || index < spoken
  const early = messages.filter(({ role }, index) => role === 'system' && isEarly(index))
  const said = [instructions, ...early.map(({ content }) => textOf(content))].filter((text) => text !== '')
  const others = messages.filter((message) => !early.includes(message))
  return said.length === 0 ? others : [{ role: 'system', content: said.join('\n\n') }, ...others]
}
