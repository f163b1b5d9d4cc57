import { GatewayError } from '../../../errors.ts'
import type { Call } from '../../../protocol/call.ts'
import { quoted } from '../../shared/fields.ts'

/** Collects what is wrong with a conversation and can still be read: the model's settings say whether that is enough. */
export interface Faults {
  readonly list: readonly GatewayError[]
  /** How many there were, those that the list has no room for as well. */
  count(): number
  add(fault: GatewayError): void
  /** What a check reads, or, with its failure noted, what stands for it. */
  mend<T>(read: () => T, otherwise: () => T): T
}

const maxFaults = 100

export function createFaults(): Faults {
  const list: GatewayError[] = []
  let count = 0
  const add = (fault: GatewayError): void => {
    count += 1
    if (list.length < maxFaults) list.push(fault)
  }
  return {
    list,
    count: () => count,
    add,
    mend(read, otherwise) {
      try {
        return read()
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        add(thrown)
        return otherwise()
      }
    },
  }
}

/** Follows a conversation and says whether every result has its call, and every call its result before the user goes on. */
export interface Links {
  /** All are told by the message at this place. */
  called(calls: readonly Call[], index: number): void
  answered(callId: string, index: number): void
  /** The older results name a function instead of a call; gives back the id of the call meant, or none. */
  answeredByName(name: string, index: number): string
  expectAnswered(): void
}

interface Asked {
  readonly name: string
  readonly index: number
  readonly place: number
}

export function createLinks(
  faults: Pick<Faults, 'add'>,
  path: string,
  /** Where the id of a call stands, by its message and its place there. */
  pathOf: (index: number, place: number) => string,
): Links {
  const open = new Map<string, Asked>()
  /** Where each id was last answered. An id may be asked again later: some models count their calls anew each turn. */
  const closed = new Map<string, number>()

  const fault = (code: GatewayError['code'], message: string, param: string): void =>
    faults.add(new GatewayError(code, message, { param }))

  const close = (id: string, index: number): void => {
    open.delete(id)
    closed.set(id, index)
  }

  return {
    called(calls, index) {
      let place = 0
      for (const { id, name } of calls) {
        if (open.get(id)?.index === index) {
          const at = pathOf(index, place)
          fault('duplicate_tool_call_id', `Invalid '${at}': two calls in this message have the ID ${quoted(id)}.`, at)
        }
        open.set(id, { name, index, place })
        place += 1
      }
    },

    answered(callId, index) {
      if (open.has(callId)) return close(callId, index)
      const earlier = closed.get(callId)
      if (earlier === undefined) {
        const rule = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        const message = `Invalid parameter: ${rule} No earlier call has the id ${quoted(callId)}.`
        return fault('unknown_tool_call_id', message, `${path}[${index}].tool_call_id`)
      }
      const where = `messages[${earlier}] and messages[${index}]`
      const message = `Invalid parameter: Duplicate value for 'tool_call_id' of ${quoted(callId)}, in ${where}.`
      fault('duplicate_tool_call_id', message, `${path}[${index}].tool_call_id`)
    },

    answeredByName(name, index) {
      for (const [id, asked] of open) {
        if (asked.name !== name) continue
        close(id, index)
        return id
      }
      const rule = "messages with role 'function' must follow an assistant message with that 'function_call'."
      fault('unknown_tool_call_id', `Invalid parameter: ${rule}`, `${path}[${index}].name`)
      return ''
    },

    expectAnswered() {
      const [first] = open
      if (first === undefined) return
      const rule =
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'."
      const ids = [...open.keys()]
        .slice(0, 8)
        .map((id) => quoted(id))
        .join(', ')
      const message = `${rule} The following tool_call_ids did not have response messages: ${ids}`
      open.clear()
      fault('unanswered_tool_call', message, pathOf(first[1].index, first[1].place))
    },
  }
}
