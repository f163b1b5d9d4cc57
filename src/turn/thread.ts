import type { Call } from '../protocol/call.ts'
import { customNames } from '../protocol/custom.ts'
import type { Event } from '../protocol/event.ts'
import { type Answer, fold } from '../protocol/fold.ts'
import { toCanonicalJson } from '../protocol/json.ts'
import {
  type AssistantMessage,
  type Content,
  callsOf,
  inUsualOrder,
  type Message,
  textOf,
  wordsOf,
} from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import type { Writable } from '../protocol/writable.ts'
import type { Thread } from '../upstreams/upstream.ts'
import { type Approach, dialectOf } from './plan.ts'
import { prepare } from './prompt/prepare.ts'
import type { TemplateSettings } from './settings.ts'
import type { TurnContext } from './turn.ts'

/** A thread as the turn holds it. */
export interface KeptThread extends Thread {
  /** The service asked to be told. */
  readonly isKept: boolean
  /** The answer is over; these were all its events. */
  tell(events: readonly Event[]): Promise<void>
}

/**
 * Marks are the messages as this turn would print them, had the client spelt them in the one canonical way. So the mark of
 * an answer is what the next request's own preparation will come to, whatever the model's spelling was. Those of the
 * conversation are all in the model's dialect and say nothing of the tools: a request that offers none any more goes on
 * with the same conversation.
 */
export function createThread(request: Request, approach: Approach, context: TurnContext): KeptThread {
  const { settings, upstream } = approach
  let listener: ((mark: string) => Promise<void>) | undefined

  function plainly(messages: readonly Message[]): readonly Message[] {
    const dialect = approach.dialect ?? dialectOf(settings)
    const plain = { mode: 'none', settings: { ...settings, template: plainTemplate }, upstream, dialect } as const
    return prepare({ ...request, messages: canonicalise(messages), tools: [] }, plain).request.messages
  }

  const thread: Writable<KeptThread> = {
    owner: ownerOf(context),
    marks: () =>
      prepare({ ...request, messages: canonicalise(request.messages) }, approach).request.messages.map(toMark),
    conversation: () => plainly(request.messages).map((message) => ({ role: message.role, text: toMark(message) })),
    taught() {
      if (approach.mode !== 'prompt') return ''
      return JSON.stringify(prepare({ ...request, messages: [] }, approach).request.messages)
    },
    onAnswered(tell) {
      listener = tell
      thread.isKept = true
    },
    isKept: false,
    async tell(events) {
      const answer = fold(events)
      if (listener === undefined || !isWhole(answer, events)) return
      const place = plainly(request.messages).length
      const next = plainly([...request.messages, toMessage(answer, request)])[place]
      // Where the answer went into a message before it, there is no place in the thread after it.
      if (next?.role === 'assistant') await listener(toMark(next))
    },
  }
  return thread
}

/** The client, by its key, and the client's own name for the conversation. */
export function ownerOf({ client = '', conversation = '' }: TurnContext): string {
  return JSON.stringify([client, conversation])
}

const plainTemplate: TemplateSettings = { system: true, alternate: false }

/** Notes of what the model said and the client did not get. */
const cuts: ReadonlySet<string> = new Set(['cut_after_first_call', 'loop_stopped', 'stop_cut'])

/** Whether the service, which has all it said, has no more than the client got. */
function isWhole({ finish, notes }: Answer, events: readonly Event[]): boolean {
  if (finish !== 'stop' && finish !== 'tool_calls') return false
  return !notes.some(({ kind }) => cuts.has(kind)) && !events.some(({ type }) => type === 'call-error')
}

function toMessage({ content, calls }: Answer, { tools }: Request): AssistantMessage {
  const custom = customNames(tools)
  const made = calls.map((call): Call => ({ ...call, kind: custom.has(call.name) ? 'custom' : 'function' }))
  return { role: 'assistant', content: inUsualOrder({ content, calls: made }) }
}

function toMark({ role, content }: Message): string {
  return JSON.stringify([role, content])
}

/** Without what clients change on the way: outer white space, parts and their order, ids, reasoning, the spelling of arguments. */
function canonicalise(messages: readonly Message[]): readonly Message[] {
  const ids = new Map<string, string>()
  let calls = 0
  return messages.map((message): Message => {
    const content = toCanonicalContent(wordsOf(message))
    if (message.role === 'tool') return { ...message, callId: ids.get(message.callId) ?? '', content }
    if (message.role !== 'assistant') return { ...message, content }
    const canonical = callsOf(message).map((call): Call => {
      const id = `call_${++calls}`
      ids.set(call.id, id)
      return { ...call, id, arguments: call.kind === 'custom' ? call.arguments : toCanonicalJson(call.arguments) }
    })
    return { ...message, content: inUsualOrder({ content, calls: canonical }) }
  })
}

/** Blank stays blank and empty stays empty: messages must join their neighbours just as the real ones do. */
function toCanonicalContent(content: Content): Content {
  if (typeof content !== 'string') {
    if (content.some((part) => part.type !== 'text')) return content
    if (content.every((part) => part.type === 'text' && part.text === '')) return ''
  }
  const text = textOf(content)
  return text.trim() || text
}
