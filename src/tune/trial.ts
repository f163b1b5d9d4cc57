import { type FailureCode, GatewayError } from '../errors.ts'
import { type Event, isAside } from '../protocol/event.ts'
import { fold } from '../protocol/fold.ts'
import type { NoteKind } from '../protocol/note.ts'
import { createTurns } from '../turn/turns.ts'
import type { Drawn } from './battery/battery.ts'
import { isDone } from './battery/judge.ts'
import type { Subject } from './subject.ts'
import { settingsFor, type Way } from './ways.ts'

/** One task put to a model in one way, and what came of it. */
export interface Trial {
  readonly round: number
  readonly way: Way
  readonly category: string
  readonly task: string
  readonly done: boolean
  /** No call of the answer broke its schema, named a tool that is not there, or could not be read. */
  readonly valid: boolean
  /** What had to be put right so that it could be used. */
  readonly repairs: readonly NoteKind[]
  readonly promptTokens?: number
  readonly firstMs?: number
  readonly totalMs: number
  /** Why there is no answer. */
  readonly failure?: string
  /** The server takes no such request. */
  readonly rejected?: boolean
}

/** The server is away or wants no more: nothing about a way, and a reason to stop for now. */
export class ServerTrouble extends Error {
  override readonly name = 'ServerTrouble'
}

export type Ask = (drawn: Drawn, round: number, way: Way, signal: AbortSignal) => Promise<Trial>

const trialMs = 180_000
const maxTokens = 2_048

/** Puts tasks to a model as the gateway would. `now` counts milliseconds. */
export function createAsk({ settings, upstreams }: Subject, now: () => number): Ask {
  let ids = 0
  const turnsFor = new Map<Way, ReturnType<typeof createTurns>>()

  function turnsOf(way: Way) {
    const known = turnsFor.get(way)
    if (known !== undefined) return known
    const made = createTurns({
      upstreams,
      models: [{ ...settings, ...settingsFor(way) }],
      newId: () => `call_${ids++}`,
    })
    turnsFor.set(way, made)
    return made
  }

  return async ({ task, request, solution }, round, way, signal) => {
    const about = { round, way, category: task.category, task: task.name }
    const begun = now()
    try {
      const limit = AbortSignal.any([signal, AbortSignal.timeout(trialMs)])
      const whole = { ...request, model: settings.name, sampling: {}, maxTokens, extra: {} }
      const turn = await turnsOf(way).start(whole, { signal: limit })
      const events: Event[] = []
      let firstMs: number | undefined
      for await (const some of turn.events) {
        if (firstMs === undefined && some.some((event) => event.type !== 'finish' && !isAside(event)))
          firstMs = now() - begun
        events.push(...some)
      }
      const answer = fold(events)
      const kinds = [...new Set(answer.notes.map(({ kind }) => kind))]
      return {
        ...about,
        done: isDone(solution, answer),
        valid: !kinds.some((kind) => faults.has(kind)),
        repairs: kinds.filter((kind) => repairs.has(kind)),
        ...(answer.usage !== undefined && { promptTokens: answer.usage.promptTokens }),
        ...(firstMs !== undefined && { firstMs }),
        totalMs: now() - begun,
      }
    } catch (thrown) {
      signal.throwIfAborted()
      const failure = judge(thrown)
      return { ...about, done: false, valid: false, repairs: [], totalMs: now() - begun, ...failure }
    }
  }
}

/** What says more about the server, or the account, than about the way it was asked. */
const troubles: ReadonlySet<FailureCode> = new Set([
  'upstream_unreachable',
  'upstream_overloaded',
  'upstream_blocked',
  'upstream_error',
  'upstream_auth',
  'upstream_forbidden',
  'rate_limit_exceeded',
  'insufficient_quota',
  'queue_full',
  'model_not_found',
])

const rejections: ReadonlySet<FailureCode> = new Set([
  'upstream_rejected',
  'unsupported_parameter',
  'unsupported_tool_choice',
])

function judge(thrown: unknown): Pick<Trial, 'failure' | 'rejected'> {
  if (thrown instanceof GatewayError) {
    if (troubles.has(thrown.code)) throw new ServerTrouble(thrown.message, { cause: thrown })
    return { failure: short(thrown.message), ...(rejections.has(thrown.code) && { rejected: true }) }
  }
  const isLate = thrown instanceof Error && thrown.name === 'TimeoutError'
  if (isLate) return { failure: `It took longer than ${trialMs / 60_000} minutes.` }
  throw thrown
}

function short(words: string): string {
  return words.length > 200 ? `${words.slice(0, 199)}…` : words
}

const faults: ReadonlySet<NoteKind> = new Set([
  'schema_violation',
  'unknown_tool',
  'call_unreadable',
  'call_unfinished',
  'call_without_name',
  'malformed_arguments',
])

const repairs: ReadonlySet<NoteKind> = new Set([
  'arguments_beside_name',
  'arguments_first',
  'arguments_repaired',
  'call_unmarked',
  'closer_missing',
  'closer_quoted',
  'closer_wrong',
  'coerced',
  'decoy_dropped',
  'empty_arguments',
  'finish_corrected',
  'generation_rescued',
  'id_added',
  'id_replaced',
  'index_repaired',
  'json_repaired',
  'key_corrected',
  'leak_rescued',
  'malformed_arguments',
  'member_dropped',
  'name_corrected',
  'name_inferred',
  'positional_argument',
  'set_to_list',
])
