import { GatewayError } from '../../../errors.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import type { Store } from '../../door.ts'

/** A conversation the client leaves with us: it sends what is new, and the id of the answer before it. */
export interface Thread {
  /** The request with all that was said before it. */
  readonly body: JsonObject
  /** Keeps the conversation up to the answer of this id, its content as JSON. A thread can be continued from any of them. */
  keep(id: string, content: string): Promise<void>
}

/** The thread a request begins or goes on with; undefined where it wants none. */
export async function openThread(body: JsonObject, store: Store): Promise<Thread | undefined> {
  const { thread } = body
  if (!isJsonObject(thread)) return undefined
  const whole = thread['type'] === 'continue' ? await recall(body, thread['previous_message_id'], store) : body
  const { system = null, tools = null } = whole as { system?: Json; tools?: Json }
  return {
    body: whole,
    keep: (id, content) =>
      store.set(
        toKey(id),
        JSON.stringify({
          system,
          tools,
          messages: [...listOf(whole['messages']), { role: 'assistant', content: parseJson(content) ?? [] }],
        }),
      ),
  }
}

/** Its instructions and its tools are those it was begun with. */
async function recall(body: JsonObject, id: Json | undefined, store: Store): Promise<JsonObject> {
  const kept = typeof id === 'string' ? parseJson((await store.get(toKey(id))) ?? '') : undefined
  // Clients then send the whole conversation.
  if (!isJsonObject(kept)) {
    throw new GatewayError('thread_not_found', 'This thread is not stored here. Send the whole conversation.', {
      param: 'thread',
    })
  }
  return { ...body, ...kept, messages: [...listOf(kept['messages']), ...listOf(body['messages'])] }
}

function toKey(id: string): string {
  return `messages:thread:${id}`
}

function listOf(value: Json | undefined): readonly Json[] {
  return Array.isArray(value) ? value : []
}
