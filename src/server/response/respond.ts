import type { Clock } from '../../clock.ts'
import type { DoorContext, Exchange, Reply, Route, Store } from '../../doors/door.ts'
import type { EmbeddingRequest } from '../../protocol/embedding.ts'
import type { Event } from '../../protocol/event.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import { countText } from '../../turn/answer/usage/tokens.ts'
import type { TurnContext, Turns } from '../../turn/turn.ts'
import { identify } from '../access/auth.ts'
import { type BodyLimits, readBody } from '../body/body.ts'
import type { Metrics } from '../metrics/metrics.ts'
import { admit, checkModel, mayUse, tokensOf } from '../quota/admission.ts'
import type { Quotas } from '../quota/quota.ts'
import type { Visit } from '../visit.ts'
import { createEventStream } from './event-stream.ts'
import { beginTurns, type Feeding, tellStream, tellWhole, wishesOf } from './exchange.ts'
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

/** Answers requests at the routes of doors. */
export interface Responder {
  respond(visit: Visit, route: Route, rest: string): Promise<void>
}

/** Reads a request at a door, runs its turns, and says what they say, at once or as it comes. */
export function createResponder(options: ResponderOptions): Responder {
  const { turns, clock, createId, limits, started: startedAt, storeOf, quotas, metrics, record } = options

  function hearingOf(visit: Visit): (events: readonly Event[], choice: number) => void {
    const { recording } = visit
    let hasBegun = false
    return (events, choice) => {
      recording?.hear(choice, events)
      // Most of what an answer says are words, about which there is nothing to be kept.
      if (hasBegun && events.every(isDelta)) return
      observe(visit, events, clock)
      metrics.hear(visit, events)
      hasBegun = visit.firstByteAt !== undefined
    }
  }

  async function start(visit: Visit, exchange: Exchange): Promise<Feeding> {
    const { conversation, streaming, tellsUsage } = exchange
    const context = {
      ...(conversation !== undefined && { conversation }),
      ...contextOf(visit),
      whole: !streaming,
      usage: tellsUsage,
    }
    const { recording } = visit
    const witness = recording && ((choice: number) => recording.witness(choice))
    const { begun, ...feeding } = await beginTurns(turns, exchange, context, witness)
    visit.plan = begun[0]?.plan
    visit.trail.prepare(begun[0]?.preparations)
    recording?.start(begun[0]?.plan)
    visit.calls = 0
    return feeding
  }

  async function respondWhole(visit: Visit, exchange: Exchange): Promise<void> {
    const body = await tellWhole(exchange, await start(visit, exchange), hearingOf(visit))
    send(visit, { status: 200, body })
  }

  async function respondStream(visit: Visit, exchange: Exchange): Promise<void> {
    const printer = exchange.createStream()
    await tellStream(createEventStream(visit, clock, printer), printer, {
      start: () => start(visit, exchange),
      hear: hearingOf(visit),
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
      body: () => (body ??= readBody(visit.request, limits, { onBody: onBodyOf(visit) })),
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

  return {
    async respond(visit, route, rest) {
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
      visit.model = exchange.model
      visit.isStream = exchange.streaming
      await admit(visit, { model, tokens: () => tokensOf(exchange) }, quotas)
      await (exchange.streaming ? respondStream(visit, exchange) : respondWhole(visit, exchange))
    },
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

/** Whoever records it wants the bytes. */
function onBodyOf({ recording }: Visit): ((body: Uint8Array) => void) | undefined {
  return recording && ((body) => recording.receive(body))
}

async function answerAt(route: Extract<Route, { answer: unknown }>, context: DoorContext): Promise<Reply> {
  return route.answer(context)
}

export function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}

function contextOf({ request, requestId, abort, clientKey, via, following }: Visit): TurnContext {
  const client = identify(request.headers)
  return {
    signal: abort.signal,
    requestId,
    ...(via !== undefined && { via }),
    ...(clientKey !== undefined && { clientKey }),
    ...(client !== undefined && { client }),
    ...(following !== undefined && { following }),
    ...wishesOf((name) => textOf(request.headers[name])),
  }
}

/** The client's own name for the conversation, where it has one. */
function conversationOf({ request }: Pick<Visit, 'request'>): string | undefined {
  return textOf(request.headers['x-conversation-id']) || undefined
}

function isDelta({ type }: Event): boolean {
  return type === 'text-delta' || type === 'call-delta' || type === 'reasoning-delta' || type === 'refusal-delta'
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
