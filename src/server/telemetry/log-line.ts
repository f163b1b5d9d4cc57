import type { Change } from '../../protocol/trace/change.ts'
import type { Visit } from '../visit.ts'
import type { ExchangeRecord } from './log.ts'

interface Ending {
  readonly status: number
  readonly ms: number
  readonly firstByteMs: number | undefined
}

/** What the log says of a request that is over; with `isDebug`, all that was changed on the way. */
export function toLogLine(visit: Visit, { status, ms, firstByteMs }: Ending, isDebug: boolean): ExchangeRecord {
  const { requestId, path, model, plan, calls, notes, trail, error } = visit
  return {
    requestId,
    method: visit.request.method ?? '',
    path,
    status,
    ms,
    key: visit.key?.name,
    model,
    upstream: plan?.upstream,
    mode: plan?.mode,
    dialect: plan?.dialect,
    constraint: plan?.constraint,
    calls,
    firstByteMs,
    promptTokens: visit.promptTokens,
    completionTokens: visit.completionTokens,
    notes: notes.size === 0 ? undefined : [...notes].map((kind) => trail.print(kind)),
    changes: isDebug ? [...ignoredBy(visit), ...trail.changes(error)] : undefined,
    code: error?.code,
    cause: error?.code === 'internal_error' ? error.cause : undefined,
  }
}

function ignoredBy({ door, request }: Visit): readonly Change[] {
  return (door?.ignores ?? []).flatMap((name) => {
    const value = request.headers[name]
    return value === undefined
      ? []
      : [{ severity: 'info', kind: 'header_ignored', detail: `${name}: ${String(value)}` }]
  })
}
