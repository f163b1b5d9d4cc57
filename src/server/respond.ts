import type { Door, Exchange } from '../doors/door.ts'
import { GatewayError, toGatewayError } from '../errors.ts'
import type { Event } from '../protocol/event.ts'
import type { TurnContext, Turns } from '../turn/turn.ts'
import { identify } from './auth.ts'
import { readBody } from './body.ts'
import type { Clock } from './clock.ts'
import { createEventStream } from './event-stream.ts'
import { createFeed, type Feed } from './feed.ts'
import { sendJson } from './send.ts'
import type { Visit } from './visit.ts'

export interface Limits {
  readonly bodyBytes: number
  readonly tools: number
}

interface ResponderOptions {
  readonly door: Door
  readonly turns: Turns
  readonly clock: Clock
  readonly createId: (prefix: string) => string
  readonly limits: Limits
}

/** How long the status line waits for the first event: until then a failure can still be a status of its own. */
const holdMs = 10_000

/** Answers one request to a door: reads it, runs its turns, and says what they say, at once or as it comes. */
export function createResponder(options: ResponderOptions): (visit: Visit) => Promise<void> {
  const { door, turns, clock, createId, limits } = options

  async function start(visit: Visit, exchange: Exchange): Promise<Feed> {
    const { signal } = visit.abort
    const context = { ...contextOf(visit), whole: !exchange.streaming, usage: exchange.tellsUsage }
    const started = Promise.all(exchange.requests.map((request) => turns.start(request, context)))
    const begun = await orAborted(started, signal)
    visit.plan = begun[0]?.plan
    visit.trail.prepare(begun[0]?.preparations ?? [])
    visit.calls = 0
    return createFeed(
      begun.map((turn) => turn.events),
      signal,
    )
  }

  async function respondWhole(visit: Visit, exchange: Exchange): Promise<void> {
    const feed = await start(visit, exchange)
    const choices: Event[][] = exchange.requests.map(() => [])
    for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
      observe(visit, batch.events, clock)
      const events = choices[batch.choice]
      for (const event of batch.events) events?.push(event)
    }
    sendJson(visit, 200, exchange.printBody(choices))
  }

  async function respondStream(visit: Visit, exchange: Exchange): Promise<void> {
    const stream = createEventStream(visit, clock)
    const printer = exchange.createStream()
    const cancelHold = clock.after(holdMs, () => stream.hold())
    let opened = false
    try {
      const feed = await start(visit, exchange)
      for (let batch = await feed.next(); batch !== undefined; batch = await feed.next()) {
        observe(visit, batch.events, clock)
        const piece = printer.push(batch.choice, batch.events)
        if (piece === '') continue
        const full = stream.write(opened ? piece : printer.open() + piece)
        if (!opened) cancelHold()
        opened = true
        if (full !== undefined) await full
      }
      stream.end(printer.end())
    } catch (thrown) {
      if (!stream.begun) throw thrown
      visit.error = toGatewayError(thrown)
      stream.end(printer.fail(visit.error))
      visit.abort.abort(visit.error)
    } finally {
      cancelHold()
    }
  }

  return async (visit) => {
    const { request } = visit
    const body = await readBody(request, limits.bodyBytes)
    const exchange = door.read(body, {
      createId,
      created: Math.floor(clock.now() / 1000),
      userAgent: request.headers['user-agent'] ?? '',
      limits,
    })
    visit.model = exchange.model
    await (exchange.streaming ? respondStream(visit, exchange) : respondWhole(visit, exchange))
  }
}

function contextOf({ request, abort, clientKey }: Visit): TurnContext {
  const tools = request.headers['x-dragoman-tools']
  if (tools !== undefined && tools !== 'native' && tools !== 'prompt') {
    throw new GatewayError('invalid_value', "The header 'x-dragoman-tools' is 'native' or 'prompt'.", {
      param: 'x-dragoman-tools',
    })
  }
  const conversation = request.headers['x-conversation-id']
  const client = identify(request.headers)
  return {
    signal: abort.signal,
    ...(clientKey !== undefined && { clientKey }),
    ...(client !== undefined && { client }),
    ...(typeof conversation === 'string' && conversation !== '' && { conversation }),
    ...(tools !== undefined && { overrides: { tools } }),
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
