import type { Door } from '../../doors/door.ts'
import { GatewayError } from '../../errors.ts'
import { authenticate, type Keyring } from '../access/auth.ts'
import type { GatewayOptions } from '../gateway-options.ts'
import { type Family, printFamilies } from '../metrics/families.ts'
import { send } from '../response/send.ts'
import type { OwnRoute, Visit } from '../visit.ts'
import { respondLive, respondReady } from './health.ts'
import { printOpenApi } from './openapi.ts'
import { respondWelcome } from './welcome.ts'

/** What the pages tell of a gateway that is not in its options. */
interface Facts {
  readonly keyring: () => Keyring
  readonly doors: () => readonly Door[]
  readonly now: () => number
  /** Who may read the figures. */
  readonly access: () => 'auto' | 'open' | 'off'
  readonly figures: () => readonly Family[]
  /** New requests are taken. */
  readonly isOpen: () => boolean
  /** There is an inspector that whoever asks may open. */
  readonly showsInspector: () => boolean
}

/** What a gateway says about itself, to whoever has no key as well. */
export function createPages(options: GatewayOptions, facts: Facts): readonly OwnRoute[] {
  const { printFigures = printFamilies } = options

  function welcome(visit: Visit): void {
    const services = facts.keyring().open ? (options.services?.() ?? []) : undefined
    respondWelcome(visit, {
      version: options.version,
      services,
      keyed: !facts.keyring().open,
      inspector: facts.showsInspector(),
    })
  }

  const ready = (visit: Visit): void => respondReady(visit, facts.isOpen, options.services)

  async function respondMetrics(visit: Visit): Promise<void> {
    if (facts.access() === 'off')
      throw new GatewayError('not_found', "Metrics are off. Set 'metrics' in the gateway's config to turn them on.")
    if (facts.access() === 'auto') authenticate(visit.request.headers, facts.keyring(), facts.now)
    const body = await printFigures(facts.figures())
    send(visit, { status: 200, body, contentType: 'text/plain; version=0.0.4; charset=utf-8' })
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
      run: (visit) => send(visit, { status: 200, body: printOpenApi(facts.doors(), options.version ?? '') }),
    },
    { method: 'GET', path: '/', run: welcome },
    { method: 'GET', path: '/v1', run: welcome },
  ]
}
