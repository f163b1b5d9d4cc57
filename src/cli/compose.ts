import type { Socket } from 'node:net'
import { systemClock } from '../clock.ts'
import { type Address, isLoopback, printAddress, reachable } from '../config/address.ts'
import type { Config } from '../config/load.ts'
import { ConfigError } from '../config/problems.ts'
import { reviewReload } from '../config/reload.ts'
import type { TraceSettings } from '../config/traces.ts'
import { dialects } from '../dialects/registry.ts'
import type { Door } from '../doors/door.ts'
import { doors } from '../doors/registry.ts'
import { printCalls } from '../engine/print.ts'
import { complainOfRedis } from '../redis.ts'
import { createVoice } from '../rehearsal/hearing/hear.ts'
import { rehearsalWith } from '../rehearsal/kind.ts'
import { createKeyring, type Keyring } from '../server/auth.ts'
import { createGateway } from '../server/gateway.ts'
import { createRandomId } from '../server/ids.ts'
import { createToken } from '../server/inspector/token.ts'
import type { Log } from '../server/log.ts'
import { createLookout } from '../server/lookout.ts'
import type { Family } from '../server/metrics/families.ts'
import { createOverload } from '../server/overload.ts'
import type { Quotas } from '../server/quota/quota.ts'
import { createQuotas } from '../server/quota/quotas.ts'
import { createRecorder, type Recorder } from '../traces/recorder.ts'
import { defaultSettings } from '../turn/settings.ts'
import type { ServiceCard, Turns } from '../turn/turn.ts'
import { createTurns } from '../turn/turns.ts'
import { flavours } from '../upstreams/flavours/registry.ts'
import type { Gated, GateMaker } from '../upstreams/gate.ts'
import { createKeep, type Keep, type KeepSettings } from '../upstreams/keep.ts'
import { toOpenAiBody } from '../upstreams/openai/body.ts'
import { createUpstream, kinds } from '../upstreams/registry.ts'
import type { Upstream, UpstreamRequest } from '../upstreams/upstream.ts'

/** The composition root: the one place where configuration, upstreams, turns and the gateway meet. */

export const dialectNames: readonly string[] = dialects.map(({ name }) => name)

/** What the configuration may name: every dialect, flavour and door, every kind of service and the stand-in for one. */
export const vocabulary = {
  dialects: dialectNames,
  flavours: flavours.map(({ name }) => name),
  doors: doors.map(({ name }) => name),
  kinds: [...kinds, rehearsalWith(createVoice())],
}

/** The table of dialects; the example is printed by each one's own grammar. */
export function describeDialects() {
  const call = { id: 'call_1', name: 'read_file', arguments: '{"path": "README.md"}' }
  return dialects.map((dialect) => ({
    name: dialect.name,
    models: dialect.models,
    example: printCalls(dialect, [call]),
  }))
}

/** A running gateway. */
export interface Service {
  /** `http://127.0.0.1:8484`, as clients on this machine reach it. */
  readonly origin: string
  /** Where the clients of each kind connect: `OpenAI`, `http://127.0.0.1:8484/v1`. */
  readonly entrances: readonly { readonly clients: string; readonly url: string }[]
  /** The inspector's address, with its token where it needs one; undefined where there is none. */
  readonly inspector: string | undefined
  /** How many requests are being answered. */
  underWay(): number | Promise<number>
  /** How each service was when last seen. */
  readonly seen: readonly ServiceCard[]
  /** How each service is, as of now; those that take their time are told as unknown once patience ends. */
  services(patience: AbortSignal): Promise<readonly ServiceCard[]>
  /**
   * From now on new requests go by this configuration; those under way end by the old one. Gives back what changed, in
   * sentences. Throws a ConfigError for one that would leave an open address without keys, or that has lost settings.
   * `anew`: processes that can be replaced are, even where nothing changed.
   */
  replace(config: Config, anew?: boolean): readonly string[]
  /** Resolves when there is too little memory to go on: it should close and be started anew. */
  readonly full: Promise<void>
  close(): Promise<void>
}

/** A gateway that gets its connections, and what all workers share, from a supervisor. */
export interface WorkerService extends Service {
  serve(socket: Socket): void
  /** Resolves when the last connection it has is gone. It gets no further ones. */
  retire(): Promise<void>
  figures(): readonly Family[]
}

