import { monitorEventLoopDelay } from 'node:perf_hooks'
import { costOf, type Price } from '../../config/budgets.ts'
import type { Event } from '../../protocol/event.ts'
import type { NoteKind } from '../../protocol/note.ts'
import { readsText } from '../../protocol/plan.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import { heapShare } from '../access/overload.ts'
import type { RequestContext } from '../request-context.ts'
import { createRegistry, type Family } from './registry.ts'

export interface MetricsOptions {
  /** The names of models that may be labels; all others are `other`, as clients may say anything. */
  readonly models: () => Pick<ReadonlySet<string>, 'has'>
  readonly underWay: () => number
  /** What a million tokens of a model cost. */
  readonly priceOf?: (model: string) => Price | undefined
  readonly services?: () => readonly ServiceCard[] | undefined
  /** Answers under way and requests in line, by upstream. */
  readonly loads?: () => ReadonlyMap<string, { readonly active: number; readonly waiting: number }>
}

/** How one request ended. */
export interface Ending {
  readonly status: number
  readonly seconds: number
  /** The client had gone before it was answered. */
  readonly isGone: boolean
  readonly firstByteSeconds?: number | undefined
  readonly isStream: boolean
}

export interface Metrics {
  /** Counts the events of an answer. */
  observe(context: RequestContext, events: readonly Event[]): void
  end(context: RequestContext, ending: Ending): void
  readonly names: readonly string[]
  read(): readonly Family[]
}

/**
 * The names with `gen_ai` are OpenTelemetry's for generative AI (`open-telemetry/semantic-conventions-genai`, in
 * development, as of November 2026), spelt as its exporters spell them for Prometheus.
 */
const secondsBuckets = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokenBuckets = Array.from({ length: 14 }, (_, power) => 4 ** power)

const rescues: ReadonlySet<NoteKind> = new Set<NoteKind>(['leak_rescued', 'generation_rescued', 'call_unmarked'])

