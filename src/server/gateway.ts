import type { IncomingMessage, ServerResponse } from 'node:http'
import { type AddressInfo, Server as NetServer } from 'node:net'
import type { Duplex } from 'node:stream'
import { systemClock } from '../clock.ts'
import { defaultLimits, defaultTimeouts } from '../config/settings.ts'
import { isLoopback } from '../config/values/address.ts'
import type { Store } from '../doors/door.ts'
import { doors } from '../doors/registry.ts'
import { createRouter } from '../doors/serving/router.ts'
import { GatewayError, toGatewayError } from '../errors.ts'
import { createRandomId } from '../random-id.ts'
import { authenticate, createKeyring } from './access/auth.ts'
import { answerPreflight, createGuard, foreign, isPreflight, joinChain, viaHeader } from './access/guard.ts'
import { checkFraming, createRefusal } from './access/unreadable.ts'
import { createAdmin } from './accounts/admin.ts'
import type { Gateway, GatewayOptions, GatewaySettings } from './gateway-options.ts'
import { createTracing, endRecording } from './inspector/tracing.ts'
import { createMetrics } from './metrics/metrics.ts'
import { createPages } from './pages/pages.ts'
import { settle } from './quota/admission.ts'
import { createMemoryQuotas } from './quota/memory.ts'
import { pathOf, RequestContext } from './request-context.ts'
import { createResponder, textOf } from './response/respond.ts'
import { sendError } from './response/send.ts'
import { silentLog, toLogLine } from './telemetry/log.ts'
import { startTrace } from './telemetry/spans.ts'
import { answerPlainly, createWebSockets } from './websockets.ts'

/**
 * An ES module that imports a built-in one reads all its names at once, and some of `node:http` are getters that load Node's
 * own `fetch`: 40 ms and 14 MB of every start, as `npm run bench -- start` shows.
 */
const { createServer } = process.getBuiltinModule('node:http')

const noKeys = createKeyring([])
const forgetful: Store = { get: async () => undefined, set: async () => undefined, delete: async () => undefined }

