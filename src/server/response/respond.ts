import type { Duplex } from 'node:stream'
import type { Clock } from '../../clock.ts'
import type { DoorContext, Reply, Route, Store } from '../../doors/door.ts'
import { answerExchange, turnOverridesIn } from '../../doors/serving/answer.ts'
import type { EmbeddingRequest } from '../../protocol/embedding.ts'
import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import { countText } from '../../turn/answer/usage/tokens.ts'
import type { TurnContext, Turns } from '../../turn/turn.ts'
import { identify } from '../access/auth.ts'
import type { Budgets } from '../accounts/budgets.ts'
import { type BodyLimits, readBody } from '../body/body.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { admit, checkModel, mayUse, tokensOf } from '../quota/admission.ts'
import type { Quotas } from '../quota/quota.ts'
import type { RequestContext } from '../request-context.ts'
import { EventStream } from './event-stream.ts'
import { send } from './send.ts'

export interface Limits extends BodyLimits {
  readonly tools: number
}

interface ResponderOptions {
  readonly turns: Turns
  readonly clock: Clock
  readonly createId: (prefix: string) => string
  readonly limits: Limits
  readonly started: number
  /** What a door keeps for one client. */
  readonly storeOf: (client: string) => Store
  /** What is kept for a connection that brings many requests. */
  readonly memoryOf: (socket: Duplex) => Store | undefined
  readonly quotas: Quotas
  readonly budgets: Budgets | undefined
  readonly metrics: Pick<Metrics, 'observe'>
  /** Begins to record what goes on at a door, where that is wanted. */
  readonly record: (context: RequestContext) => void
}

/** Reads a request at a door, runs its turns, and says what they say, at once or as it comes. */
export function createResponder(
  options: ResponderOptions,
): (context: RequestContext, route: Route, rest: string) => Promise<void> {
  const { turns, clock, createId, limits, started: startedAt, storeOf, memoryOf, metrics, record } = options

  function doorContextFor(context: RequestContext, rest: string): DoorContext {
    const { headers } = context.request
    let body: Promise<unknown> | undefined
    return {
      rest,
      header: (name) => textOf(headers[name]),
      query: (name) => context.query.get(name) ?? undefined,
      body: () => (body ??= readBody(context.request, limits, (bytes) => context.recording?.receive(bytes))),
      createId,
      now: clock.now,
      started: startedAt,
      limits,
      models: async () => (await turns.models(context.abort.signal)).filter(({ id }) => mayUse(context.key, id)),
      model: (name) => {
        checkModel(context.key, name)
        return turns.model(name, context.abort.signal)
      },
      async countTokens(request) {
        checkModel(context.key, request.model)
        return await turns.countTokens(request, turnContextOf(context))
      },
      async embed(request) {
        context.model = request.model
        await admit(context, { model: request.model, tokens: () => tokensOfInputs(request) }, options)
        const embeddings = await turns.embed(request, turnContextOf(context))
        context.promptTokens = embeddings.promptTokens ?? tokensOfInputs(request)
        return embeddings
      },
      store: storeWhenAsked(() => storeOf(identify(headers) ?? '')),
      memory: memoryOf(context.request.socket),
    }
  }

  return async (context, route, rest) => {
    const doorContext = doorContextFor(context, rest)
    if ('answer' in route) return send(context, await orAborted(answerAt(route, doorContext), context.abort.signal))
    record(context)
    const body = await doorContext.body()
    const named = conversationOf(context)
    context.recording?.parse(body, named)
    const exchange = await route.read(body, doorContext)
    const { model, streaming, requests } = exchange
    const conversation = named ?? exchange.conversation
    context.recording?.read({ model, streaming, requests, conversation })
    context.model = model
    context.isStream = streaming
    await admit(context, { model, tokens: () => tokensOf(exchange) }, options)
    const whole = await answerExchange(exchange, {
      turns,
      clock,
      signal: context.abort.signal,
      changeLog: context.changeLog,
      recording: context.recording,
      turnContext: () => turnContextOf(context),
      createWriter: (printer) => new EventStream(context, clock, printer),
      onStart(plan) {
        context.plan = plan
        context.calls = 0
      },
      onEvents(events) {
        count(context, events, clock)
        metrics.observe(context, events)
      },
      onFailure: (error) => {
        context.error = error
      },
    })
    if (whole !== undefined) send(context, { status: 200, body: whole })
    else if (context.error !== undefined) context.abort.abort(context.error)
  }
}

function tokensOfInputs({ inputs }: EmbeddingRequest): number {
  return inputs.reduce((sum, input) => sum + (typeof input === 'string' ? countText(input) : input.length), 0)
}

/** Who a client is takes a digest of its key, and most doors keep nothing. */
function storeWhenAsked(open: () => Store): Store {
  return {
    get: (key) => open().get(key),
    set: (key, text) => open().set(key, text),
    delete: (key) => open().delete(key),
  }
}

async function answerAt(route: Extract<Route, { answer: unknown }>, context: DoorContext): Promise<Reply> {
  return route.answer(context)
}

export function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}

function turnContextOf({ request, requestId, abort, clientKey, via, observer }: RequestContext): TurnContext {
  const client = identify(request.headers)
  return {
    signal: abort.signal,
    requestId,
    ...(via !== undefined && { via }),
    ...(clientKey !== undefined && { clientKey }),
    ...(client !== undefined && { client }),
    ...(observer !== undefined && { observers: [observer] }),
    ...turnOverridesIn((name) => textOf(request.headers[name])),
  }
}

/** The client's own name for the conversation, where it has one. */
function conversationOf({ request }: Pick<RequestContext, 'request'>): string | undefined {
  return textOf(request.headers['x-conversation-id']) || undefined
}

function count(context: RequestContext, events: readonly Event[], clock: Clock): void {
  for (const event of events) {
    if (event.type === 'call-end') context.calls = (context.calls ?? 0) + 1
    else if (event.type === 'note') context.notes.add(event.kind)
    else if (event.type === 'usage') {
      context.promptTokens = (context.promptTokens ?? 0) + event.promptTokens
      context.completionTokens = (context.completionTokens ?? 0) + event.completionTokens
    }
    if (event.type !== 'note') context.firstByteAt ??= clock.now()
  }
}
