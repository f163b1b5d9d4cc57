import { GatewayError } from '../../errors.ts'
import type { Json } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { hasMedia, isMedia, type Media, type Message, type Part, type Spoken } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Attempt } from '../attempt.ts'
import { createTerms } from '../services/terms.ts'

const forMs = 3_600_000

/**
 * Attempts without attachments, where the service refused them and the client would rather have an answer. That a model
 * takes text only is remembered for a while.
 */
export function sparingMedia(attempt: Attempt, now: () => number): Attempt {
  const textOnly = createTerms<true>(now)
  return async (request, settings, upstream, context) => {
    if (request.omitsMedia !== true || !request.messages.some(hasMedia)) {
      return await attempt(request, settings, upstream, context)
    }
    const key = JSON.stringify([upstream.name, settings.model, context.client ?? ''])
    const plain = () => attempt(withoutMedia(request), settings, upstream, context)
    if (textOnly.known(key) === true) return await plain()
    try {
      return await attempt(request, settings, upstream, context)
    } catch (thrown) {
      if (context.signal.aborted || !isMediaFailure(thrown)) throw thrown
      const turn = await plain()
      textOnly.learn(key, true, forMs)
      return turn
    }
  }
}

function isMediaFailure(thrown: unknown): boolean {
  return (
    thrown instanceof GatewayError &&
    thrown.code === 'unsupported_parameter' &&
    thrown.param?.endsWith('.content') === true
  )
}

function withoutMedia(request: Request): Request {
  const kinds = new Set<string>()
  const messages = request.messages.map((message): Message => {
    if (typeof message.content === 'string' || !hasMedia(message)) return message
    const content = message.content.map((part): Spoken => (isMedia(part) ? inWords(part, kinds) : part))
    if (message.role === 'assistant') return { ...message, content }
    return { ...message, content: content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n') }
  })
  const detail = [...kinds].join(', ')
  return { ...request, messages, notes: [...(request.notes ?? []), { type: 'note', kind: 'item_dropped', detail }] }
}

/** A line for each attachment that is left out, so that the conversation still says what it was. */
function inWords(part: Media, kinds: Set<string>): Part {
  const { kind, name } = describe(part)
  kinds.add(kind)
  return { type: 'text', text: name === undefined ? `[${kind} omitted]` : `[${kind} omitted: ${name}]` }
}

function describe(part: Media): { readonly kind: string; readonly name?: string } {
  if (part.type === 'image') return { kind: 'image' }
  const value: Json = isJsonObject(part.value) ? part.value : {}
  const file = isJsonObject(value['file']) ? value['file'] : undefined
  if (file === undefined) return { kind: 'file' }
  return typeof file['filename'] === 'string' ? { kind: 'document', name: file['filename'] } : { kind: 'document' }
}