/** The gateway as a server. */
export function createGateway(options: GatewayOptions): Gateway {
  const { log = silentLog, clock = systemClock, createId = createRandomId } = options
  const host = options.host.replace(/^\[(.*)\]$/, '$1')
  const startedAt = clock.now()
  const self = createRandomId('gw_')
  const underWay = new Set<RequestContext>()
  /** The last request of each connection, until that has ended. */
  const newest = new WeakMap<Duplex, RequestContext>()
  const { refuse, refuseNewest, refuseUnreadable } = createRefusal({
    clock,
    doorOf: (context, path) => context?.door ?? served.router.doorAt(context?.path ?? path ?? '/'),
  })
  const requestsOn = (socket: Duplex) => ({
    newest: newest.get(socket),
    underWay: [...underWay].filter((context) => context.request.socket === socket),
  })
  let closing: Promise<void> | undefined
  /** Set from the first word of closing, when requests are still taken. */
  let leaving: Promise<void> | undefined
  /** Others take the new connections; idle ones are waited for while it is patient. */
  let isRetiring = false
  let isPatient = true

  /** Whether the inspector asks for its token: wherever others than the people at this machine could come. */
  const needsToken = (): boolean => !isLoopback(host) || !served.keyring.open

  const metrics = createMetrics({
    models: () => served.labels,
    loads: () => served.loads?.() ?? new Map(),
    underWay: () => underWay.size,
    services: () => options.services?.(),
    priceOf: (model) => served.budgets?.priceOf(model),
  })

  const tracing = createTracing(options.traces, {
    clock,
    needsToken,
    secrets: () => served.secrets ?? [],
    info: () => ({
      version: options.version ?? '',
      doors: served.doors.map(({ name, routes }) => ({ name, paths: routes.map(({ path }) => path) })),
      needsKey: !served.keyring.open,
    }),
    keyring: () => served.keyring,
    budgets: () => served.budgets,
    isModel: (name) => served.labels.has(name),
    // The inspector's live streams do not hold up a shutdown.
    onInspect: (context) => underWay.delete(context),
  })
  const admin = createAdmin({
    keyring: () => served.keyring,
    now: clock.now,
    book: () => served.book,
    budgets: () => served.budgets,
    limits: () => served.limits,
  })
  const ownQuotas = createMemoryQuotas(clock.now)
  let waiting = options.ready?.then(() => {
    waiting = undefined
  })

  /** All that answers by settings, made once for them. */
  function serve(settings: GatewaySettings) {
    const limits = { ...defaultLimits, ...settings.limits }
    const timeouts = { ...defaultTimeouts, ...settings.timeouts }
    const { doors: open = doors, keyring = noKeys, allowed = { hosts: [], origins: [] } } = settings
    const { turns, storeOf = () => forgetful, quotas = ownQuotas, labels = new Set<string>() } = settings
    const respond = createResponder({
      turns,
      clock,
      createId,
      limits,
      started: startedAt,
      storeOf,
      memoryOf: (socket) => sockets.memoryOf(socket),
      quotas,
      budgets: settings.budgets,
      metrics,
      record: tracing.record,
    })
    const pages = createPages(options, {
      keyring,
      doors: open,
      metrics: settings.metrics ?? 'auto',
      readiness: settings.readiness ?? 'gateway',
      now: clock.now,
      figures: metrics.read,
      isOpen: () => leaving === undefined,
      showsInspector: options.traces?.token !== undefined && isLoopback(host) && keyring.open,
    })
    const router = createRouter(open, [...pages, ...admin, ...tracing.routes], doors)
    return {
      ...settings,
      doors: open,
      keyring,
      labels,
      limits,
      timeouts,
      respond,
      router,
      guard: createGuard({ host, allowed }),
    }
  }
  let served = serve(options)

  /** Throws where nothing new is begun. */
  function checkOpen(): void {
    if (closing !== undefined)
      throw new GatewayError('draining', 'The gateway is shutting down. Try again in a moment.', {
        retryAfterSeconds: 1,
      })
    options.overload?.check()
  }

  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const { router, guard, keyring, limits } = served
    const header = (name: string) => textOf(request.headers[name])
    const path = pathOf(request.url)
    const place =
      request.method === 'GET'
        ? router.socketAt(path, (route) => route.wants?.({ header, rest: '' }) ?? true)
        : undefined
    if (place === undefined) return answerPlainly(server, request, socket, head)
    socket.on('error', () => socket.destroy())
    try {
      if (guard(request).isLink) throw foreign('Links from other sites to this path are refused.')
      authenticate(request.headers, keyring, clock.now)
      checkOpen()
      void sockets.accept({ request, socket, head, ...place, mostBytes: limits.bodyBytes })
    } catch (thrown) {
      refuse(toGatewayError(thrown), socket, undefined, path)
    }
  }

  async function answer(context: RequestContext): Promise<void> {
    const { router, guard, keyring, respond } = served
    try {
      const framing = checkFraming(context.request)
      if (framing !== undefined)
        return refuseNewest(framing, context.request.socket, requestsOn(context.request.socket))
      const { origin, isLink } = guard(context.request)
      context.origin = origin
      if (origin !== undefined && isPreflight(context.request)) return answerPreflight(context)
      const { headers } = context.request
      const header = (name: string) => textOf(headers[name])
      const found = router.find(
        context.request.method ?? '',
        context.path,
        (route, rest) => route.wants?.({ header, rest }) ?? true,
      )
      if ('allow' in found) {
        const error = new GatewayError('method_not_allowed', `This path only takes ${found.allow}.`)
        return sendError(context, error, router.doorAt(context.path), { allow: found.allow })
      }
      const { served: place, rest } = found
      if (place.door === undefined) return await place.route.run(context, { rest, isLink })
      if (isLink) throw foreign('Links from other sites to this path are refused.')
      if (waiting !== undefined) return await waiting.then(() => answer(context))
      context.door = place.door
      const { key, clientKey } = authenticate(headers, keyring, clock.now)
      context.key = key
      context.clientKey = clientKey
      checkOpen()
      context.via = joinChain(textOf(headers[viaHeader]), self)
      await respond(context, place.route, rest)
    } catch (thrown) {
      const error = toGatewayError(thrown)
      sendError(context, error, context.door ?? router.doorAt(context.path))
      context.abort.abort(error)
    }
  }

  function receive(request: IncomingMessage, response: ServerResponse): void {
    const context = new RequestContext(request, response, createId)
    // Draining: no keep-alive.
    if (leaving !== undefined || isRetiring) response.shouldKeepAlive = false
    const begun = clock.now()
    const trace = startTrace(request.method ?? '', context.path, request.headers)
    context.observer = trace.observer
    underWay.add(context)
    newest.set(request.socket, context)
    response.once('close', () => {
      underWay.delete(context)
      // What comes after a request that came whole is not about it: a connection need not keep it until its next one.
      if (request.complete && newest.get(request.socket) === context) newest.delete(request.socket)
      settle(context)
      const finished = response.writableFinished
      if (!finished) context.abort.abort(new GatewayError('invalid_request', 'The client has gone.'))
      if (closing !== undefined || !isPatient) setImmediate(() => server.closeIdleConnections())
      const { error, refused, firstByteAt } = context
      const status = finished ? response.statusCode : refused && error ? error.status : 499
      const ms = clock.now() - begun
      const firstByteMs = firstByteAt === undefined ? undefined : firstByteAt - begun
      trace.end(context, status, firstByteMs)
      endRecording(context, { status, ms, firstByteMs, isGone: status === 499 })
      if (context.isQuiet && error === undefined) return
      metrics.end(context, {
        status,
        seconds: ms / 1000,
        isGone: status === 499,
        firstByteSeconds: firstByteMs === undefined ? undefined : firstByteMs / 1000,
        isStream: context.isStream,
      })
      log.exchange(toLogLine(context, { status, ms, firstByteMs }, served.debug === true))
    })
    void answer(context)
  }

  // The guard asks for the Host itself, in the shape of our errors. Time to send a request is short, to answer it is not.
  const server = createServer(
    {
      requireHostHeader: false,
      maxHeaderSize: served.limits.headersBytes,
      headersTimeout: served.timeouts.clientHeadersMs,
      requestTimeout: served.timeouts.clientBodyMs,
      keepAliveTimeout: 65_000,
      connectionsCheckingInterval: Math.min(served.timeouts.clientHeadersMs / 2, 5_000),
    },
    receive,
  )
  const sockets = createWebSockets(server, clock)
  server.on('upgrade', upgrade)
  server.on('clientError', (error, socket) => refuseUnreadable(error, socket, requestsOn(socket)))
  // An expectation may be ignored, and then gets an answer in our shape; a tunnel is refused in it.
  server.on('checkExpectation', receive)
  server.on('connect', (_request, socket) => {
    refuse(
      new GatewayError('method_not_allowed', "This gateway isn't a proxy. Send your request to it directly."),
      socket,
    )
  })

  function endAll(): void {
    const error = new GatewayError('draining', 'The gateway is shutting down. Try again in a moment.')
    for (const context of underWay) context.abort.abort(error)
    sockets.terminate()
    setImmediate(() => server.closeAllConnections())
  }

  function closeNow(): Promise<void> {
    tracing.close()
    closing = new Promise((resolve) => {
      const cancel = clock.after(served.timeouts.drainMs, endAll)
      const ended = (): void => {
        cancel()
        resolve()
      }
      if (server.listening || isRetiring) server.once('close', ended)
      else ended()
      server.close()
      sockets.drain()
    })
    return closing
  }

  return {
    get underWay() {
      return underWay.size
    },
    listen() {
      if (served.keyring.open && !isLoopback(host)) {
        const remedy = "Set 'keys' in the config, or listen on 127.0.0.1."
        return Promise.reject(new Error(`Refusing to listen on ${host} without client keys. ${remedy}`))
      }
      return new Promise((resolve, reject) => {
        server.once('error', reject)
        server.listen(options.port, host, () => {
          server.off('error', reject)
          resolve({ host, port: (server.address() as AddressInfo).port })
        })
      })
    },
    replace(settings) {
      served = serve(settings)
    },
    retire() {
      isRetiring = true
      return new Promise((resolve) => {
        const cancel = clock.after(served.timeouts.drainMs, () => {
          isPatient = false
          server.closeIdleConnections()
        })
        server.once('close', () => {
          cancel()
          resolve()
        })
        // An HTTP server's own `close` also closes idle connections, on which a client may be about to send.
        NetServer.prototype.close.call(server)
        sockets.drain()
      })
    },
    figures: () => metrics.read(),
    close() {
      const { drainDelayMs } = served.timeouts
      leaving ??=
        drainDelayMs === 0
          ? closeNow()
          : new Promise((resolve) => void clock.after(drainDelayMs, () => resolve(closeNow())))
      return leaving
    },
  }
}
