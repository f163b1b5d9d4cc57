import type { Event } from '../../../protocol/event.ts'
import { toCanonicalJson } from '../../../protocol/json.ts'
import type { Writable } from '../../../protocol/writable.ts'
import type { Stage } from '../stage.ts'

/** Ends an answer that has to call where it makes a call it has made already. */
export interface RepeatedCalls extends Stage {
  readonly isCut: boolean
}

/**
 * A model that must call has nothing else to say, and a small one says the same again until its tokens are spent. Calls
 * after the first wait until they are whole: one that leaves cannot be taken back.
 */
export function createRepeatedCalls(isForced: boolean): RepeatedCalls {
  if (!isForced) return { isCut: false, push: (events) => events }
  const made = new Set<string>()
  /** Calls under way, by index: services send several at a time. */
  const open = new Map<number, { readonly name: string; json: string }>()
  let first: number | undefined
  /** What waits for calls after the first to be whole. */
  let held: Event[] = []

  function pushOne(event: Event): readonly Event[] {
    const index = 'index' in event ? event.index : undefined
    if (repeated.isCut) return event.type === 'text-delta' || index !== undefined ? [] : [event]
    if (event.type === 'call-start') {
      first ??= event.index
      open.set(event.index, { name: event.name, json: '' })
    }
    const call = index === undefined ? undefined : open.get(index)
    if (call !== undefined && event.type === 'call-delta') call.json += event.json
    if (index === first && index !== undefined) {
      if (call !== undefined && event.type === 'call-end') settle(event.index, call)
      return [event]
    }
    const waits = held.length > 0 || call !== undefined
    if (!waits) return [event]
    held.push(event)
    if (call === undefined || index === undefined || (event.type !== 'call-end' && event.type !== 'call-error'))
      return []
    if (event.type === 'call-error') open.delete(index)
    else if (settle(index, call)) {
      repeated.isCut = true
      held = held.filter((one) => !('index' in one) || one.index !== index)
      return [...release(), { type: 'note', kind: 'call_repeated' }]
    }
    return [...open.keys()].some((one) => one !== first) ? [] : release()
  }

  /** Whether a call that is whole was made before. */
  function settle(index: number, { name, json }: { readonly name: string; readonly json: string }): boolean {
    const key = `${name} ${toCanonicalJson(json)}`
    const isKnown = made.has(key)
    made.add(key)
    open.delete(index)
    return isKnown
  }

  function release(): readonly Event[] {
    const events = held
    held = []
    return events
  }

  const repeated: Writable<RepeatedCalls> = {
    isCut: false,
    push: (events) => events.flatMap(pushOne),
    end: release,
  }
  return repeated
}
