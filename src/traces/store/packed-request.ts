import { isLasting, MadeOf } from '../../protocol/memory/lasting.ts'
import type { SharedBytes } from '../../protocol/memory/shared-bytes.ts'
import type { Request } from '../../protocol/request.ts'

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/**
 * What was printed of a message, for as long as there is one. A conversation tells its messages again with every request,
 * each as the same object, and so they are kept once, however many exchanges tell them. The objects themselves are
 * not kept: all that others remember about them would stay as well.
 */
const known = new MadeOf<SharedBytes>()
const knownTools = new WeakMap<object, SharedBytes>()

function share(value: object, memory: Pick<MadeOf<SharedBytes>, 'get' | 'set'>): SharedBytes {
  const before = memory.get(value)
  if (before !== undefined) return before
  const shared: SharedBytes = { bytes: encoder.encode(JSON.stringify(value)), users: 0 }
  memory.set(value, shared)
  return shared
}

/** Stands for what is the next of the shared bytes. */
const hole = 0

/** A request as JSON can be made of it. What is told again and again is put aside. */
export function packRequest(request: Request, shared: SharedBytes[]): object {
  const { messages, tools, faults: _, ...rest } = request
  const told = messages.map((message) => {
    if (!isLasting(message)) return message
    shared.push(share(message, known))
    return hole
  })
  if (tools.length > 0) shared.push(share(tools, knownTools))
  return { ...rest, messages: told, tools: tools.length === 0 ? [] : hole }
}

/** The request that was made JSON of; `next` gives the shared bytes in their order. */
export function unpackRequest<T extends Request>(packed: object, next: () => SharedBytes): T {
  const request = packed as T
  const filled = (value: unknown): unknown =>
    value === hole ? (JSON.parse(decoder.decode(next().bytes)) as unknown) : value
  const messages = request.messages.map(filled)
  return { ...request, messages, tools: filled(request.tools) } as T
}
