import type { Event, FinishReason } from '../protocol/event.ts'
import type { UpstreamEvent } from '../upstreams/upstream.ts'

type Piece = Extract<UpstreamEvent, { type: 'call' }>

/** Puts native calls together from the pieces a service sends, whatever it left out or said twice. */
export interface NativeCalls {
  push(piece: Piece): readonly Event[]
  end(how: FinishReason | 'died'): readonly Event[]
  /** A second call began where one is allowed: it is left out, and nothing further can matter. */
  readonly done: boolean
}

interface Open {
  readonly index: number
  readonly place: number | undefined
  id: string | undefined
  name: string | undefined
  /** All arguments so far; `sent` of them have left. */
  json: string
  sent: number
}

export function createNativeCalls(newId: () => string, single = false): NativeCalls {
  const calls: Open[] = []
  let done = false

  function begin(place: number | undefined): Open | undefined {
    if (single && calls.length > 0) {
      done = true
      return undefined
    }
    const call: Open = { index: calls.length, place, id: undefined, name: undefined, json: '', sent: 0 }
    calls.push(call)
    return call
  }

  /**
   * The call a piece belongs to. Some services number every call 0 and some number none, so a new id starts a new call,
   * and so does a name without an id once the arguments before it are complete.
   */
  function callOf({ index, id, name }: Piece): Open | undefined {
    const last = calls.at(-1)
    const known = index === undefined ? last : calls.findLast(({ place }) => place === index)
    if (known === undefined) return begin(index)
    const otherId = id !== undefined && id !== '' && known.id !== undefined && known.id !== id
    const otherName = isGiven(name) && !isGiven(id) && known.name !== undefined && isJson(known.json)
    if (!otherId && !otherName) return known
    const byId = isGiven(id) ? calls.find((call) => call.id === id) : undefined
    return byId ?? begin(index)
  }

  return {
    push(piece) {
      const events: Event[] = []
      const call = done ? undefined : callOf(piece)
      if (call === undefined) return []
      if (isGiven(piece.id)) call.id ??= piece.id
      call.json += piece.json ?? ''
      if (call.name === undefined && isGiven(piece.name)) {
        call.name = piece.name
        call.id ??= newId()
        events.push({ type: 'call-start', index: call.index, id: call.id, name: call.name })
      }
      if (call.name !== undefined && !isNothing(call.json) && call.json.length > call.sent) {
        events.push({ type: 'call-delta', index: call.index, json: call.json.slice(call.sent) })
        call.sent = call.json.length
      }
      return events
    },
    end(how) {
      const ends = calls.flatMap((call): readonly Event[] => endCall(call, how))
      return done ? [...ends, { type: 'note', kind: 'cut-after-first-call' }] : ends
    },
    get done() {
      return done
    },
  }
}

function endCall({ index, name, json, sent }: Open, how: FinishReason | 'died'): readonly Event[] {
  if (name === undefined) return [{ type: 'note', kind: 'call-without-name', detail: json }]
  const cut = how === 'died' || how === 'length' || how === 'content_filter'
  if (cut && !isJson(json)) return [{ type: 'call-error', index, raw: json, reason: 'cut-off' }]
  if (sent === 0) {
    return [
      { type: 'call-delta', index, json: '{}' },
      { type: 'call-end', index },
      { type: 'note', kind: 'empty-arguments', index },
    ]
  }
  if (isJson(json)) return [{ type: 'call-end', index }]
  return [
    { type: 'call-end', index },
    { type: 'note', kind: 'malformed-arguments', index },
  ]
}

/** Nothing yet, or the beginning of a `null` that stands for no arguments. */
function isNothing(json: string): boolean {
  return 'null'.startsWith(json.trim())
}

function isGiven(text: string | undefined): text is string {
  return text !== undefined && text !== ''
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
