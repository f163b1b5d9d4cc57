import { GatewayError } from '../../errors.ts'
import type { Event, Note, Usage } from '../../protocol/event.ts'
import type { Request } from '../../protocol/request.ts'
import { addUsage } from '../../protocol/usage.ts'
import type { Writable } from '../../protocol/writable.ts'
import type { Answer } from '../answer/answer.ts'
import { createHold } from '../answer/events/hold.ts'
import type { Approach } from '../plan.ts'
import { schemaOf } from '../prompt/force/format.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { correct } from './correct.ts'
import { judge, type Verdict } from './judge.ts'

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
 * An answer whose calls leave only when they are valid: where they are not, or one that must be there is missing, or the
 * answer does not fit its response format, the model is asked again with what was wrong, as often as the settings allow. What the model says and thinks before its
 * calls leaves at once; what it says when asked again leaves only if it is the answer and not talk about the mistake.
 */
export async function* repairTurn(
  first: Asked,
  ask: (prepared: Prepared) => Asked,
  repair: Repair,
): AsyncGenerator<readonly Event[], void> {
  const { approach, signal } = repair
  const notes: Note[] = []
  // Of an answer that has to have a form, nothing leaves before all of it was looked at.
  let judged = yield* readToVerdict(first, schemaOf(repair.request.responseFormat) === undefined, repair)
  let spent = judged.usage
  const { hasSpoken } = judged
  for (let left = approach.settings.repair; left > 0 && judged.verdict.problems.length > 0; left--) {
    const { asked, verdict } = judged
    if (verdict.isInvented === true && asked !== first) break
    notes.push({ type: 'note', kind: 'repair', detail: verdict.problems.join(' ') })
    try {
      const corrected = correct(asked.prepared, asked.answer.said, verdict, approach)
      const again = ask({ ...corrected, request: { ...corrected.request, stop: repair.request.stop ?? [] } })
      judged = yield* readToVerdict(again, false, repair)
      spent = addUsage(spent, judged.usage)
    } catch (thrown) {
      // The client knows nothing of this asking: the answer before it is what there is.
      if (signal.aborted || !(thrown instanceof GatewayError)) throw thrown
      notes.push({ type: 'note', kind: 'repair_refused', detail: thrown.message })
      break
    }
  }
  const { problems, calls } = judged.verdict
  const isAgain = judged.asked !== first
  if (isAgain) {
    notes.push({ type: 'note', kind: problems.length === 0 ? 'repaired' : 'repair_failed' })
    notes.push(repairsNote(spent, judged.usage))
  }
  const isTalk = isAgain && hasSpoken && (problems.length > 0 || calls.length > 0)
  const told = isTalk ? judged.held.filter(({ type }) => type !== 'text-delta') : judged.held
  yield settle(told, approach, { notes, spent, continues: isAgain && hasSpoken })
}

/** One answer read to its end. */
interface Judged {
  readonly asked: Asked
  readonly verdict: Verdict
  /** What has not left yet. */
  readonly held: readonly Event[]
  readonly usage: Usage
  readonly hasSpoken: boolean
}

async function* readToVerdict(
  asked: Asked,
  isLive: boolean,
  { request, approach, signal }: Repair,
): AsyncGenerator<readonly Event[], Judged> {
  const sieve = createSieve(isLive)
  let hasSpoken = false
  try {
    for await (const events of asked.events) {
      const live = sieve.pass(events)
      hasSpoken ||= live.some(({ type }) => type === 'text-delta')
      if (live.length > 0) yield live
    }
  } catch (thrown) {
    // What was said before the failure was said.
    if (isLive && !signal.aborted && sieve.held.length > 0) yield sieve.held
    throw thrown
  }
  const { held, usage } = sieve
  return { asked, verdict: judge(held, asked.answer, request, approach), held, usage, hasSpoken }
}

/** What the askings before the last one cost. */
export function repairsNote(all: Usage, last: Usage): Note {
  const prompt = all.promptTokens - last.promptTokens
  const completion = all.completionTokens - last.completionTokens
  return { type: 'note', kind: 'usage_repairs', detail: `prompt ${prompt}, completion ${completion}` }
}

interface Sieve {
  /** What may leave now. */
  pass(events: readonly Event[]): readonly Event[]
  readonly held: readonly Event[]
  readonly usage: Usage
}

/** Lets words out up to the first call, or no words at all, and keeps the rest for the verdict. */
function createSieve(isLive: boolean): Sieve {
  const held: Event[] = []
  let hasCalls = false
  let mayLeave = isLive

  function passOne(event: Event): boolean {
    if (event.type === 'usage') sieve.usage = event
    if ('index' in event && event.type !== 'note') hasCalls = true
    // Words of a made-up result: it may be asked for others.
    if (event.type === 'note' && event.kind === 'invented_result') mayLeave = false
    return event.type === 'reasoning-delta' || (event.type === 'text-delta' && mayLeave && !hasCalls)
  }

  const sieve: Writable<Sieve> = {
    usage: { promptTokens: 0, completionTokens: 0 },
    pass(events) {
      const live: Event[] = []
      for (const event of events) (passOne(event) ? live : held).push(event)
      return live
    },
    held,
  }
  return sieve
}

interface Account {
  readonly notes: readonly Note[]
  readonly spent: Usage
  /** Words have left before: what is said now is a paragraph of its own. */
  readonly continues: boolean
}

/** The last events: calls whole where the settings want that, one usage for all askings, and the finish. */
function settle(
  held: readonly Event[],
  { settings }: Approach,
  { notes, spent, continues }: Account,
): readonly Event[] {
  const hold = createHold(() => settings.arguments === 'whole')
  let isFirstText = continues
  return hold.push(held).flatMap((event): readonly Event[] => {
    if (event.type === 'usage') return [...notes, { type: 'usage', ...spent }]
    if (event.type !== 'text-delta' || !isFirstText) return [event]
    isFirstText = false
    return [{ ...event, text: `\n\n${event.text}` }]
  })
}
