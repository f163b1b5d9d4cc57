import type { Door } from '../../doors/door.ts'
import { GatewayError } from '../../errors.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import { authenticate, type Keyring } from '../access/auth.ts'
import type { GatewayOptions } from '../gateway-options.ts'
import { type Family, printFamilies } from '../metrics/registry.ts'
import type { OwnRoute, RequestContext } from '../request-context.ts'
import { send } from '../response/send.ts'
import { printReadiness } from '../service-watcher.ts'
import { printOpenApi } from './openapi.ts'
import { respondWelcome } from './welcome.ts'

/** What the pages tell of a gateway that is not in its options. */
interface Facts {
  readonly keyring: () => Keyring
  readonly doors: () => readonly Door[]
  readonly now: () => number
  /** Who may read the figures. */
  readonly access: () => 'auto' | 'open' | 'off'
  /** What `/readyz` waits for. */
  readonly readiness: () => 'gateway' | 'upstreams'
  readonly figures: () => readonly Family[]
  /** New requests are taken. */
  readonly isOpen: () => boolean
  /** There is an inspector that needs no token. */
  readonly showsInspector: () => boolean
}

/** What a gateway says about itself, without a key. */
export function createPages(options: GatewayOptions, facts: Facts): readonly OwnRoute[] {
  const { printFigures = printFamilies } = options

  function welcome(context: RequestContext): void {
    const services = facts.keyring().open ? (options.services?.() ?? []) : undefined
    respondWelcome(context, {
      version: options.version,
      services,
      keyed: !facts.keyring().open,
      inspector: facts.showsInspector(),
    })
  }

  const ready = (context: RequestContext): void => respondReady(context, facts, options.services)

  async function respondMetrics(context: RequestContext): Promise<void> {
    if (facts.access() === 'off')
      throw new GatewayError('not_found', "Metrics are off. Set 'metrics' in the gateway's config to turn them on.")
    if (facts.access() === 'auto') authenticate(context.request.headers, facts.keyring(), facts.now)
    const body = await printFigures(facts.figures())
    send(context, { status: 200, body, contentType: 'text/plain; version=0.0.4; charset=utf-8' })
  }

  return [
    { method: 'GET', path: '/livez', run: respondLive },
    { method: 'GET', path: '/readyz', run: ready },
    // What others call them: Kubernetes once, and the model servers.
    { method: 'GET', path: '/healthz', run: respondLive },
    { method: 'GET', path: '/health', run: ready },
    { method: 'GET', path: '/metrics', run: respondMetrics },
    {
      method: 'GET',
      path: '/openapi.json',
      run: (context) => send(context, { status: 200, body: printOpenApi(facts.doors(), options.version ?? '') }),
    },
    { method: 'GET', path: '/', run: welcome },
    { method: 'GET', path: '/v1', run: welcome },
  ]
}

/** The process is there: depends on nothing, so that nothing else's trouble gets it restarted. */
function respondLive(context: RequestContext): void {
  send(context, { status: 200, body: '{"status":"live"}' })
}

/**
 * New requests are taken. With services down it is `degraded`, which is ready: of an outage, clients get an error that
 * explains it, not a proxy's. Where readiness is that of the upstreams, one of them has to be usable.
 */
function respondReady(
  context: RequestContext,
  { isOpen, readiness }: Pick<Facts, 'isOpen' | 'readiness'>,
  services: () => readonly ServiceCard[] | undefined = () => [],
): void {
  if (!isOpen()) throw new GatewayError('draining', 'The gateway is shutting down and takes no new requests.')
  const seen = services()
  if (seen === undefined) throw new GatewayError('not_ready', 'The gateway is still checking its model servers.')
  const { state, troubles } = printReadiness(seen)
  if (state === 'down' && readiness() === 'upstreams') {
    const error = new GatewayError('not_ready', 'No model server can be used right now.')
    context.error = error
    const { message, type, param, code } = error
    const body = { status: 'down', services: troubles, error: { message, type, param, code } }
    return send(context, { status: error.status, body: JSON.stringify(body) })
  }
  const body = state === 'ready' ? { status: state } : { status: 'degraded', services: troubles }
  send(context, { status: 200, body: JSON.stringify(body) })
}
