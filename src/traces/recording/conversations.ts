import { textOf } from '../../protocol/message.ts'
import type { AskedFor, Beginning } from './recording.ts'

/** More of a message does not tell it better from others. */
const tellingLength = 512
const mostKnown = 10_000

/**
 * Which conversation an exchange belongs to: the client's own name for it where it has one, else the one that began with
 * the same words of the same client. A request without an answer in it begins a new one.
 */
export function createConversations(createId: () => string): (asked: AskedFor, beginning: Beginning) => string {
  let young = new Map<string, string>()
  let old = new Map<string, string>()

  /** What nobody asked for while half of them were new is forgotten. */
  function remember(key: string, id: string): string {
    if (young.size >= mostKnown / 2) {
      old = young
      young = new Map()
    }
    young.set(key, id)
    return id
  }

  return ({ requests: [request], model, conversation = '' }, { client, keyName = '' }) => {
    const own = conversation === '' ? '' : `named ${conversation}`
    const first = request?.messages.find(({ role }) => role !== 'system')
    const words = own === '' && first !== undefined ? textOf(first.content) : own
    const said = `${words.length} ${digest(words)}`
    const key = JSON.stringify([client, keyName, own === '' ? model : own, said])
    const isBegun = own !== '' || request?.messages.some(({ role }) => role === 'assistant') === true
    return remember(key, (isBegun ? (young.get(key) ?? old.get(key)) : undefined) ?? createId())
  }
}

/**
 * Tells texts apart by their beginning and their end. Two that are taken for one are shown as one conversation, and no worse:
 * to be safe from that would cost a tenth of all that recording does (`bench traces`).
 */
function digest(words: string): string {
  let [one, two] = [0x811c9dc5, 0x9e3779b9]
  const { length } = words
  for (let at = 0; at < length; at++) {
    if (at === tellingLength && length > 2 * tellingLength) at = length - tellingLength
    const code = words.charCodeAt(at)
    one = Math.imul(one ^ code, 0x01000193)
    two = Math.imul(two ^ code, 0x85ebca6b) + (two >>> 13)
  }
  return `${(one >>> 0).toString(36)}${(two >>> 0).toString(36)}`
}
