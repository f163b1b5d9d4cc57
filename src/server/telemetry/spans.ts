import {
  type Attributes,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'
import { toGatewayError } from '../../errors.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import type { TurnObserver, UpstreamObserver } from '../../turn/observer.ts'
import type { RequestContext } from '../request-context.ts'

/**
 * Spans for OpenTelemetry. Without an SDK in the process none are made. The names are those of
 * `open-telemetry/semantic-conventions-genai`, in development, as of November 2026. No bodies, no keys.
 */
export interface ExchangeTrace {
  /** For the services that are asked; undefined where nothing is recorded and nothing was handed in. */
  readonly observer: TurnObserver | undefined
  end(context: RequestContext, status: number, firstByteMs: number | undefined): void
}

type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

const scope = 'dragoman'

/** No SDK in this process takes spans, or hands them on. */
function isUnwatched(): boolean {
  const provider = trace.getTracerProvider()
  const isUntaken = provider instanceof ProxyTracerProvider && provider.getDelegateTracer(scope) === undefined
  return isUntaken && propagation.fields().length === 0
}

const untraced: ExchangeTrace = { observer: undefined, end: () => undefined }
const nothing: Readonly<Record<string, string>> = {}

export function startTrace(method: string, path: string, headers: Headers): ExchangeTrace {
  const handedIn = passedOn(headers)
  if (handedIn === nothing && isUnwatched()) return untraced
  const parent = propagation.extract(ROOT_CONTEXT, headers)
  const span = trace
    .getTracer(scope)
    .startSpan(
      `${method} ${path}`,
      { kind: SpanKind.SERVER, attributes: { 'http.request.method': method, 'url.path': path } },
      parent,
    )
  const within = trace.setSpan(parent, span)
  const isTraced = span.isRecording() || handedIn !== nothing
  return {
    observer: isTraced ? { ask: ({ plan }, { request }) => traceAttempt(plan, request, within, handedIn) } : undefined,
    end(context, status, firstByteMs) {
      if (!span.isRecording()) return
      const { error, door } = context
      if (door !== undefined) span.updateName(`${method} ${context.path}`)
      span.setAttributes({ ...attributesOf(context, firstByteMs), 'http.response.status_code': status })
      const failure = status === 499 ? 'client_gone' : error?.code
      if (failure !== undefined) span.setAttribute('error.type', failure)
      if (status >= 500 || (status === 200 && error !== undefined))
        span.setStatus({ code: SpanStatusCode.ERROR, message: failure ?? '' })
      span.end()
    },
  }
}

/** Trace headers go through to the services even when this process records no spans. */
function passedOn(headers: Headers): Readonly<Record<string, string>> {
  const { traceparent, tracestate } = headers
  if (typeof traceparent !== 'string' || !/^[\da-f]{2}-[\da-f]{32}-[\da-f]{16}-[\da-f]{2}$/.test(traceparent))
    return nothing
  return { traceparent, ...(typeof tracestate === 'string' && tracestate.length <= 512 && { tracestate }) }
}

function traceAttempt(
  { upstream, model }: Plan,
  request: Request,
  within: ReturnType<typeof trace.setSpan>,
  handedIn: Readonly<Record<string, string>>,
): UpstreamObserver {
  const span = trace.getTracer(scope).startSpan(
    `chat ${model}`,
    {
      kind: SpanKind.CLIENT,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': upstream,
        'gen_ai.request.model': model,
        ...samplingOf(request),
      },
    },
    within,
  )
  const headers: Record<string, string> = {}
  propagation.inject(trace.setSpan(within, span), headers)
  return {
    headers: headers['traceparent'] === undefined ? handedIn : headers,
    said(events) {
      for (const event of events) {
        if (event.type === 'finish') span.setAttribute('gen_ai.response.finish_reasons', [event.reason])
        if (event.type !== 'usage') continue
        const { promptTokens: input, completionTokens: output } = event
        span.setAttributes({ 'gen_ai.usage.input_tokens': input, 'gen_ai.usage.output_tokens': output })
      }
    },
    ended(thrown) {
      if (thrown !== undefined) {
        const { code } = toGatewayError(thrown)
        span.setAttribute('error.type', code).setStatus({ code: SpanStatusCode.ERROR, message: code })
      }
      span.end()
    },
  }
}

function samplingOf({ sampling, maxTokens, stop }: Request): Attributes {
  return defined({
    'gen_ai.request.temperature': sampling.temperature,
    'gen_ai.request.top_p': sampling.topP,
    'gen_ai.request.presence_penalty': sampling.presencePenalty,
    'gen_ai.request.frequency_penalty': sampling.frequencyPenalty,
    'gen_ai.request.seed': sampling.seed,
    'gen_ai.request.max_tokens': maxTokens,
    'gen_ai.request.stop_sequences': stop === undefined ? undefined : [...stop],
  })
}

function attributesOf(context: RequestContext, firstByteMs: number | undefined): Attributes {
  const { plan, door, model, requestId, key, calls, promptTokens, completionTokens, notes } = context
  return defined({
    'dragoman.request_id': requestId,
    'dragoman.door': door?.name,
    'dragoman.key': key?.name,
    ...(plan !== undefined && {
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': plan.upstream,
      'gen_ai.request.model': model,
      'gen_ai.request.stream': context.isStream,
      'gen_ai.response.model': plan.model,
      'gen_ai.response.time_to_first_chunk': firstByteMs === undefined ? undefined : firstByteMs / 1000,
      'gen_ai.usage.input_tokens': promptTokens,
      'gen_ai.usage.output_tokens': completionTokens,
      'dragoman.mode': plan.mode,
      'dragoman.dialect': plan.dialect,
      'dragoman.tool_calls': calls,
      'dragoman.notes': notes.size === 0 ? undefined : [...notes],
    }),
  })
}

function defined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}
