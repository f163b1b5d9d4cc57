import { toCanonicalJson } from '../../../protocol/json.ts'
import { callsOf, type Message, type ToolMessage, textOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { joinContents } from '../../prompt/history/normalise.ts'
import type { Loop } from './loop.ts'

/** So many times the same call brings the same result before the model is told. */
const stuckFrom = 3
const mostNamed = 8

/** What a model waits for may well be asked for again, although nothing has changed. */
const waits =
  /\b(?:pending|running|in[_ -]?progress|queued|waiting|not (?:yet )?(?:ready|finished|done)|processing|starting|building|retry|try again)\b/i

/** A model that goes round: calls that brought what they had brought before, and nothing new in between. */
interface Stuck {
  readonly messages: readonly Message[]
  /** The calls that may not be made again now; none where the model is not stuck. */
  readonly barred: ReadonlySet<string>
}

/**
 * The conversation with a sentence behind each result that came for the third time, and the calls that are in the way now. The sentence
 * depends only on what stands before it, so the prompt keeps its beginning.
 */
export function findStuck({ messages, tools }: Pick<Request, 'messages' | 'tools'>): Stuck {
  const results = new Map<string, string>()
  const open = new Map<string, string>()
  /** The calls since something new was learnt, that one first. */
  let round: string[] = []

  function follow(message: ToolMessage): Message {
    const key = open.get(message.callId)
    if (key === undefined) return message
    const result = textOf(message.content)
    const isNew = results.get(key) !== result || waits.test(result)
    results.set(key, result)
    round = isNew ? [key] : [...round, key]
    if (timesOf(round, key) < stuckFrom) return message
    return { ...message, content: joinContents(message.content, hintFor(tools, results)) }
  }

  const told = messages.map((message) => {
    if (message.role === 'tool') return follow(message)
    if (message.role !== 'assistant') return message
    const calls = callsOf(message)
    // An answer in words ends what the model was at.
    if (calls.length === 0) {
      results.clear()
      round = []
    }
    for (const call of calls) open.set(call.id, keyOf(call))
    return message
  })
  const isStuck = round.some((key) => timesOf(round, key) >= stuckFrom)
  return { messages: told, barred: new Set(isStuck ? round.filter((key) => timesOf(round, key) > 1) : []) }
}

/** The watch over an answer of a model that is stuck: what is barred is a loop, and nothing else. */
export function createBar(barred: ReadonlySet<string>): Loop {
  const names = new Set([...barred].map((key) => key.split(' ', 1)[0]))
  return {
    suspects: (name) => names.has(name),
    suspectsAll: false,
    add: (call) =>
      barred.has(keyOf(call))
        ? { type: 'note', kind: 'loop', detail: `${call.name}, with the same result` }
        : undefined,
    end: () => undefined,
    known: undefined,
  }
}

function keyOf(call: { readonly name: string; readonly arguments: string }): string {
  return `${call.name} ${toCanonicalJson(call.arguments)}`
}

const timesOf = (round: readonly string[], key: string): number => round.filter((one) => one === key).length

function hintFor(tools: readonly Tool[], results: ReadonlyMap<string, string>): string {
  const called = new Set([...results.keys()].map((key) => key.split(' ', 1)[0]))
  const untried = tools.map(({ name }) => name).filter((name) => !called.has(name))
  const named = untried.slice(0, mostNamed).join(', ')
  const rest = named === '' ? 'Use other arguments' : `Not tried yet: ${named}. Use one of these, or other arguments`
  return `(The same call brought the same result for the third time, and will again. ${rest}, or answer in words.)`
}
