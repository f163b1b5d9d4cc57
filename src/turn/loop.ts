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
  readonly name: string
  readonly call: string
  readonly times: number
}

export function createLoop(messages: readonly Message[]): Loop {
  let row: Row = { name: '', call: '', times: 0 }

  function add(made: Made): void {
    const call = `${made.name} ${toCanonicalJson(made.arguments)}`
    row = { name: made.name, call, times: call === row.call ? row.times + 1 : 1 }
  }

  for (const message of messages.slice(lastTurn(messages))) {
    if (message.role === 'assistant') message.calls.forEach(add)
  }

  function noted(): Note | undefined {
    if (row.times < loopFrom) return undefined
    return { type: 'note', kind: 'loop', detail: `${row.name}, ${row.times} times in a row` }
  }

  return {
    suspects: (name) => name === row.name && row.times >= loopFrom - 1,
    hear(call) {
      add(call)
      return noted()
    },
    known: noted(),
  }
}

/**
 * Where what the model is at began: after the last answer in which it called nothing. A user's words in between are no
 * beginning, because some agents send some after every result.
 */
function lastTurn(messages: readonly Message[]): number {
  return messages.findLastIndex((message) => message.role === 'assistant' && message.calls.length === 0) + 1
}
