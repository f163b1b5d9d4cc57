import type { Note } from '../protocol/event.ts'
import type { FoldedCall } from '../protocol/fold.ts'
import type { Message } from '../protocol/message.ts'
import { toCanonicalJson } from '../protocol/spelling.ts'

/** From so many times in a row on, the same call is a loop. */
const loopFrom = 3

type Made = Pick<FoldedCall, 'name' | 'arguments'>

/** How often in a row a model makes the same call, over the conversation and the answer to it. */
export interface Loop {
  /** Whether a call of this tool may turn out to be one too many. */
  suspects(name: string): boolean
  /** The answer makes this call. Gives back a note if that is a loop. */
  hear(call: Made): Note | undefined
  /** What the conversation alone shows. */
  readonly known: Note | undefined
}

interface Row {
  readonly call: Made | undefined
  readonly times: number
}

export function createLoop(messages: readonly Message[]): Loop {
  let row = lastRow(messages)

  function noted(): Note | undefined {
    if (row.call === undefined || row.times < loopFrom) return undefined
    return { type: 'note', kind: 'loop', detail: `${row.call.name}, ${row.times} times in a row` }
  }

  return {
    suspects: (name) => name === row.call?.name && row.times >= loopFrom - 1,
    hear(call) {
      row = { call, times: row.call !== undefined && isSame(row.call, call) ? row.times + 1 : 1 }
      return noted()
    },
    known: noted(),
  }
}

/**
 * The last call and how often it was made at a stretch, looked for from the end, so that a long conversation costs no more
 * than a short one. An answer in which the model called nothing ends what it was at. A user's words do not: some agents
 * send some after every result.
 */
function lastRow(messages: readonly Message[]): Row {
  let row: Row = { call: undefined, times: 0 }
  for (let place = messages.length - 1; place >= 0; place -= 1) {
    const message = messages[place]
    if (message?.role !== 'assistant') continue
    if (message.calls.length === 0) return row
    for (const call of message.calls.toReversed()) {
      if (row.call !== undefined && !isSame(row.call, call)) return row
      row = { call, times: row.times + 1 }
    }
  }
  return row
}

function isSame(one: Made, other: Made): boolean {
  if (one.name !== other.name) return false
  return one.arguments === other.arguments || toCanonicalJson(one.arguments) === toCanonicalJson(other.arguments)
}
