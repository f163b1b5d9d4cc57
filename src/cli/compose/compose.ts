import { systemClock } from '../../clock.ts'
import type { Config } from '../../config/load.ts'
import { reviewReload } from '../../config/sources/reload.ts'
import type { Address } from '../../config/values/address.ts'
import { createOverload } from '../../server/access/overload.ts'
import { createGateway } from '../../server/gateway.ts'
import type { GatewaySettings } from '../../server/gateway-options.ts'
import { createRandomId } from '../../server/ids.ts'
import { createToken } from '../../server/inspector/token.ts'
import { createLookout } from '../../server/lookout.ts'
import { createQuotas } from '../../server/quota/quotas.ts'
import type { Log } from '../../server/telemetry/log.ts'
import { packageFile } from '../place.ts'
import { closeGeneration, createGeneration, type Generation, loadsOf } from './generation.ts'
import { holdTurns } from './hold.ts'
import { entrancesOf, originOf, type Service, type Shared, type WorkerService } from './service.ts'
import { checkStore, storeOf } from './store.ts'
import { inspectorAt, needsRestart, recorderFor, traceSettingsOf } from './traces.ts'
import { namesOfModels } from './upstreams.ts'
import { dialectNames } from './vocabulary.ts'

/** The composition root: the one place where configuration, upstreams, turns and the gateway meet. */

/** Of how many models of a service it is found out, when the gateway starts, how tools reach them. */
const probedModels = 12

/** How long one service that does not answer may hold up news of the others. */
const lookWithinMs = 3_000

/** What a missing Redis means for the limits of keys. */
const countedAlone = 'Until it is back, this gateway counts the limits of keys by itself.'

/** `port`: another than the configuration says, because that one is taken. `known`: until then requests wait for their models. */
export async function startService(
  config: Config,
  log: Log,
  version?: string,
  port = config.settings.listen.port,
  known?: Promise<void>,
): Promise<Service> {
  checkStore(config)
  const { gateway, fail, createService } = composeService(config, log, version, port, { known })
  const address = await gateway.listen().catch(fail)
  return createService(address)
}

export async function startWorker(
  config: Config,
  log: Log,
  version: string,
  port: number,
  shared: Shared,
): Promise<WorkerService> {
  const { gateway, fail, createService } = composeService(config, log, version, port, { shared })
  const address = await gateway.listen().catch(fail)
  return Object.assign(createService(address), { retire: gateway.retire, figures: gateway.figures })
}

function composeService(
  config: Config,
  log: Log,
  version: string | undefined,
  port: number,
  { shared, known }: { readonly shared?: Shared; readonly known?: Promise<void> | undefined },
) {
  const former = new Map<string, { readonly hash: string }>()
  // First of all: where its file cannot be used, nothing else has been begun.
  let inUse = config
  const recorder = recorderFor(() => traceSettingsOf(inUse, shared), log)
  let current = createGeneration(config, { shared })
  const retiring = new Map<Generation, NodeJS.Timeout>()
  const {
    listen: { host },
    limits,
    timeouts,
  } = config.settings
  const lookout = createLookout({
    clock: systemClock,
    services: async (signal, patience) =>
      (await current.turns.services?.(
        signal,
        patience === undefined ? { patience: AbortSignal.timeout(lookWithinMs) } : { patience, probed: probedModels },
      )) ?? [],
    onChange: ({ service: { name, reason, remedy }, state }) => log.service?.({ service: name, state, reason, remedy }),
  })
  const quotas = createQuotas({
    store: () => current.config.settings.sessions.store,
    now: Date.now,
    createId: createRandomId,
    memory: shared?.quotas,
    onChange: (state, reason) => log.service?.({ service: 'redis', state, reason, remedy: countedAlone }),
  })
  let tellFull: () => void = () => undefined
  const full = new Promise<void>((resolve) => {
    tellFull = resolve
  })
  const overload = createOverload({
    clock: systemClock,
    marks: () => current.config.settings.limits.heap,
    onFull: tellFull,
  })
  const token = createToken(shared?.traces.token)
  const gateway = createGateway({
    host,
    port,
    log,
    quotas,
    overload,
    traces: {
      recorder,
      secrets: () => current.secrets,
      dialects: dialectNames,
      folder: packageFile('dist/inspector'),
      ...(config.settings.inspector && { token }),
    },
    metrics: {
      access: () => current.config.settings.metrics,
      models: () => namesOfModels(current.config, lookout.services),
      loads: () => loadsOf(current),
      ...(shared !== undefined && { print: shared.print }),
    },
    headerBytes: limits.headerBytes,
    patience: { headersMs: timeouts.clientHeadersMs, requestMs: timeouts.clientBodyMs },
    ...settingsOf(current),
    services: () => lookout.services,
    ...(version !== undefined && { version }),
    storeOf: (client) => storeOf(() => current.kept, client),
    turns: holdTurns(
      {
        start: (request, context) => current.turns.start(request, context),
        models: (signal) => current.turns.models(signal),
        model: (name, signal) => current.turns.model(name, signal),
        countTokens: (request, context) => current.turns.countTokens(request, context),
        embed: (request, context) => current.turns.embed(request, context),
      },
      known,
    ),
  })
  async function fail(error: unknown): Promise<never> {
    overload.close()
    recorder.close()
    await closeGeneration(current)
    throw error
  }

  function retire(old: Generation): void {
    // No answer takes longer than this, so nobody speaks through the old upstreams any more.
    const timer = setTimeout(() => {
      retiring.delete(old)
      void closeGeneration(old, current)
    }, old.config.settings.timeouts.totalMs)
    retiring.set(old, timer.unref())
  }

  const createService = (address: Address): Service => ({
    origin: originOf(address),
    get inspector() {
      return inspectorAt(address, current.config, token.text)
    },
    get entrances() {
      return entrancesOf(current.doors, originOf(address))
    },
    underWay: () => gateway.underWay,
    full,
    get seen() {
      return lookout.services ?? []
    },
    services: (patience) => lookout.look(patience),
    replace(next) {
      checkStore(next)
      const changes = reviewReload({ initial: config, current: current.config, next }, address)
      if (shared === undefined && next.settings.workers !== config.settings.workers)
        changes.push('Another number of workers needs a restart.')
      if (needsRestart(config, next)) changes.push('Another store for traces, or another inspector, needs a restart.')
      for (const { hash } of current.config.settings.keys) former.set(hash, { hash })
      const fresh = createGeneration(next, { shared, former: [...former.values()], before: current })
      retire(current)
      current = fresh
      gateway.replace(settingsOf(fresh))
      inUse = next
      void lookout.look()
      return changes
    },
    async close() {
      lookout.close()
      overload.close()
      await gateway.close()
      recorder.close()
      await quotas.close()
      for (const [old, timer] of retiring) {
        clearTimeout(timer)
        await closeGeneration(old, current)
      }
      await closeGeneration(current)
    },
  })
  return { gateway, fail, createService }
}

/** What the gateway answers by. */
function settingsOf({ doors, keyring, config: { settings } }: Generation): GatewaySettings {
  const { limits, allowed, timeouts, log } = settings
  return {
    doors,
    keyring,
    limits: { bodyBytes: limits.bodyBytes, tools: limits.tools, depth: limits.depth },
    allowed,
    debug: log === 'debug',
    graceMs: timeouts.drainMs,
    drainDelayMs: timeouts.drainDelayMs,
  }
}
