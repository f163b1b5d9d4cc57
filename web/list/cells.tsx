import { severityOf } from '../../src/protocol/trace/change.ts'
import type { Summary } from '../../src/traces/exchange.ts'
import { isRemarkable } from '../text/remarkable.ts'
import { counted, inDigits, inShort, inTime } from '../text/words.ts'

/** How it ended: never by colour alone. */
export function Status({ summary }: { readonly summary: Summary }) {
  const { state, status, error } = summary
  switch (state) {
    case 'open':
      return <span class="status open">● open</span>
    case 'aborted':
      return (
        <span class="status muted" title="The client went away before the answer was complete.">
          ⊘ gone
        </span>
      )
    case 'failed':
      return (
        <span class="status error" title={error?.message}>
          ✕ {status ?? 'error'}
        </span>
      )
    case 'done':
      return <span class="status muted">{status ?? 200}</span>
    default:
      return state satisfies never
  }
}

export function Duration({ ms }: { readonly ms: number | undefined }) {
  return ms === undefined ? (
    <span class="muted">–</span>
  ) : (
    <span title={`${inDigits(Math.round(ms))} ms`}>{ms < 1 ? '< 1 ms' : inTime(ms)}</span>
  )
}

export function Tokens({ usage }: { readonly usage: Summary['usage'] }) {
  if (usage === undefined) return <span class="muted">–</span>
  const { promptTokens, completionTokens, estimated } = usage
  const title = `${inDigits(promptTokens)} in, ${inDigits(completionTokens)} out${estimated === true ? ' (estimated)' : ''}`
  return (
    <span title={title}>
      {inShort(promptTokens)} <span class="muted">→</span> {inShort(completionTokens)}
    </span>
  )
}

export function Calls({ count }: { readonly count: number }) {
  return count === 0 ? null : <span class="badge call">{counted(count, 'call')}</span>
}

export function Notes({ notes: all }: { readonly notes: Summary['notes'] }) {
  const notes = all.filter(isRemarkable)
  if (notes.length === 0) return null
  const warnings = notes.filter((kind) => severityOf(kind) !== 'info')
  const title = notes.join(', ')
  if (warnings.length > 0)
    return (
      <span class="badge warn" title={title}>
        ▲ {counted(notes.length, 'note')}
      </span>
    )
  return (
    <span class="badge" title={title}>
      ✎ {counted(notes.length, 'note')}
    </span>
  )
}

/** How tools went: `prompt · hermes`. */
export function way({ mode, dialect }: Pick<Summary, 'mode' | 'dialect'>): string {
  if (mode === undefined) return '–'
  if (mode === 'none') return 'no tools'
  return dialect === undefined || mode === 'native' ? mode : `${mode} · ${dialect}`
}
