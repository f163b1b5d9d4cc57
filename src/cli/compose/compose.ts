import { systemClock } from '../../clock.ts'
import type { Config } from '../../config/load.ts'
import { describeRestart, reviewReload } from '../../config/sources/reload.ts'
import type { Address } from '../../config/values/address.ts'
import { createOverload } from '../../server/access/overload.ts'
import { createGateway } from '../../server/gateway.ts'
import type { GatewaySettings } from '../../server/gateway-options.ts'
import { createToken } from '../../server/inspector/token.ts'
import { createServiceWatcher } from '../../server/service-watcher.ts'
import type { Log } from '../../server/telemetry/log.ts'
import { startOtlp } from '../../server/telemetry/otlp.ts'
import type { ServiceCard } from '../../turn/turn.ts'
import { packageFile } from '../package.ts'
import { closeGeneration, createGeneration, type Generation, loadsOf } from './generation.ts'
import { entrancesOf, originOf, type Shared, type WorkerService } from './service.ts'
import { checkStore, storeOf } from './store.ts'
import { inspectorAt, needsRestart, recorderFor, traceSettingsOf } from './traces.ts'
import { namesOfModels } from './upstreams.ts'
import { dialectNames } from './vocabulary.ts'

/** The composition root: the one place where configuration, upstreams, turns and the gateway meet. */

/** Of how many models of a service it is found out, when the gateway starts, how tools reach them. */
const probedModels = 12

/** How long one service that does not answer may hold up news of the others. */
const lookWithinMs = 3_000

/** What a missing collector means. */
const spansWait = 'Requests go on. Up to 2048 spans wait for it, later ones are dropped.'

interface Circumstances {
  readonly version?: string | undefined
  /** Another than the configuration says, because that one is taken. */
  readonly port?: number
  /** Until then requests wait for their models. */
  readonly ready?: Promise<void>
  /** It is one of several. */
  readonly shared?: Shared
}

export async function startService(
  config: Config,
  log: Log,
  { version, port = config.settings.listen.port, ready, shared }: Circumstances = {},
): Promise<WorkerService> {
  checkStore(config)
  const { listen, inspector } = config.settings
  // First of all: where its file cannot be used, nothing else has been begun.
  const recorder = recorderFor(traceSettingsOf(config, shared), log)
  const former = new Map<string, { readonly hash: string }>()
  const retiring = new Map<Generation, NodeJS.Timeout>()
  let current = createGeneration(config, { shared, log })
  const watcher = createServiceWatcher({
    clock: systemClock,
    services: async (signal, patience) =>
      (await current.turns.services?.(
        signal,
        patience === undefined ? { patience: AbortSignal.timeout(lookWithinMs) } : { patience, probed: probedModels },
      )) ?? [],
    onChange: ({ service: { name, reason, remedy }, state }) => log.service?.({ service: name, state, reason, remedy }),
  })
  const otlp =
    config.otlp &&
    startOtlp(config.otlp, {
      clock: systemClock,
      version: version ?? '',
      onChange: (state, reason) => log.service?.({ service: 'otlp', state, reason, remedy: spansWait }),
    })
  const full = Promise.withResolvers<void>()
  const overload = createOverload({ clock: systemClock, limits: config.settings.limits, onFull: () => full.resolve() })
  const token = createToken(shared?.traces.token)
  const settings = (generation: Generation) => settingsOf(generation, () => watcher.services)
  const gateway = createGateway({
    host: listen.host,
    port,
    log,
    overload,
    ready,
    traces: {
      recorder,
      dialects: dialectNames,
      folder: packageFile('dist/inspector'),
      ...(inspector && { token }),
    },
    ...(shared !== undefined && { printFigures: shared.print }),
    services: () => watcher.services,
    ...(version !== undefined && { version }),
    ...settings(current),
  })

  function retire(old: Generation): void {
    // No answer takes longer than this, so the old upstreams are idle.
    const timer = setTimeout(() => {
      retiring.delete(old)
      void closeGeneration(old, current)
    }, old.config.settings.timeouts.totalMs)
    retiring.set(old, timer.unref())
  }

  function replace(next: Config, address: Address): readonly string[] {
    checkStore(next)
    const changes = reviewReload({ initial: config, current: current.config, next }, address)
    if (shared === undefined) changes.push(...describeRestart(config, next))
    if (needsRestart(config, next)) changes.push('Another store for traces needs a restart.')
    for (const { hash } of current.config.settings.keys) former.set(hash, { hash })
    const fresh = createGeneration(next, { shared, log, former: [...former.values()], before: current })
    retire(current)
    current = fresh
    gateway.replace(settings(fresh))
    overload.replace(next.settings.limits)
    recorder.replace(traceSettingsOf(next, shared))
    void watcher.check()
    return changes
  }

  const address = await gateway.listen().catch(async (error: unknown) => {
    overload.close()
    recorder.close()
    await Promise.all([otlp?.close(), closeGeneration(current)])
    throw error
  })
  return {
    origin: originOf(address),
    get inspector() {
      return inspectorAt(address, current.config, token.text)
    },
    get entrances() {
      return entrancesOf(current.doors, originOf(address))
    },
    underWay: () => gateway.underWay,
    full: full.promise,
    get seen() {
      return watcher.services ?? []
    },
    services: (patience) => watcher.check(patience),
    replace: (next) => replace(next, address),
    async retire() {
      await gateway.retire()
      await otlp?.flush()
    },
    figures: gateway.figures,
    async close() {
      watcher.close()
      overload.close()
      await gateway.close()
      recorder.close()
      for (const [old, timer] of retiring) {
        clearTimeout(timer)
        await closeGeneration(old, current)
      }
      await Promise.all([otlp?.close(), closeGeneration(current)])
    },
  }
}

/** What the gateway answers by. */
function settingsOf(generation: Generation, services: () => readonly ServiceCard[] | undefined): GatewaySettings {
  const { turns, doors, keyring, quotas, budgets, book, kept, secrets, config } = generation
  const { limits, allowed, timeouts, log, metrics, readiness } = config.settings
  return {
    turns,
    doors,
    keyring,
    quotas,
    budgets,
    book,
    storeOf: (client) => storeOf(kept, client),
    secrets,
    metrics,
    readiness,
    labels: namesOfModels(config, services),
    loads: () => loadsOf(generation),
    limits,
    timeouts,
    allowed,
    debug: log === 'debug',
  }
}
