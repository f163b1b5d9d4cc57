import { GatewayError } from '../../errors.ts'
import type { Json } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { Content, Message, Part } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Attempt } from '../attempt.ts'
import { createTerms } from '../services/terms.ts'

const forMs = 3_600_000

/**
 * Attempts that go without what is no text where the service refused it and the client would rather have an answer. That a
 * model has no eyes is remembered for a while.
 */
export function sparingMedia(attempt: Attempt, now: () => number): Attempt {
  const blind = createTerms<true>(now)
  return async (request, settings, upstream, context) => {
    if (request.omitsMedia !== true || !request.messages.some(hasMedia)) {
      return await attempt(request, settings, upstream, context)
    }
    const key = JSON.stringify([upstream.name, settings.model, context.client ?? ''])
    const plain = () => attempt(withoutMedia(request), settings, upstream, context)
    if (blind.known(key) === true) return await plain()
    try {
      return await attempt(request, settings, upstream, context)
    } catch (thrown) {
      if (context.signal.aborted || !isMediaFailure(thrown)) throw thrown
      const turn = await plain()
      blind.learn(key, true, forMs)
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

function hasMedia({ content }: Message): boolean {
  return typeof content !== 'string' && content.some(({ type }) => type !== 'text')
}

function withoutMedia(request: Request): Request {
  const kinds = new Set<string>()
  const messages = request.messages.map((message): Message => {
    return hasMedia(message) ? { ...message, content: inWords(message.content, kinds) } : message
  })
  const detail = [...kinds].join(', ')
  return { ...request, messages, notes: [...(request.notes ?? []), { type: 'note', kind: 'item_dropped', detail }] }
}

/** A line for each thing that is left out; what it was is worth knowing to whoever reads the conversation. */
function inWords(content: Content, kinds: Set<string>): Content {
  if (typeof content === 'string') return content
  const lines = content.map((part) => {
    if (part.type === 'text') return part.text
    const { kind, name } = describe(part)
    kinds.add(kind)
    return name === undefined ? `[${kind} omitted]` : `[${kind} omitted: ${name}]`
  })
  return lines.join('\n\n')
}

function describe(part: Exclude<Part, { type: 'text' }>): { readonly kind: string; readonly name?: string } {
  if (part.type === 'image') return { kind: 'image' }
  const value: Json = isJsonObject(part.value) ? part.value : {}
  const file = isJsonObject(value['file']) ? value['file'] : undefined
  if (file === undefined) return { kind: 'file' }
  return typeof file['filename'] === 'string' ? { kind: 'document', name: file['filename'] } : { kind: 'document' }
}