/** What a worker leaves to its supervisor, so that all workers together are one gateway. */
export interface Crew {
  /** Where the supervisor accepts connections. */
  readonly address: Address
  readonly quotas: Quotas
  readonly gate: GateMaker
  readonly memory: NonNullable<KeepSettings['memory']>
  /** The figures of all workers as text. */
  readonly print: (own: readonly Family[]) => Promise<string>
  readonly traces: SharedTraces
}

/** What makes the inspectors of all workers one. */
export interface SharedTraces {
  /** Opens all of them. */
  readonly token: string
  /** Where exchanges are kept that would be in memory, were there one process only; undefined where nothing can be written. */
  readonly file: string | undefined
}

interface Generation {
  readonly config: Config
  readonly upstreams: ReadonlyMap<string, Gated>
  readonly turns: Turns
  readonly keyring: Keyring
  /** What doors keep between the requests of their clients. */
  readonly kept: Keep<string>
  readonly doors: readonly Door[]
  /** What must not be seen where exchanges are. */
  readonly secrets: readonly string[]
}

/** A conversation with some pictures in it fits into a value. */
const keptLimits = { entries: 100_000, characters: 128 << 20, valueCharacters: 16 << 20 }

/** Of how many models of a service it is found out, when the gateway starts, how tools reach them. */
const probedModels = 12

/** How long one service that does not answer may hold up news of the others. */
const lookWithinMs = 3_000

/** What traces that cannot be written mean. */
const notRecorded = 'Exchanges are not recorded until that is put right. Requests are answered all the same.'

/** What a missing Redis means for the limits of keys. */
const countedAlone = 'Until it is back, this gateway counts the limits of keys by itself.'

/** `port`: another than the configuration says, because that one is taken. */
export async function startService(
  config: Config,
  log: Log,
  version?: string,
  port = config.settings.listen.port,
): Promise<Service> {
  checkStore(config)
  const { gateway, fail, createService } = composeService(config, log, version, port)
  return createService(await gateway.listen().catch(fail))
}

export function startWorker(config: Config, log: Log, version: string, crew: Crew): WorkerService {
  const { gateway, createService } = composeService(config, log, version, crew.address.port, crew)
  const service = createService(crew.address)
  return { ...service, serve: gateway.serve, retire: gateway.retire, figures: gateway.figures }
}

function composeService(config: Config, log: Log, version: string | undefined, port: number, crew?: Crew) {
  const former = new Map<string, { readonly hash: string }>()
  // First of all: where its file cannot be used, nothing else has been begun.
  let inUse = config
  const recorder = recorderFor(() => traceSettingsOf(inUse, crew), log)
  let current = createGeneration(config, { crew })
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
    memory: crew?.quotas,
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
  const token = createToken(crew?.traces.token)
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
      ...(config.settings.inspector && { token }),
    },
    metrics: {
      access: () => current.config.settings.metrics,
      models: () => namesOfModels(current.config, lookout.services),
      loads: () => loadsOf(current),
      ...(crew !== undefined && { print: crew.print }),
    },
    headerBytes: limits.headerBytes,
    patience: { headersMs: timeouts.clientHeadersMs, requestMs: timeouts.clientBodyMs },
    get graceMs() {
      return current.config.settings.timeouts.drainMs
    },
    get drainDelayMs() {
      return current.config.settings.timeouts.drainDelayMs
    },
    services: () => lookout.services,
    ...(version !== undefined && { version }),
    get doors() {
      return current.doors
    },
    get debug() {
      return current.config.settings.log === 'debug'
    },
    limits: {
      get bodyBytes() {
        return current.config.settings.limits.bodyBytes
      },
      get tools() {
        return current.config.settings.limits.tools
      },
      get depth() {
        return current.config.settings.limits.depth
      },
    },
    allowed: {
      get hosts() {
        return current.config.settings.allowed.hosts
      },
      get origins() {
        return current.config.settings.allowed.origins
      },
    },
    storeOf: (client) => storeOf(() => current.kept, client),
    turns: {
      start: (request, context) => current.turns.start(request, context),
      models: (signal) => current.turns.models(signal),
      model: (name, signal) => current.turns.model(name, signal),
      countTokens: (request, context) => current.turns.countTokens(request, context),
    },
    keyring: {
      get open() {
        return current.keyring.open
      },
      find: (key) => current.keyring.find(key),
      isOurs: (key) => current.keyring.isOurs(key),
    },
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
      if (crew === undefined && next.settings.workers !== config.settings.workers)
        changes.push('Another number of workers needs a restart.')
      if (needsRestart(config, next)) changes.push('Another store for traces, or another inspector, needs a restart.')
      for (const { hash } of current.config.settings.keys) former.set(hash, { hash })
      const fresh = createGeneration(next, { crew, former: [...former.values()], before: current })
      retire(current)
      current = fresh
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

