import { sha256Url } from '../../bytes.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import { textOf } from '../../protocol/message.ts'
import type { AskedFor, Beginning } from './recording.ts'

/** More of a message does not set it apart from others. */
const mostRead = 1024
const mostKnown = 10_000

/**
 * Which conversation an exchange belongs to: the client's own name for it where it has one, else the one that began with
 * the same words of the same client. A request without an answer in it begins a new one.
 */
export function createConversations(createId: () => string): (asked: AskedFor, beginning: Beginning) => string {
  const known = createMemory<string>({ entries: mostKnown })
  return ({ requests: [request], model, conversation = '' }, { client, keyName = '' }) => {
    const isNamed = conversation !== ''
    const first = request?.messages.find(({ role }) => role !== 'system')
    const words = first === undefined ? '' : textOf(first.content)
    const said = isNamed ? conversation : [model, words.length, words.slice(0, mostRead), words.slice(-mostRead)]
    const key = sha256Url(JSON.stringify([client, keyName, said]))
    const isBegun = isNamed || request?.messages.some(({ role }) => role === 'assistant') === true
    const id = (isBegun ? known.get(key) : undefined) ?? createId()
    known.set(key, id)
    return id
  }
}
