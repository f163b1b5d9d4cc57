import type { Note } from '../../../protocol/event.ts'
import type { FoldedCall } from '../../../protocol/fold.ts'
import { toCanonicalJson } from '../../../protocol/json.ts'
import { callsOf, type Message } from '../../../protocol/message.ts'

/** From so many times in a row on, the same call is a loop. */
const loopFrom = 3

type Made = Pick<FoldedCall, 'name' | 'arguments'>

/** How often in a row a model makes the same call, or the same calls at once, over the conversation and the answer to it. */
export interface Loop {
  /** Whether a call of this tool may turn out to be one too many. */
  suspects(name: string): boolean
  /** Whether several calls together may, which only the end of the answer tells. */
  readonly suspectsAll: boolean
  /** The answer makes this call. Gives back a note if that is a loop. */
  add(call: Made): Note | undefined
  /** The answer is over. Gives back a note if all its calls together are a loop. */
  end(): Note | undefined
  /** What the conversation alone shows. */
  readonly known: Note | undefined
}

/** The last calls of a kind, and how often they were made at a stretch. */
interface Row {
  readonly calls: readonly Made[]
  readonly times: number
}

export function createLoop(messages: readonly Message[]): Loop {
  const together = rowOf(lastAnswers(messages))
  let single = rowOf(lastCalls(messages))
  const made: Made[] = []

  return {
    suspects: (name) => name === single.calls[0]?.name && single.times >= loopFrom - 1,
    suspectsAll: together.calls.length > 1 && together.times >= loopFrom - 1,
    add(call) {
      made.push(call)
      single = grow(single, [call])
      return noteOf(single)
    },
    end: () => (made.length > 1 ? noteOf(grow(together, made)) : undefined),
    known: noteOf(single) ?? noteOf(together),
  }
}

/**
 * The calls of each answer the model is at, the last first. An answer in which it called nothing ends what it was at. A
 * user's words do not: some agents send some after every result.
 */
function* lastAnswers(messages: readonly Message[]): Iterable<readonly Made[]> {
  for (let place = messages.length - 1; place >= 0; place--) {
    const message = messages[place]
    if (message?.role !== 'assistant') continue
    const calls = callsOf(message)
    if (calls.length === 0) return
    yield calls
  }
}

function* lastCalls(messages: readonly Message[]): Iterable<readonly Made[]> {
  for (const calls of lastAnswers(messages)) for (const call of calls.toReversed()) yield [call]
}

/** How often the first comes at a stretch. Looks no further than that: a long conversation costs no more than a short one. */
function rowOf(lists: Iterable<readonly Made[]>): Row {
  let first: readonly Made[] | undefined
  let times = 0
  for (const calls of lists) {
    first ??= calls
    if (!isSame(first, calls)) break
    times += 1
  }
  return { calls: first ?? [], times }
}

function grow({ calls, times }: Row, next: readonly Made[]): Row {
  return { calls: next, times: isSame(calls, next) ? times + 1 : 1 }
}

function noteOf({ calls, times }: Row): Note | undefined {
  const [call] = calls
  if (call === undefined || times < loopFrom) return undefined
  const what = calls.length === 1 ? call.name : `${calls.length} calls at once`
  return { type: 'note', kind: 'loop', detail: `${what}, ${times} times in a row` }
}

function isSame(some: readonly Made[], others: readonly Made[]): boolean {
  return (
    some.length === others.length &&
    some.every((one, index) => {
      const other = others[index]
      if (one.name !== other?.name) return false
      return one.arguments === other.arguments || toCanonicalJson(one.arguments) === toCanonicalJson(other.arguments)
    })
  )
}
