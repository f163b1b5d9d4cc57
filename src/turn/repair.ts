import { GatewayError } from '../errors.ts'
import type { Event, Note, Usage } from '../protocol/event.ts'
import type { Request } from '../protocol/request.ts'
import type { Answer } from './answer.ts'
import { correct } from './correct.ts'
import { createHold } from './hold.ts'
import { judge } from './judge.ts'
import type { Approach } from './plan.ts'
import type { Prepared } from './prepare.ts'
import { addUsage } from './usage.ts'

/** One asking of the model: what was put to it, and its answer as it comes. */
export interface Asked {
  readonly prepared: Prepared
  readonly answer: Answer
  readonly events: AsyncIterable<readonly Event[]>
}

interface Repair {
  readonly request: Request
  readonly approach: Approach
  readonly signal: AbortSignal
}

/**
 * An answer whose calls leave only when they are valid: where they are not, or one that must be there is missing, the
 * model is asked again with what was wrong, as often as the settings allow. What the model says and thinks before its
 * calls leaves at once; what it says when asked again leaves only if it is the answer and not talk about the mistake.
 */
export async function* repairTurn(
  first: Asked,
  ask: (prepared: Prepared) => Promise<Asked>,
  { request, approach, signal }: Repair,
): AsyncGenerator<readonly Event[], void> {
  const notes: Note[] = []
  let spent: Usage | undefined
  let asked = first
  let hasSpoken = false
  for (let left = approach.settings.repair; ; left--) {
    const sieve = createSieve(asked === first)
    try {
      for await (const events of asked.events) {
        const live = sieve.pass(events)
        hasSpoken ||= live.some(({ type }) => type === 'text-delta')
        if (live.length > 0) yield live
      }
    } catch (thrown) {
      // The first answer may have shown half a call; of a later one the client knows nothing.
      const rest = asked === first && !signal.aborted ? sieve.held : []
      if (rest.length > 0) yield rest
      throw thrown
    }
    const { held } = sieve
    const verdict = judge(held, asked.answer, request, approach)
    const { problems } = verdict
    if (sieve.usage !== undefined) spent = spent === undefined ? sieve.usage : addUsage(spent, sieve.usage)
    if (problems.length > 0 && left > 0) {
      notes.push({ type: 'note', kind: 'repair', detail: problems.join(' ') })
      const again = await ask(correct(asked.prepared, asked.answer.said, verdict, approach)).catch(
        (thrown: unknown) => thrown,
      )
      if (!(again instanceof Error)) {
        asked = again as Asked
        continue
      }
      if (signal.aborted || !(again instanceof GatewayError)) throw again
      notes.push({ type: 'note', kind: 'repair-refused', detail: again.message })
    }
    if (asked !== first) notes.push({ type: 'note', kind: problems.length === 0 ? 'repaired' : 'repair-failed' })
    const talk = hasSpoken && asked !== first && (problems.length > 0 || verdict.calls.length > 0)
    yield settle(
      talk ? held.filter(({ type }) => type !== 'text-delta') : held,
      approach,
      notes,
      spent,
      hasSpoken && asked !== first,
    )
    return
  }
}

interface Sieve {
  /** What may leave now. */
  pass(events: readonly Event[]): readonly Event[]
  readonly held: readonly Event[]
  readonly usage: Usage | undefined
}

/** Lets words out up to the first call, or no words at all, and keeps the rest for the verdict. */
function createSieve(isLive: boolean): Sieve {
  const held: Event[] = []
  let usage: Usage | undefined
  let hasCalls = false

  function passOne(event: Event): boolean {
    if (event.type === 'usage') {
      const { type: _, ...figures } = event
      usage = figures
    }
    if ('index' in event && event.type !== 'note') hasCalls = true
    return event.type === 'reasoning-delta' || (event.type === 'text-delta' && isLive && !hasCalls)
  }

  return {
    pass(events) {
      const live: Event[] = []
      for (const event of events) (passOne(event) ? live : held).push(event)
      return live
    },
    held,
    get usage() {
      return usage
    },
  }
}

/** The last events: calls whole where the settings want that, one usage for all askings, and the finish. */
function settle(
  held: readonly Event[],
  { settings }: Approach,
  notes: readonly Note[],
  spent: Usage | undefined,
  continues: boolean,
): readonly Event[] {
  const hold = createHold(
    () => settings.arguments === 'whole',
    (_, json) => json,
  )
  let isFirstText = continues
  return hold.pass(held).flatMap((event): readonly Event[] => {
    if (event.type === 'usage')
      return [...notes, ...(spent === undefined ? [] : [{ type: 'usage' as const, ...spent }])]
    if (event.type !== 'text-delta' || !isFirstText) return [event]
    isFirstText = false
    return [{ ...event, text: `\n\n${event.text}` }]
  })
}