/** What is missing before the store of the configuration can be used, and what to do. */
export function complainOfStore({ settings: { sessions } }: Config) {
  return sessions.store === 'memory' ? undefined : complainOfRedis()
}

/** Throws a ConfigError for a store that this installation can't use. */
export function checkStore(config: Config): void {
  const complaint = complainOfStore(config)
  if (complaint === undefined) return
  throw new ConfigError([{ path: ['sessions', 'store'], message: `${complaint.lack} ${complaint.remedy}` }])
}

/** The services of a configuration, for who asks them without a gateway. To be closed. */
export function createUpstreams({ settings }: Config, crew?: Crew): ReadonlyMap<string, Gated> {
  const context = {
    timeouts: settings.timeouts,
    answerBytes: settings.limits.answerBytes,
    eventBytes: settings.limits.eventBytes,
    queueMs: settings.timeouts.queueMs,
    gate: crew?.gate,
    sessions: withMemory(settings.sessions, crew),
  }
  return new Map(
    [...settings.upstreams].map(([name, upstream]) => [
      name,
      createUpstream(name, upstream, context, vocabulary.kinds),
    ]),
  )
}

export const originOf = ({ host, port }: Address): string => `http://${printAddress({ host: reachable(host), port })}`

/** Doors that serve the same clients are one entrance. */
function entrancesOf(open: readonly Door[], origin: string): Service['entrances'] {
  const byClients = new Map(open.flatMap(({ clients }) => (clients === undefined ? [] : [[clients.of, clients.base]])))
  return [...byClients].map(([clients, base]) => ({ clients, url: `${origin}${base}` }))
}

interface Circumstances {
  /** With whom it serves. */
  readonly crew: Crew | undefined
  /** Keys that are not accepted any more. */
  readonly former?: readonly { readonly hash: string }[]
  readonly before?: Generation
}

function createGeneration(config: Config, { crew, former, before }: Circumstances): Generation {
  const { settings } = config
  const upstreams = createUpstreams(config, crew)
  const turns = createTurns({
    upstreams,
    models: settings.models,
    unnamed: config.unnamed,
    newId: () => createRandomId('call_'),
  })
  return {
    config,
    upstreams,
    turns,
    keyring: createKeyring(settings.keys, former),
    kept: keepFor(config, before, crew),
    doors: doors.filter(({ name }) => settings.doors.includes(name)),
    secrets: [...settings.upstreams.values(), ...settings.keys].flatMap(secretsIn),
  }
}

/** A key, and whatever stands in its headers or, as a password, in its address. */
function secretsIn(settings: object): readonly string[] {
  const { key, headers, url } = settings as { key?: unknown; headers?: unknown; url?: unknown }
  const own = typeof key === 'string' && key !== 'passthrough' ? [key] : []
  const sent = Object.values(Object(headers)).filter((value) => typeof value === 'string')
  const place = typeof url === 'string' && URL.canParse(url) ? new URL(url) : undefined
  return [...own, ...sent, ...(place === undefined ? [] : [place.password, ...place.searchParams.values()])]
}

function recorderFor(settings: () => TraceSettings, log: Log): Recorder {
  try {
    return createRecorder({
      settings,
      clock: systemClock,
      createId: createRandomId,
      onTrouble: (reason) =>
        log.service?.({
          service: 'traces',
          state: reason === undefined ? 'back' : 'down',
          reason,
          remedy: notRecorded,
        }),
    })
  } catch (thrown) {
    const reason = thrown instanceof Error ? thrown.message : String(thrown)
    const message = `${settings().file} cannot be used (${reason}). Name another file, or write \`traces: memory\``
    throw new ConfigError([{ path: ['traces', 'file'], message }])
  }
}

