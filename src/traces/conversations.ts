import { createHash } from 'node:crypto'
import { textOf } from '../protocol/message.ts'
import type { AskedFor, Beginning } from './recording.ts'

/** More of a message does not tell it better from others. */
const tellingLength = 512
const mostKnown = 10_000

/**
 * Which conversation an exchange belongs to: the client's own name for it where it has one, else the one that began with
 * the same words of the same client. A request without an answer in it begins a new one.
 */
export function createConversations(createId: () => string): (asked: AskedFor, beginning: Beginning) => string {
  const known = new Map<string, string>()

  function remember(key: string, id: string): string {
    known.delete(key)
    known.set(key, id)
    if (known.size > mostKnown) known.delete(known.keys().next().value ?? '')
    return id
  }

  return ({ requests: [request], model, conversation = '' }, { client, keyName = '' }) => {
    const own = conversation === '' ? '' : `named ${conversation}`
    const first = request?.messages.find(({ role }) => role !== 'system')
    const words = own === '' && first !== undefined ? textOf(first.content) : own
    const telling = [words.length, words.slice(0, tellingLength), words.slice(-tellingLength)]
    const key = createHash('sha256')
      .update(JSON.stringify([client, keyName, own === '' ? model : '', telling]))
      .digest('base64url')
    const isBegun = own !== '' || request?.messages.some(({ role }) => role === 'assistant') === true
    return remember(key, (isBegun ? known.get(key) : undefined) ?? createId())
  }
}
