import type { Clock } from '../../clock.ts'
import type { DoorContext, Exchange, Reply, Route, Store } from '../../doors/door.ts'
import { beginTurns, tellStream, tellWhole, wishesOf } from '../../doors/serving/exchange.ts'
import type { EmbeddingRequest } from '../../protocol/embedding.ts'
import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import { countText } from '../../turn/answer/usage/tokens.ts'
import type { Turn, TurnContext, Turns } from '../../turn/turn.ts'
import { identify } from '../access/auth.ts'
import { type BodyLimits, readBody } from '../body/body.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { admit, checkModel, mayUse, tokensOf } from '../quota/admission.ts'
import type { Quotas } from '../quota/quota.ts'
import type { Visit } from '../visit.ts'
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
  readonly quotas: Quotas
  readonly metrics: Pick<Metrics, 'hear'>
  /** Begins to record what goes on at a door, where that is wanted. */
  readonly record: (visit: Visit) => void
}

/** Reads a request at a door, runs its turns, and says what they say, at once or as it comes. */
export function createResponder(
  options: ResponderOptions,
): (visit: Visit, route: Route, rest: string) => Promise<void> {
  const { turns, clock, createId, limits, started: startedAt, storeOf, quotas, metrics, record } = options

  function tellingOf(visit: Visit, exchange: Exchange) {
    return {
      start: () => start(visit, exchange),
      hear(events: readonly Event[], choice: number) {
        visit.recording?.hear(choice, events)
        observe(visit, events, clock)
        metrics.hear(visit, events)
      },
      signal: visit.abort.signal,
    }
  }

  async function start(visit: Visit, exchange: Exchange): Promise<readonly Turn[]> {
    const { conversation, streaming, tellsUsage } = exchange
    const context = {
      ...(conversation !== undefined && { conversation }),
      ...contextOf(visit),
      whole: !streaming,
      usage: tellsUsage,
    }
    const begun = await beginTurns(turns, exchange, context, (choice) => visit.recording?.observer(choice))
    visit.plan = begun[0]?.plan
    visit.trail.prepare(begun[0]?.preparations)
    visit.recording?.start(begun[0]?.plan)
    visit.calls = 0
    return begun
  }

  async function respondWhole(visit: Visit, exchange: Exchange): Promise<void> {
    send(visit, { status: 200, body: await tellWhole(exchange, tellingOf(visit, exchange)) })
  }

  async function respondStream(visit: Visit, exchange: Exchange): Promise<void> {
    const printer = exchange.createStream()
    await tellStream(new EventStream(visit, clock, printer), printer, {
      ...tellingOf(visit, exchange),
      failed: (error) => {
        visit.error = error
      },
      clock,
    })
    if (visit.error !== undefined) visit.abort.abort(visit.error)
  }

  function contextFor(visit: Visit, rest: string): DoorContext {
    const { headers } = visit.request
    let body: Promise<unknown> | undefined
    return {
      rest,
      header: (name) => textOf(headers[name]),
      query: (name) => visit.query.get(name) ?? undefined,
      body: () => (body ??= readBody(visit.request, limits, (bytes) => visit.recording?.receive(bytes))),
      createId,
      now: clock.now,
      started: startedAt,
      limits,
      models: async () => (await turns.models(visit.abort.signal)).filter(({ id }) => mayUse(visit.key, id)),
      model: (name) => {
        checkModel(visit.key, name)
        return turns.model(name, visit.abort.signal)
      },
      async countTokens(request) {
        checkModel(visit.key, request.model)
        return await turns.countTokens(request, contextOf(visit))
      },
      async embed(request) {
        visit.model = request.model
        await admit(visit, { model: request.model, tokens: () => tokensOfInputs(request) }, quotas)
        const embeddings = await turns.embed(request, contextOf(visit))
        visit.promptTokens = embeddings.promptTokens ?? tokensOfInputs(request)
        return embeddings
      },
      store: storeWhenAsked(() => storeOf(identify(headers) ?? '')),
    }
  }

  return async (visit, route, rest) => {
    const context = contextFor(visit, rest)
    if ('answer' in route) return send(visit, await orAborted(answerAt(route, context), visit.abort.signal))
    record(visit)
    const body = await context.body()
    const named = conversationOf(visit)
    visit.recording?.parse(body, named)
    const exchange = await route.read(body, context)
    const { model, streaming, requests } = exchange
    const conversation = named ?? exchange.conversation
    visit.recording?.read({ model, streaming, requests, conversation })
    visit.model = model
    visit.isStream = streaming
    await admit(visit, { model, tokens: () => tokensOf(exchange) }, quotas)
    await (streaming ? respondStream(visit, exchange) : respondWhole(visit, exchange))
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

function contextOf({ request, requestId, abort, clientKey, via, observer }: Visit): TurnContext {
  const client = identify(request.headers)
  return {
    signal: abort.signal,
    requestId,
    ...(via !== undefined && { via }),
    ...(clientKey !== undefined && { clientKey }),
    ...(client !== undefined && { client }),
    ...(observer !== undefined && { observers: [observer] }),
    ...wishesOf((name) => textOf(request.headers[name])),
  }
}

/** The client's own name for the conversation, where it has one. */
function conversationOf({ request }: Pick<Visit, 'request'>): string | undefined {
  return textOf(request.headers['x-conversation-id']) || undefined
}

function observe(visit: Visit, events: readonly Event[], clock: Clock): void {
  visit.trail.observe(events)
  for (const event of events) {
    if (event.type === 'call-end') visit.calls = (visit.calls ?? 0) + 1
    else if (event.type === 'note') visit.notes.add(event.kind)
    else if (event.type === 'usage') {
      visit.promptTokens = (visit.promptTokens ?? 0) + event.promptTokens
      visit.completionTokens = (visit.completionTokens ?? 0) + event.completionTokens
    }
    if (event.type !== 'note') visit.firstByteAt ??= clock.now()
  }
}
