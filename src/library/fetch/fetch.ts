import { systemClock } from '../../clock.ts'
import type { Door, DoorContext, Exchange, Reply, Route, Store } from '../../doors/door.ts'
import { doors } from '../../doors/registry.ts'
import { answerExchange, type ExchangeRecording, turnOverridesIn } from '../../doors/serving/answer.ts'
import { ChangeLog } from '../../doors/serving/change-log.ts'
import { headersOf, withHeaders } from '../../doors/serving/headers.ts'
import { parseBody } from '../../doors/serving/json-body.ts'
import { createRouter } from '../../doors/serving/router.ts'
import { GatewayError, toGatewayError } from '../../errors.ts'
import { createMemory } from '../../protocol/memory/memory.ts'
import { orAborted } from '../../protocol/or-aborted.ts'
import { createRandomId } from '../../random-id.ts'
import type { Turn, TurnContext, Turns } from '../../turn/turn.ts'
import { createWriter } from './writer.ts'

const limits = { tools: 512, depth: 128 }
/** What doors keep between the requests of one client: responses that later ones go on from. */
const keptLimits = { entries: 1000, characters: 32 << 20 }
const json = 'application/json; charset=utf-8'

/** Where an exchange is recorded. */
interface Recorded {
  readonly recording: ExchangeRecording
  readonly changeLog: ChangeLog
}

/** What is known of one request while it is answered. */
interface RequestContext {
  readonly request: Request
  readonly requestId: string
  readonly abort: AbortController
  readonly changeLog: ChangeLog
  readonly recording: ExchangeRecording | undefined
  door: Door
  plan: Turn['plan'] | undefined
}

/** Answers requests as the gateway does, by the same doors and the same turns, without a socket. */
export function serveTurns(
  turns: Turns,
): (request: Request, signal?: AbortSignal, recorded?: Recorded) => Promise<Response> {
  const started = systemClock.now()
  const router = createRouter(doors, [], doors)
  const store = createStore()

  async function serve(request: Request, signal?: AbortSignal, recorded?: Recorded): Promise<Response> {
    const path = pathOf(request)
    const context: RequestContext = {
      request,
      requestId: createRandomId('req_'),
      abort: new AbortController(),
      changeLog: recorded?.changeLog ?? new ChangeLog(),
      recording: recorded?.recording,
      door: router.doorAt(path),
      plan: undefined,
    }
    const leave = (): void => context.abort.abort(signal?.reason)
    if (signal?.aborted === true) leave()
    else signal?.addEventListener('abort', leave, { once: true })
    try {
      const header = (name: string) => request.headers.get(name) ?? undefined
      const found = router.find(request.method, path, (route, rest) => route.wants?.({ header, rest }) ?? true)
      if ('allow' in found) {
        throw new GatewayError('method_not_allowed', `This path only takes ${found.allow}.`)
      }
      const { served, rest } = found
      if (served.door === undefined) throw new GatewayError('not_found', 'Nothing is served at this path.')
      context.door = served.door
      return await respond(context, served.route, rest)
    } catch (thrown) {
      if (signal?.aborted === true) throw signal.reason
      const error = toGatewayError(thrown)
      return toResponse(context, withHeaders(context.door.printError(error, context.requestId), error))
    }
  }

  async function respond(context: RequestContext, route: Route, rest: string): Promise<Response> {
    const doorContext = doorContextFor(context, rest)
    if ('answer' in route) {
      return toResponse(context, await orAborted(Promise.resolve(route.answer(doorContext)), context.abort.signal))
    }
    const exchange = await route.read(await doorContext.body(), doorContext)
    context.recording?.read(exchange)
    return await answer(context, exchange)
  }

  /** A stream's response resolves when the answer begins: until then a failure has a status of its own. */
  function answer(context: RequestContext, exchange: Exchange): Promise<Response> {
    const { abort, changeLog, recording } = context
    const { promise, resolve, reject } = Promise.withResolvers<Response>()
    answerExchange(exchange, {
      turns,
      clock: systemClock,
      signal: abort.signal,
      changeLog,
      recording,
      turnContext: () => turnContext(context),
      createWriter: (printer) =>
        createWriter({
          printer,
          headers: () => headersOf(context),
          signal: abort.signal,
          begin: resolve,
          cancel: () => abort.abort(new GatewayError('invalid_request', 'The client has gone.')),
        }),
      onStart(plan) {
        context.plan = plan
      },
    }).then((body) => {
      if (body !== undefined) resolve(toResponse(context, { status: 200, body }))
    }, reject)
    return promise
  }

  function doorContextFor(context: RequestContext, rest: string): DoorContext {
    const { request, abort } = context
    const { searchParams } = new URL(request.url)
    let body: Promise<unknown> | undefined
    return {
      rest,
      header: (name) => request.headers.get(name) ?? undefined,
      query: (name) => searchParams.get(name) ?? undefined,
      body: () => (body ??= readBody(context)),
      createId: createRandomId,
      now: systemClock.now,
      started,
      limits,
      models: () => turns.models(abort.signal),
      model: (name) => turns.model(name, abort.signal),
      countTokens: (question) => turns.countTokens(question, turnContext(context)),
      embed: (question) => turns.embed(question, turnContext(context)),
      store,
    }
  }

  return serve
}

async function readBody({ request, recording }: RequestContext): Promise<unknown> {
  const bytes = new Uint8Array(await request.arrayBuffer())
  recording?.receive(bytes)
  return parseBody(bytes, limits.depth)
}

function turnContext({ request, requestId, abort }: RequestContext): TurnContext {
  const clientKey = keyOf(request.headers)
  return {
    signal: abort.signal,
    requestId,
    ...(clientKey !== undefined && { clientKey }),
    ...turnOverridesIn((name) => request.headers.get(name) ?? undefined),
  }
}

/** Where OpenAI's clients put it, and Anthropic's, and Azure's. */
function keyOf(headers: Headers): string | undefined {
  const bearer = /^bearer +(\S+) *$/i.exec(headers.get('authorization') ?? '')?.[1]
  return bearer ?? headers.get('x-api-key') ?? headers.get('api-key') ?? undefined
}

/** The path of the API, whatever address the client believes to speak to. */
function pathOf({ url }: Request): string {
  const path = new URL(url).pathname.replace(/(?<=.)\/$/, '')
  const at = path.lastIndexOf('/v1/')
  return at === -1 ? path : path.slice(at)
}

function toResponse(context: RequestContext, { status, body, contentType = json, headers }: Reply): Response {
  return new Response(body, { status, headers: { ...headersOf(context), 'content-type': contentType, ...headers } })
}

function createStore(): Store {
  const kept = createMemory<string>({ ...keptLimits, sizeOf: (text) => text.length })
  return {
    get: async (key) => kept.get(key),
    set: async (key, text) => kept.set(key, text),
    delete: async (key) => void kept.delete(key),
  }
}
