import { isJsonObject, parseJson } from '../../../protocol/json.ts'
import {
  type AssistantMessage,
  callsOf,
  type Message,
  metadataOf,
  piecesOf,
  type Spoken,
} from '../../../protocol/message.ts'
import { joinMetadata, type ProviderMetadata } from '../../../protocol/provider-metadata.ts'
import type { Store } from '../../door.ts'

/** What a service wants back with a call, and with the message the call stands in. */
interface Kept {
  readonly call?: ProviderMetadata
  readonly message?: ProviderMetadata
}

/** Calls have no place for it on this wire, so it is kept here under their ids. */
export interface CallMetadata {
  /** The id a call has on this wire, by the one it was given: always the same. */
  idOf(callId: string, kept?: Kept): string
  /** More of what belongs to a call. */
  add(callId: string, metadata: ProviderMetadata): void
  isEmpty(): boolean
  save(store: Store): Promise<void>
}

const prefix = 'toolu_'
/** Ids that something is kept for begin so: nothing is looked for under others. */
const mark = `${prefix}kk`
const idLength = prefix.length + 24

export function createCallMetadata(createId: (prefix: string) => string): CallMetadata {
  const ids = new Map<string, string>()
  const kept = new Map<string, Kept>()
  return {
    idOf(callId, { call, message } = {}) {
      const known = ids.get(callId)
      if (known !== undefined) return known
      const isKept = call !== undefined || message !== undefined
      const id = isKept ? createId(mark).slice(0, idLength) : createId(prefix)
      ids.set(callId, id)
      if (isKept) kept.set(id, { ...(call !== undefined && { call }), ...(message !== undefined && { message }) })
      return id
    },
    add(callId, metadata) {
      const id = ids.get(callId) ?? ''
      const before = kept.get(id)
      if (before !== undefined) kept.set(id, { ...before, call: joinMetadata(before.call, metadata) })
    },
    isEmpty: () => kept.size === 0,
    async save(store) {
      await Promise.all(Array.from(kept, ([id, value]) => store.set(toKey(id), JSON.stringify(value))))
    },
  }
}

/** The conversation with all that was kept of it. */
export async function restoreMetadata(messages: readonly Message[], store: Store): Promise<readonly Message[]> {
  const isMarked = (message: Message): message is AssistantMessage =>
    message.role === 'assistant' && callsOf(message).some(({ id }) => id.startsWith(mark))
  if (!messages.some(isMarked)) return messages
  return await Promise.all(
    messages.map(async (message): Promise<Message> => (isMarked(message) ? await recall(message, store) : message)),
  )
}

async function recall(message: AssistantMessage, store: Store): Promise<AssistantMessage> {
  let own: ProviderMetadata | undefined
  const content = await Promise.all(
    piecesOf(message.content).map(async (part): Promise<Spoken> => {
      if (part.type !== 'call' || !part.call.id.startsWith(mark)) return part
      const value = parseJson((await store.get(toKey(part.call.id))) ?? 'null')
      if (!isJsonObject(value)) return part
      if (isJsonObject(value['message'])) own ??= value['message']
      return isJsonObject(value['call']) ? { type: 'call', call: { ...part.call, metadata: value['call'] } } : part
    }),
  )
  if (own === undefined || metadataOf(message) !== undefined) return { ...message, content }
  return { ...message, content: [{ type: 'thought', text: '', metadata: own }, ...content] }
}

function toKey(id: string): string {
  return `messages:call:${id}`
}

export function toKept(call: ProviderMetadata | undefined, message: ProviderMetadata | undefined): Kept {
  return { ...(call !== undefined && { call }), ...(message !== undefined && { message }) }
}
