import type { Clock } from '../clock.ts'
import type { DoorContext, Exchange, Reply, Route, Store } from '../doors/door.ts'
import { GatewayError, toGatewayError } from '../errors.ts'
import type { Event } from '../protocol/event.ts'
import type { TurnContext, Turns } from '../turn/turn.ts'
import { identify } from './auth.ts'
import { type BodyLimits, readBody } from './body.ts'
import { createEventStream } from './event-stream.ts'
import { createFeed, type Feed } from './feed.ts'
import type { Metrics } from './metrics/metrics.ts'
import { admit, checkModel, mayUse } from './quota/admission.ts'
import type { Quotas } from './quota/quota.ts'
import { send } from './send.ts'
import type { Visit } from './visit.ts'

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
}

/** Answers requests at the routes of doors. */
export interface Responder {
  respond(visit: Visit, route: Route, rest: string): Promise<void>
}

/** How long the status line waits for the first event: until then a failure can still be a status of its own. */
const holdMs = 10_000

/** Reads a request at a door, runs its turns, and says what they say, at once or as it comes. */
export function createResponder(options: ResponderOptions): Responder {
  const { turns, clock, createId, limits, started: startedAt, storeOf, quotas, metrics } = options

  function hear(visit: Visit, events: readonly Event[]): void {
    observe(visit, events, clock)
    metrics.hear(visit, events)
  }

  async function start(visit: Visit, exchange: Exchange): Promise<Begun> {
    const { signal } = visit.abort
    const { conversation, streaming, tellsUsage } = exchange
    const context = {
      ...(conversation !== undefined && { conversation }),
      ...contextOf(visit),
      whole: !streaming,
      usage: tellsUsage,
    }
    const started = Promise.all(exchange.requests.map((request) => turns.start(request, context)))
    const begun = await orAborted(started, signal)
    visit.plan = begun[0]?.plan
    visit.trail.prepare(begun[0]?.preparations ?? [])
    visit.calls = 0
    const feed = createFeed(
      begun.map((turn) => turn.events),
      signal,
    )
    return { feed, promptTokens: () => begun.reduce((sum, turn) => sum + turn.promptTokens(), 0) }
  }

  async function respondWhole(visit: Visit, exchange: Exchange): Promise<void> {
    const { feed } = await start(visit, exchange)
    const choices: Event[][] = exchange.requests.map(() => [])
    for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
      hear(visit, batch.events)
      const events = choices[batch.choice]
      for (const event of batch.events) events?.push(event)
    }
    send(visit, { status: 200, body: await exchange.printBody(choices) })
  }

  async function respondStream(visit: Visit, exchange: Exchange): Promise<void> {
    const printer = exchange.createStream()
    const stream = createEventStream(visit, clock, printer)
    const cancelHold = clock.after(holdMs, () => stream.hold())
    let opened = false
    try {
      const { feed, promptTokens } = await start(visit, exchange)
      for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
        hear(visit, batch.events)
        const piece = printer.push(batch.choice, batch.events)
        if (piece === '') continue
        const full = stream.write(opened ? piece : printer.open({ promptTokens }) + piece)
        if (!opened) cancelHold()
        opened = true
        if (full !== undefined) await full
      }
      stream.end(await printer.end())
    } catch (thrown) {
      const error = toGatewayError(thrown)
      const refusal = opened ? undefined : printer.refuse?.(error)
      if (!stream.begun && refusal === undefined) throw thrown
      visit.error = error
      stream.end(refusal ?? printer.fail(error))
      visit.abort.abort(visit.error)
    } finally {
      cancelHold()
    }
  }

  function contextFor(visit: Visit, rest: string): DoorContext {
    const { headers } = visit.request
    let body: Promise<unknown> | undefined
    return {
      rest,
      header: (name) => textOf(headers[name]),
      query: (name) => visit.query.get(name) ?? undefined,
      body: () => (body ??= readBody(visit.request, limits)),
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
      store: storeOf(identify(headers) ?? ''),
    }
  }

  return {
    async respond(visit, route, rest) {
      const context = contextFor(visit, rest)
      if ('answer' in route) return send(visit, await orAborted(answerAt(route, context), visit.abort.signal))
      const exchange = await route.read(await context.body(), context)
      visit.model = exchange.model
      visit.isStream = exchange.streaming
      await admit(visit, exchange, quotas)
      await (exchange.streaming ? respondStream(visit, exchange) : respondWhole(visit, exchange))
    },
  }
}

interface Begun {
  readonly feed: Feed
  readonly promptTokens: () => number
}

async function answerAt(route: Extract<Route, { answer: unknown }>, context: DoorContext): Promise<Reply> {
  return route.answer(context)
}

export function textOf(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.join(', ')
}

function contextOf({ request, requestId, abort, clientKey }: Visit): TurnContext {
  const tools = request.headers['x-dragoman-tools']
  if (tools !== undefined && tools !== 'native' && tools !== 'prompt') {
    throw new GatewayError('invalid_value', "The header 'x-dragoman-tools' must be 'native' or 'prompt'.", {
      param: 'x-dragoman-tools',
    })
  }
  const dialect = textOf(request.headers['x-dragoman-dialect'])
  const conversation = request.headers['x-conversation-id']
  const client = identify(request.headers)
  return {
    signal: abort.signal,
    requestId,
    ...(clientKey !== undefined && { clientKey }),
    ...(client !== undefined && { client }),
    ...(typeof conversation === 'string' && conversation !== '' && { conversation }),
    overrides: { ...(tools !== undefined && { tools }), ...(dialect !== undefined && { dialect }) },
  }
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

/** What a promise gives, unless the signal aborts first. */
function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = (): void => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop))
  })
}
