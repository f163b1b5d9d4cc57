import { randomBytes } from 'node:crypto'
import {
  type Attributes,
  type AttributeValue,
  createTraceState,
  isSpanContextValid,
  propagation,
  type Span,
  type SpanContext,
  SpanStatusCode,
  type TextMapPropagator,
  TraceFlags,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import type { Clock } from '../../clock.ts'
import type { OtlpSettings } from '../../config/sources/otlp.ts'

/** Sends the spans of this process to a collector, as OTLP/HTTP in JSON (opentelemetry-proto 1.9, trace/v1). */
export interface OtlpExport {
  /** Sends what has not been sent. */
  flush(): Promise<void>
  close(): Promise<void>
}

interface OtlpOptions {
  readonly clock: Clock
  readonly version: string
  /** The collector stopped taking spans, or takes them again. */
  readonly onChange: (state: 'down' | 'back', reason?: string) => void
}

/** The defaults of OpenTelemetry's batch processor. */
const sendEveryMs = 5_000
const mostInBatch = 512
const mostKept = 2_048
const patienceMs = 10_000

/** Statuses after which the same spans may be sent again. */
const passing: ReadonlySet<number> = new Set([429, 502, 503, 504])

/** Undefined where an SDK in this process takes the spans already. */
export function startOtlp({ url, headers, resource }: OtlpSettings, options: OtlpOptions): OtlpExport | undefined {
  const { clock, version, onChange } = options
  const scope = { name: 'dragoman', version }
  const kept: object[] = []
  let isDown = false
  let sending: Promise<void> | undefined

  function keep(span: object): void {
    if (kept.length < mostKept) kept.push(span)
    if (kept.length >= mostInBatch && !isDown) void flush()
  }

  async function post(spans: readonly object[]): Promise<void> {
    const body = { resourceSpans: [{ resource: { attributes: toList(resource) }, scopeSpans: [{ scope, spans }] }] }
    const problem = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(patienceMs),
    }).then(
      async (response) => {
        await response.arrayBuffer()
        return response.ok ? undefined : { again: passing.has(response.status), reason: `status ${response.status}` }
      },
      (error: Error) => ({ again: true, reason: error.cause instanceof Error ? error.cause.message : error.message }),
    )
    if (problem?.again) kept.unshift(...spans.slice(0, mostKept - kept.length))
    if ((problem !== undefined) !== isDown) onChange(problem === undefined ? 'back' : 'down', problem?.reason)
    isDown = problem !== undefined
  }

  async function send(): Promise<void> {
    do await post(kept.splice(0, mostInBatch))
    while (kept.length > 0 && !isDown)
  }

  async function flush(): Promise<void> {
    if (kept.length > 0) await (sending ??= send().finally(() => (sending = undefined)))
  }

  let cancel = clock.after(sendEveryMs, tick)
  function tick(): void {
    void flush().then(() => (cancel = clock.after(sendEveryMs, tick)))
  }

  const tracer = createTracer(keep)
  if (!trace.setGlobalTracerProvider({ getTracer: () => tracer })) {
    cancel()
    return undefined
  }
  propagation.setGlobalPropagator(traceContext)
  return {
    flush,
    async close() {
      cancel()
      trace.disable()
      propagation.disable()
      await flush()
    },
  }
}

function createTracer(onEnd: (span: object) => void): Tracer {
  const startSpan: Tracer['startSpan'] = (name, { kind = 0, attributes = {} } = {}, within) => {
    const parent = within && trace.getSpanContext(within)
    const own: SpanContext = {
      traceId: parent?.traceId ?? randomBytes(16).toString('hex'),
      spanId: randomBytes(8).toString('hex'),
      traceFlags: parent?.traceFlags ?? TraceFlags.SAMPLED,
      ...(parent?.traceState && { traceState: parent.traceState }),
    }
    // Who began the trace decides whether it is kept.
    if ((own.traceFlags & TraceFlags.SAMPLED) === 0) return trace.wrapSpanContext(own)
    const startTimeUnixNano = nanoseconds()
    const said = { name, attributes: { ...attributes }, status: { code: SpanStatusCode.UNSET } }
    let isOver = false
    const span: Span = {
      spanContext: () => own,
      setAttribute: (key, value) => span.setAttributes({ [key]: value }),
      setAttributes(more) {
        Object.assign(said.attributes, more)
        return span
      },
      setStatus(next) {
        said.status = next
        return span
      },
      updateName(next) {
        said.name = next
        return span
      },
      addEvent: () => span,
      addLink: () => span,
      addLinks: () => span,
      recordException: () => undefined,
      isRecording: () => !isOver,
      end() {
        if (isOver) return
        isOver = true
        const { traceId, spanId, traceState } = own
        onEnd({
          traceId,
          spanId,
          ...(parent !== undefined && { parentSpanId: parent.spanId }),
          ...(traceState !== undefined && { traceState: traceState.serialize() }),
          name: said.name,
          // OTLP counts kinds from 1.
          kind: kind + 1,
          startTimeUnixNano,
          endTimeUnixNano: nanoseconds(),
          attributes: toList(said.attributes),
          status: said.status,
        })
      },
    }
    return span
  }
  return {
    startSpan,
    startActiveSpan() {
      throw new TypeError('Spans here are handed on, never active.')
    },
  }
}

const nanoseconds = (): string => `${Math.round((performance.timeOrigin + performance.now()) * 1000)}000`

function toList(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) => (value == null ? [] : [{ key, value: toValue(value) }]))
}

function toValue(value: AttributeValue | null | undefined): object {
  if (Array.isArray(value)) return { arrayValue: { values: value.map(toValue) } }
  if (typeof value === 'number') return Number.isInteger(value) ? { intValue: String(value) } : { doubleValue: value }
  return typeof value === 'boolean' ? { boolValue: value } : { stringValue: String(value) }
}

const traceparent = /^[\da-f]{2}-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})$/

/** W3C Trace Context. */
const traceContext: TextMapPropagator = {
  fields: () => ['traceparent', 'tracestate'],
  inject(context, carrier, setter) {
    const own = trace.getSpanContext(context)
    if (own === undefined) return
    const flags = own.traceFlags.toString(16).padStart(2, '0')
    setter.set(carrier, 'traceparent', `00-${own.traceId}-${own.spanId}-${flags}`)
    if (own.traceState !== undefined) setter.set(carrier, 'tracestate', own.traceState.serialize())
  },
  extract(context, carrier, getter) {
    const [, traceId = '', spanId = '', flags = ''] = traceparent.exec(String(getter.get(carrier, 'traceparent'))) ?? []
    const state = getter.get(carrier, 'tracestate')
    const parent: SpanContext = {
      traceId,
      spanId,
      traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
      isRemote: true,
      ...(state !== undefined && { traceState: createTraceState(String(state)) }),
    }
    return isSpanContextValid(parent) ? trace.setSpanContext(context, parent) : context
  },
}