export function createMetrics(options: MetricsOptions): Metrics {
  const registry = createRegistry()
  const { counter, histogram, gauge } = registry
  const duration = histogram('gen_ai_client_operation_duration_seconds', 'Duration of a model call.', secondsBuckets)
  const tokens = histogram('gen_ai_client_token_usage', 'Tokens of a model call, in and out.', tokenBuckets)
  const served = histogram(
    'gen_ai_server_request_duration_seconds',
    'Duration of a request, as clients see it.',
    secondsBuckets,
  )
  const first = histogram('gen_ai_server_time_to_first_token_seconds', 'Time to the first token.', secondsBuckets)
  const perToken = histogram(
    'gen_ai_server_time_per_output_token_seconds',
    'Time per token after the first.',
    secondsBuckets,
  )
  const requests = counter('dragoman_requests_total', 'Requests by door, status and error code.')
  const calls = counter('dragoman_tool_calls_total', 'Tool calls by dialect and outcome.')
  const notes = counter('dragoman_notes_total', 'What was put right or found worth telling, by kind.')
  const rescued = counter('dragoman_rescues_total', 'Calls found outside of their place, by kind.')
  const echoes = counter('dragoman_echoes_blocked_total', 'Calls that only repeated text of the request.')
  const aborts = counter('dragoman_aborts_total', 'Clients that went away, by moment.')
  const broken = counter('dragoman_stream_errors_total', 'Answers that failed after their first byte, by code.')
  const keyRequests = counter('dragoman_key_requests_total', 'Requests by the name of the key and status.')
  const keyTokens = counter('dragoman_key_tokens_total', 'Tokens by the name of the key and model.')
  const keyCost = counter('dragoman_key_cost_total', 'Cost by the name of the key and model, by the price of models.')
  const loop = monitorEventLoopDelay({ resolution: 20 })
  loop.enable()

  gauge('dragoman_requests_in_flight', 'Requests being answered.', () => [{ value: options.underWay() }])
  gauge('dragoman_queue_depth', 'Requests in line for a model server.', () =>
    [...(options.loads?.() ?? [])].map(([upstream, { waiting }]) => ({ labels: { upstream }, value: waiting })),
  )
  gauge('dragoman_upstream_active', 'Answers under way at a model server.', () =>
    [...(options.loads?.() ?? [])].map(([upstream, { active }]) => ({ labels: { upstream }, value: active })),
  )
  gauge(
    'dragoman_upstream_up',
    'Whether a model server can be used; absent while that is not known.',
    () =>
      (options.services?.() ?? [])
        .filter(({ state }) => state !== 'unknown')
        .map(({ name, state }) => ({ labels: { upstream: name }, value: state === 'up' ? 1 : 0 })),
    'max',
  )
  gauge(
    'dragoman_event_loop_delay_seconds',
    'How late timers fire.',
    () =>
      ([50, 99, 100] as const).map((percentile) => ({
        labels: { quantile: String(percentile / 100) },
        value: (percentile === 100 ? loop.max : loop.percentile(percentile)) / 1e9,
      })),
    'max',
  )
  gauge('dragoman_heap_used_ratio', 'Share of the heap in use.', () => [{ value: heapShare() }], 'max')
  gauge('process_resident_memory_bytes', 'Resident memory.', () => [{ value: process.memoryUsage.rss() }])
  gauge(
    'process_start_time_seconds',
    'When the process began.',
    () => [{ value: Math.round(Date.now() / 1000 - process.uptime()) }],
    'min',
  )

  const modelOf = (name: string | undefined): string =>
    name !== undefined && options.models().has(name) ? name : 'other'

  function countCall(context: RequestContext, outcome: string): void {
    const { mode = 'none', dialect = 'none' } = context.plan ?? {}
    calls.add({ dialect: readsText(mode) ? dialect : mode, outcome })
  }

  function countModel(context: RequestContext, { seconds, firstByteSeconds, isGone }: Ending): void {
    const { plan, error, promptTokens, completionTokens } = context
    if (plan === undefined) return
    const failure = isGone ? 'client_gone' : error?.code
    const labels = {
      gen_ai_operation_name: 'chat',
      gen_ai_provider_name: plan.upstream,
      gen_ai_request_model: modelOf(context.model),
    }
    const outcome = failure === undefined ? labels : { ...labels, error_type: failure }
    duration.observe(outcome, seconds)
    served.observe(outcome, seconds)
    if (firstByteSeconds !== undefined) first.observe(labels, firstByteSeconds)
    if (promptTokens === undefined || completionTokens === undefined) return
    tokens.observe({ ...labels, gen_ai_token_type: 'input' }, promptTokens)
    tokens.observe({ ...labels, gen_ai_token_type: 'output' }, completionTokens)
    if (firstByteSeconds !== undefined && completionTokens > 1)
      perToken.observe(labels, (seconds - firstByteSeconds) / (completionTokens - 1))
  }

  function momentOf({ plan, firstByteAt, lease }: RequestContext, isStream: boolean): string {
    if (plan === undefined) return lease === undefined ? 'before_model' : 'waiting'
    if (firstByteAt === undefined) return 'before_first_token'
    return isStream ? 'streaming' : 'whole'
  }

  return {
    observe(context, events) {
      for (const event of events) {
        if (event.type === 'call-end') countCall(context, 'complete')
        else if (event.type === 'call-error') countCall(context, 'unfinished')
        else if (event.type === 'note') {
          notes.add({ kind: event.kind })
          if (rescues.has(event.kind)) rescued.add({ kind: event.kind })
          if (event.kind === 'echo') echoes.add({})
          if (event.kind === 'schema_violation') countCall(context, 'schema_violation')
          if (event.kind === 'call_unreadable') countCall(context, 'unreadable')
        }
      }
    },
    end(context, ending) {
      const { door, error, key } = context
      const status = String(ending.status)
      requests.add({ door: door?.name ?? 'none', status, code: error?.code ?? '' })
      if (ending.isGone) aborts.add({ moment: momentOf(context, ending.isStream) })
      else if (error !== undefined && ending.status === 200) broken.add({ code: error.code })
      if (key !== undefined) {
        keyRequests.add({ key: key.name, status })
        const { model: name = '', promptTokens = 0, completionTokens = 0 } = context
        const labels = { key: key.name, model: modelOf(name) }
        if (promptTokens + completionTokens > 0) keyTokens.add(labels, promptTokens + completionTokens)
        const price = options.priceOf?.(name)
        if (price !== undefined) keyCost.add(labels, costOf(price, promptTokens, completionTokens))
      }
      countModel(context, ending)
    },
    get names() {
      return registry.names
    },
    read: registry.read,
  }
}
