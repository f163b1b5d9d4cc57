import type { NoteKind } from '../../protocol/note.ts'
import { changeSentences } from '../../protocol/trace/sentences.ts'
import type { Bucket, Figures, Overview, Quantiles } from '../api.ts'
import type { Summary } from '../exchange.ts'

interface Range {
  readonly from: number
  readonly to: number
  readonly buckets: number
  /** There were more than these. */
  readonly isComplete: boolean
}

/** A call that came to nothing, or to something its tool does not take. */
const flaws: ReadonlySet<NoteKind> = new Set<NoteKind>([
  'call_ambiguous',
  'call_unfinished',
  'call_unreadable',
  'malformed_arguments',
  'repair_failed',
  'schema_violation',
  'tool_choice_unmet',
  'unknown_tool',
])

const mostModels = 20

/** Figures for pictures: how much, how fast, and what went wrong, over time and per model. */
export function toOverview(summaries: readonly Summary[], { from, to, buckets, isComplete }: Range): Overview {
  const bucketMs = Math.max(1, Math.ceil((to - from) / buckets))
  const figures = (of: readonly Summary[]): Figures => {
    const byBucket = Map.groupBy(of, ({ at }) => Math.floor((at - from) / bucketMs))
    return {
      total: figuresOf(of),
      buckets: Array.from(
        { length: Math.ceil((to - from) / bucketMs) },
        (_, place): Bucket => ({ at: from + place * bucketMs, ...figuresOf(byBucket.get(place) ?? []) }),
      ),
      dialects: dialectsOf(of),
      notes: count(of.flatMap(({ notes }) => notes)).map(([kind, exchanges]) => ({
        kind,
        exchanges,
        ...(changeSentences[kind] !== undefined && { words: changeSentences[kind] }),
      })),
      errors: count(of.flatMap(({ error }) => error?.code ?? [])).map(([code, exchanges]) => ({ code, exchanges })),
      keys: keysOf(of),
    }
  }
  const models = [...Map.groupBy(summaries, ({ model }) => model)].sort(([, a], [, b]) => b.length - a.length)
  return {
    from,
    to,
    bucketMs,
    all: figures(summaries),
    models: models
      .slice(0, mostModels)
      .map(([model, of]) => ({ ...(model !== undefined && { model }), ...figures(of) })),
    otherModels: Math.max(0, models.length - mostModels),
    isComplete,
  }
}

function figuresOf(summaries: readonly Summary[]): Omit<Bucket, 'at'> {
  const firstByteMs = quantiles(summaries.flatMap((summary) => summary.firstByteMs ?? []))
  const tokensPerSecond = quantiles(summaries.flatMap((summary) => speedOf(summary) ?? []))
  const sum = (of: (summary: Summary) => number): number => summaries.reduce((total, one) => total + of(one), 0)
  return {
    requests: summaries.length,
    failed: summaries.filter(({ state }) => state === 'failed').length,
    aborted: summaries.filter(({ state }) => state === 'aborted').length,
    ...(firstByteMs !== undefined && { firstByteMs }),
    ...(tokensPerSecond !== undefined && { tokensPerSecond }),
    promptTokens: sum(({ usage }) => usage?.promptTokens ?? 0),
    completionTokens: sum(({ usage }) => usage?.completionTokens ?? 0),
    calls: sum(({ calls }) => calls),
  }
}

/** How fast the model spoke, once it did. An answer in one piece says nothing of it. */
function speedOf({ usage, firstByteMs, totalMs, state }: Summary): number | undefined {
  if (state !== 'done' || usage === undefined || firstByteMs === undefined || totalMs === undefined) return undefined
  const ms = totalMs - firstByteMs
  return ms >= 10 && usage.completionTokens > 1 ? (usage.completionTokens / ms) * 1000 : undefined
}

function quantiles(values: readonly number[]): Quantiles | undefined {
  if (values.length === 0) return undefined
  const sorted = values.toSorted((a, b) => a - b)
  const at = (share: number): number => sorted[Math.ceil(share * sorted.length) - 1] ?? 0
  return { p50: at(0.5), p95: at(0.95) }
}

function dialectsOf(summaries: readonly Summary[]): Figures['dialects'] {
  const called = summaries.filter(({ mode }) => mode !== 'none' && mode !== undefined)
  return [...Map.groupBy(called, ({ mode, dialect }) => (mode === 'native' ? 'native' : (dialect ?? 'unknown')))]
    .map(([dialect, of]) => ({
      dialect,
      exchanges: of.length,
      calls: of.reduce((total, { calls }) => total + calls, 0),
      flawed: of.filter(({ notes }) => notes.some((kind) => flaws.has(kind))).length,
    }))
    .sort((a, b) => b.exchanges - a.exchanges)
}

const mostKeys = 20

function keysOf(summaries: readonly Summary[]): Figures['keys'] {
  return [...Map.groupBy(summaries, ({ keyName }) => keyName)]
    .flatMap(([key, of]) => {
      const { promptTokens, completionTokens } = figuresOf(of)
      return key === undefined ? [] : [{ key, exchanges: of.length, tokens: promptTokens + completionTokens }]
    })
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, mostKeys)
}

function count<T>(values: readonly T[]): readonly (readonly [T, number])[] {
  return [...Map.groupBy(values, (value) => value)]
    .map(([value, same]) => [value, same.length] as const)
    .sort(([, a], [, b]) => b - a)
}
