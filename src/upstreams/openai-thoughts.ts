import { createHash } from 'node:crypto'
import { textOf } from '../protocol/message.ts'
import { toCanonicalJson } from '../protocol/spelling.ts'
import type { UpstreamEvent, UpstreamRequest } from './upstream.ts'

const maxAnswers = 2_000
const maxCharacters = 8 * 1024 * 1024

/** What a model thought before it called: for services that want it back from clients that drop it. */
export interface Thoughts {
  /** What is remembered of the conversation a request belongs to, and of nobody else's. */
  about(request: UpstreamRequest): Recollection
}

export interface Recollection {
  /** What was thought before a call that stands in the request. */
  recall(callId: string): string | undefined
  /** Watches the answer to the request; `end` keeps what it thought. */
  listen(): { hear(events: readonly UpstreamEvent[]): void; end(): void }
}

/**
 * A thought is found again by whose conversation it was in, by what that began with, and by the call that came of it.
 * The ids of calls do not count: services begin at `call_0` in every answer, and the turn gives ids of its own to those
 * that are taken. The same call a second time is told from the first by its number. The oldest are forgotten first.
 */
export function createThoughts(): Thoughts {
  const byCall = new Map<string, string>()
  let characters = 0

  function forget(key: string): void {
    characters -= byCall.get(key)?.length ?? 0
    byCall.delete(key)
  }

  function keep(key: string, thought: string): void {
    forget(key)
    byCall.set(key, thought)
    characters += thought.length
    for (const oldest of byCall.keys()) {
      if (byCall.size <= maxAnswers && characters <= maxCharacters) break
      forget(oldest)
    }
  }

  return {
    about(request) {
      const keyOf = createKeys(request)
      const known = new Map<string, string | undefined>()
      for (const message of request.messages) {
        if (message.role !== 'assistant') continue
        const [thought] = message.calls.flatMap(({ name, arguments: json }) => byCall.get(keyOf(name, json)) ?? [])
        // Where one id stands for two calls, nobody knows which of them is meant.
        for (const { id } of message.calls) known.set(id, known.has(id) ? undefined : thought)
      }
      return {
        recall: (callId) => known.get(callId),
        listen() {
          const calls = createHearing()
          let thought = ''
          return {
            hear(events) {
              for (const event of events) {
                if (event.type === 'reasoning' && thought.length < maxCharacters / 8) thought += event.text
                else if (event.type === 'call') calls.hear(event)
              }
            },
            end() {
              for (const { name, json } of calls.heard) keep(keyOf(name, json), thought)
            },
          }
        },
      }
    },
  }
}

/** Makes the keys of a conversation's calls, to be asked for in their order. */
function createKeys(request: UpstreamRequest): (name: string, json: string) => string {
  const { model, owner = '', clientKey = '', messages } = request
  const question = messages.find(({ role }) => role === 'user')
  const scope = JSON.stringify([owner, clientKey, model, question === undefined ? '' : textOf(question.content)])
  const times = new Map<string, number>()
  return (name, json) => {
    const call = JSON.stringify([name, isNothing(json) ? '{}' : toCanonicalJson(json)])
    const before = times.get(call) ?? 0
    times.set(call, before + 1)
    return createHash('sha256').update(`${scope}\n${before}\n${call}`).digest('base64url')
  }
}

/** What services send for no arguments; clients get an empty object for it. */
function isNothing(json: string): boolean {
  return ['', 'null', '[]'].includes(json.trim())
}

interface Heard {
  readonly id: string | undefined
  name: string
  json: string
}

/** The calls of an answer out of their pieces: a new number or a new id is a new call. */
function createHearing() {
  const heard: Heard[] = []
  const places = new Map<number | undefined, Heard>()
  return {
    heard: heard as readonly Heard[],
    hear({ index, id, name = '', json = '' }: Extract<UpstreamEvent, { type: 'call' }>): void {
      let call = places.get(index)
      if (call === undefined || (id !== undefined && call.id !== undefined && id !== call.id)) {
        call = { id, name: '', json: '' }
        heard.push(call)
        places.set(index, call)
      }
      call.name ||= name
      call.json += json
    },
  }
}
