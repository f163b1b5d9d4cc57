import { GatewayError } from '../../errors.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import { authenticate } from '../access/auth.ts'
import type { GatewayOptions, GatewaySettings } from '../gateway-options.ts'
import { type Family, printFamilies } from '../metrics/registry.ts'
import type { OwnRoute, RequestContext } from '../request-context.ts'
import { send } from '../response/send.ts'
import { printReadiness } from '../service-watcher.ts'
import { printOpenApi } from './openapi.ts'
import { respondWelcome } from './welcome.ts'

/** What the pages show of the settings and of the gateway at the moment. */
interface Facts extends Required<Pick<GatewaySettings, 'keyring' | 'doors' | 'metrics' | 'readiness'>> {
  readonly now: () => number
  readonly figures: () => readonly Family[]
  /** New requests are taken. */
  readonly isOpen: () => boolean
  /** There is an inspector that needs no token. */
  readonly showsInspector: boolean
}

/** What a gateway says about itself, without a key. */
export function createPages(
  { printFigures = printFamilies, services, version }: GatewayOptions,
  facts: Facts,
): readonly OwnRoute[] {
  const { keyring, doors, metrics, showsInspector } = facts

  function welcome(context: RequestContext): void {
    const shown = keyring.open ? (services?.() ?? []) : undefined
    respondWelcome(context, { version, services: shown, keyed: !keyring.open, inspector: showsInspector })
  }

  const ready = (context: RequestContext): void => respondReady(context, facts, services)

  async function respondMetrics(context: RequestContext): Promise<void> {
    if (metrics === 'off')
      throw new GatewayError('not_found', "Metrics are off. Set 'metrics' in the gateway's config to turn them on.")
    if (metrics === 'auto') authenticate(context.request.headers, keyring, facts.now)
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
      run: (context) => send(context, { status: 200, body: printOpenApi(doors, version ?? '') }),
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
  if (state === 'down' && readiness === 'upstreams') {
    const error = new GatewayError('not_ready', 'No model server can be used right now.')
    context.error = error
    const { message, type, param, code } = error
    const body = { status: 'down', services: troubles, error: { message, type, param, code } }
    return send(context, { status: error.status, body: JSON.stringify(body) })
  }
  const body = state === 'ready' ? { status: state } : { status: 'degraded', services: troubles }
  send(context, { status: 200, body: JSON.stringify(body) })
}
