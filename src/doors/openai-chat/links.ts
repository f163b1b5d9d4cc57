import { GatewayError } from '../../errors.ts'
import type { Call } from '../../protocol/call.ts'
import { quoted } from '../shared/fields.ts'
import type { Faults } from './faults.ts'

/** Follows a conversation and says whether every result has its call, and every call its result before the user goes on. */
export interface Links {
  asked(calls: readonly Call[], pathOf: (position: number) => string): void
  answered(callId: string, path: string, index: number): void
  /** The older results name a function instead of a call; gives back the id of the call meant, or none. */
  answeredByName(name: string, path: string, index: number): string
  userSpoke(): void
}

interface Asked {
  readonly name: string
  readonly path: string
}

export function createLinks(faults: Pick<Faults, 'add'>): Links {
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
    asked(calls, pathOf) {
      const here = new Set<string>()
      for (const [position, { id, name }] of calls.entries()) {
        const at = pathOf(position)
        if (here.has(id)) {
          fault('duplicate_tool_call_id', `Invalid '${at}': two calls in this message have the ID ${quoted(id)}.`, at)
        }
        here.add(id)
        open.set(id, { name, path: at })
      }
    },

    answered(callId, path, index) {
      if (open.has(callId)) return close(callId, index)
      const earlier = closed.get(callId)
      if (earlier === undefined) {
        const rule = "messages with role 'tool' must be a response to a preceeding message with 'tool_calls'."
        const message = `Invalid parameter: ${rule} No earlier call has the id ${quoted(callId)}.`
        return fault('unknown_tool_call_id', message, path)
      }
      const where = `messages[${earlier}] and messages[${index}]`
      const message = `Invalid parameter: Duplicate value for 'tool_call_id' of ${quoted(callId)}, in ${where}.`
      fault('duplicate_tool_call_id', message, path)
    },

    answeredByName(name, path, index) {
      for (const [id, asked] of open) {
        if (asked.name !== name) continue
        close(id, index)
        return id
      }
      const rule = "messages with role 'function' must follow an assistant message with that 'function_call'."
      fault('unknown_tool_call_id', `Invalid parameter: ${rule}`, path)
      return ''
    },

    userSpoke() {
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
      fault('unanswered_tool_call', message, first[1].path)
    },
  }
}
