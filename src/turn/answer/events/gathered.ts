import { Pieces } from '../../../engine/text/pieces.ts'
import type { Event } from '../../../protocol/event.ts'
import type { JsonObject } from '../../../protocol/json.ts'

type Delta = Extract<Event, { type: 'text-delta' | 'reasoning-delta' | 'call-delta' }>

/** Events kept for later. A million small pieces of one text are kept as that text. */
export interface Gathered {
  push(events: readonly Event[]): void
  events(): readonly Event[]
}

export function createGathered(): Gathered {
  const kept: Event[] = []
  const pieces = new Pieces()
  let run: Delta | undefined
  let hasRemarks = false
  /** All remarks but the first, which wait for the end: some services make one with every piece. */
  let late: JsonObject | undefined

  function settle(): void {
    if (run?.type === 'call-delta') kept.push({ ...run, json: pieces.toString() })
    else if (run !== undefined) kept.push({ ...run, text: pieces.toString() })
    run = undefined
    pieces.clear()
  }

  function remark(): void {
    settle()
    if (late !== undefined) kept.push({ type: 'remarks', fields: late })
    late = undefined
  }

  function pushOne(event: Event): void {
    if (event.type === 'remarks' && hasRemarks) {
      late = { ...late, ...event.fields }
      return
    }
    hasRemarks ||= event.type === 'remarks'
    if (event.type === 'usage' || event.type === 'finish') remark()
    if (event.type !== 'text-delta' && event.type !== 'reasoning-delta' && event.type !== 'call-delta') {
      settle()
      kept.push(event)
      return
    }
    if (run?.type !== event.type || indexOf(run) !== indexOf(event)) {
      settle()
      run = event
    }
    pieces.push(event.type === 'call-delta' ? event.json : event.text)
  }

  return {
    push: (events) => events.forEach(pushOne),
    events() {
      remark()
      return kept
    },
  }
}

function indexOf(delta: Delta): number | undefined {
  return delta.type === 'call-delta' ? delta.index : undefined
}