/** Where the inspector is, for people; undefined where it is off. */
export function inspectorAt(address: Address, { settings }: Config, token: string): string | undefined {
  if (!settings.inspector) return undefined
  const isOpen = isLoopback(address.host) && settings.keys.length === 0
  return `${originOf(address)}/inspector${isOpen ? '/' : `?token=${token}`}`
}

/** What nobody could see is not recorded. Several processes keep it in a file, so that each can show all of it. */
function traceSettingsOf({ settings: { inspector, traces } }: Config, crew: Crew | undefined): TraceSettings {
  if (!inspector && traces.store !== 'sqlite') return { ...traces, store: 'off' }
  if (crew === undefined || traces.store !== 'memory') return traces
  const { file } = crew.traces
  return file === undefined ? { ...traces, store: 'off' } : { ...traces, store: 'sqlite', file }
}

function needsRestart({ settings: before }: Config, { settings: after }: Config): boolean {
  const isElsewhere = after.traces.store !== 'off' && before.traces.store !== after.traces.store
  return isElsewhere || before.traces.file !== after.traces.file || before.inspector !== after.inspector
}

/** Beyond this a list of models is no list of labels. */
const mostModelLabels = 200

/** The models of the configuration, and those the services tell of, as far as there are not too many. */
function namesOfModels({ settings }: Config, services: readonly ServiceCard[] = []): ReadonlySet<string> {
  const configured = settings.models.map(({ name }) => name)
  const listed = services.flatMap(({ models }) => models.map(({ id }) => id))
  return new Set([...configured, ...listed.slice(0, mostModelLabels)])
}

function loadsOf({ upstreams }: Generation) {
  return new Map([...upstreams].flatMap(([name, { load }]) => (load === undefined ? [] : [[name, load] as const])))
}

/** The same keep as before wherever it can be: what is in it would be lost. */
function keepFor(
  { settings: { sessions } }: Config,
  before: Generation | undefined,
  crew: Crew | undefined,
): Keep<string> {
  const former = before?.config.settings.sessions
  if (before !== undefined && former?.store === sessions.store && former.ttlMs === sessions.ttlMs) return before.kept
  return createKeep('dragoman:doors', withMemory(sessions, crew), keptLimits)
}

function withMemory(sessions: KeepSettings, crew: Crew | undefined): KeepSettings {
  return crew === undefined ? sessions : { ...sessions, memory: crew.memory }
}

/** What doors keep for one client; nobody else reads it. */
function storeOf(kept: () => Keep<string>, client: string): Omit<Keep<string>, 'close'> {
  const keyOf = (key: string): string => `${client}:${key}`
  return {
    get: (key) => kept().get(keyOf(key)),
    set: (key, text) => kept().set(keyOf(key), text),
    delete: (key) => kept().delete(keyOf(key)),
  }
}

/** What another generation goes on with stays open. */
async function closeGeneration({ upstreams, kept }: Generation, next?: Generation): Promise<void> {
  const closing = [...upstreams.values()].map((upstream) => upstream.close())
  if (kept !== next?.kept) closing.push(kept.close())
  await Promise.allSettled(closing)
}

/**
 * The messages a request becomes in prompt mode, as an OpenAI-compatible upstream gets them: a real turn is begun, with
 * an upstream that only remembers what it was asked.
 */
export async function preparePrompt(request: Parameters<Turns['start']>[0], dialect: string): Promise<unknown> {
  let asked: UpstreamRequest | undefined
  const upstream: Upstream = {
    name: 'prompt',
    kind: 'prompt',
    async *chat(question) {
      asked = question
      yield [{ type: 'finish', reason: 'stop' }]
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
  const settings = { ...defaultSettings(request.model, [upstream.name]), tools: 'prompt' as const, dialect }
  const turns = createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: [settings],
    newId: () => 'call_1',
  })
  const turn = await turns.start(request, { signal: new AbortController().signal })
  for await (const _events of turn.events);
  return asked === undefined ? [] : toOpenAiBody(asked)['messages']
}
