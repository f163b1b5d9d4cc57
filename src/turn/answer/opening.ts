import { Pieces } from '../../engine/text/pieces.ts'
import { type Event, isAside } from '../../protocol/event.ts'
import type { JsonObject } from '../../protocol/json.ts'

type Batches = AsyncIterable<readonly Event[]>

/**
 * Reads until there is something the client gets to see, or to the end for one who gets everything at once. A failure
 * before that can still be made good elsewhere, so it is thrown from here and not out of the answer. `onEnd` learns how an
 * answer ended that was opened.
 */
export async function openAnswer(
  batches: Batches,
  whole: boolean,
  onEnd: (failure?: unknown) => void,
): Promise<Batches> {
  const rest = batches[Symbol.asyncIterator]()
  const opening = createGathered()
  for (let step = await rest.next(); step.done !== true; step = await rest.next()) {
    opening.push(step.value)
    if (!whole && step.value.some((event) => !isAside(event))) break
  }
  return goOn(opening.events(), rest, onEnd)
}

async function* goOn(
  opening: readonly Event[],
  rest: AsyncIterator<readonly Event[], unknown>,
  onEnd: (failure?: unknown) => void,
): AsyncGenerator<readonly Event[], void> {
  try {
    yield opening
    for (let step = await rest.next(); step.done !== true; step = await rest.next()) yield step.value
  } catch (thrown) {
    onEnd(thrown)
    throw thrown
  } finally {
    await rest.return?.()
  }
  onEnd()
}

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
