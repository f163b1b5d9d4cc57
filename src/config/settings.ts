import { availableParallelism } from 'node:os'
import { nearest } from '../protocol/text/nearest.ts'
import { type KeySettings, toKeySettings } from './keys.ts'
import type { Problem } from './problems.ts'
import { type ConfigFile, isSessionStore, type ModelFile, storeWords } from './schema.ts'
import { type TraceSettings, toTraceSettings } from './traces.ts'
import { toUpstreamSettings, type UpstreamReading, type UpstreamSettings } from './upstreams.ts'
import { type Address, isLoopback, readAddress } from './values/address.ts'
import { toBytes, toMilliseconds } from './values/units.ts'

/** What the program works with: names resolved, units in the names, secrets in the clear. Never print it. */
export interface Settings {
  readonly listen: Address
  readonly keys: readonly KeySettings[]
  readonly allowed: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
  /** The protocols clients may speak. */
  readonly doors: readonly string[]
  readonly log: ConfigFile['log']
  /** How many processes serve. */
  readonly workers: number
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  readonly models: readonly ModelSettings[]
  /** `memory`, or the address of a Redis with its password in it. */
  readonly sessions: { readonly store: string; readonly ttlMs: number }
  readonly limits: LimitSettings
  readonly timeouts: TimeoutSettings
  readonly metrics: ConfigFile['metrics']
  readonly inspector: boolean
  readonly traces: TraceSettings
}

interface LimitSettings {
  readonly bodyBytes: number
  readonly answerBytes: number
  readonly tools: number
  readonly depth: number
  readonly headerBytes: number
  readonly eventBytes: number
  /** Shares of the heap from which on requests are refused, and the gateway ends. */
  readonly heap: { readonly refuse: number; readonly drain: number }
}

interface TimeoutSettings {
  readonly connectMs: number
  readonly firstEventMs: number
  readonly idleMs: number
  readonly totalMs: number
  readonly queueMs: number
  readonly clientHeadersMs: number
  readonly clientBodyMs: number
  readonly drainDelayMs: number
  readonly drainMs: number
}

export interface ModelSettings
  extends Pick<
    ModelFile,
    'tools' | 'dialect' | 'reminder' | 'constrain' | 'arguments' | 'repair' | 'template' | 'history' | 'loop'
  > {
  /** The name clients use. */
  readonly name: string
  /** In the order they are tried. */
  readonly upstreams: readonly string[]
  /** The upstream's name for it. */
  readonly model: string
  readonly unknownTools: ModelFile['unknown_tools']
  /** How often each upstream is asked first. */
  readonly weights?: Readonly<Record<string, number>> | undefined
  readonly toolsBudget: ModelFile['tools_budget']
}

interface SettingsReading extends UpstreamReading {
  /** Where a file for what is kept is: the one that is named, or the usual one. */
  stateFile(named: string | undefined): string
}

/** The settings a checked file means. What the schema alone cannot see is added to the problems. */
export function toSettings(file: ConfigFile, reading: SettingsReading): Settings {
  const { problems } = reading
  const upstreams = Object.entries(file.upstreams).map(([name, upstream]): [string, UpstreamSettings] => [
    name,
    toUpstreamSettings(name, upstream, reading),
  ])
  const { connect, first_event, idle, total } = file.timeouts
  const listen = readAddress(file.listen) ?? { host: '127.0.0.1', port: 8484 }
  return {
    listen,
    keys: toKeySettings(file.keys, reading),
    allowed: { hosts: file.allowed_hosts, origins: file.allowed_origins },
    doors: file.doors,
    log: file.log,
    workers: file.workers === 'auto' ? availableParallelism() : file.workers,
    upstreams: new Map(upstreams),
    models: Object.entries(file.models).map(([name, model]) => toModelSettings(name, model, file, problems)),
    sessions: {
      store: readStore(file.sessions.store, reading),
      ttlMs: toMilliseconds(file.sessions.ttl),
    },
    limits: {
      bodyBytes: toBytes(file.limits.body),
      answerBytes: toBytes(file.limits.answer),
      tools: file.limits.tools,
      depth: file.limits.depth,
      headerBytes: toBytes(file.limits.headers),
      eventBytes: toBytes(file.limits.event),
      heap: { refuse: file.limits.heap_refuse / 100, drain: file.limits.heap_drain / 100 },
    },
    timeouts: {
      connectMs: toMilliseconds(connect),
      firstEventMs: toMilliseconds(first_event),
      idleMs: toMilliseconds(idle),
      totalMs: toMilliseconds(total),
      queueMs: toMilliseconds(file.timeouts.queue),
      clientHeadersMs: toMilliseconds(file.timeouts.client_headers),
      clientBodyMs: toMilliseconds(file.timeouts.client_body),
      drainDelayMs: toMilliseconds(file.timeouts.drain_delay),
      drainMs: toMilliseconds(file.timeouts.drain),
    },
    metrics: file.metrics,
    inspector: file.inspector,
    traces: toTraceSettings(file.traces, { isLocal: isLoopback(listen.host), stateFile: reading.stateFile }),
  }
}

/** A variable may hold anything: what it holds is checked like what stands in the file. */
function readStore(store: string, { readSecret, problems }: UpstreamReading): string {
  const path = ['sessions', 'store']
  const known = problems.length
  const read = readSecret(store, path)
  if (problems.length === known && !isSessionStore(read)) problems.push({ path, message: `expected ${storeWords}` })
  return read
}

function toModelSettings(name: string, file: ModelFile, { upstreams }: ConfigFile, problems: Problem[]): ModelSettings {
  const { upstream, model, unknown_tools, tools_budget, ...rest } = file
  const serving = upstreamsOf(name, upstream, Object.keys(upstreams), problems)
  for (const weighed of Object.keys(file.weights ?? {})) {
    if (serving.includes(weighed)) continue
    const message = `this model has no upstream "${weighed}". Its upstreams are ${serving.join(', ')}`
    problems.push({ path: ['models', name, 'weights', weighed], message })
  }
  return {
    ...rest,
    name,
    upstreams: serving,
    model: model ?? name,
    unknownTools: unknown_tools,
    toolsBudget: tools_budget,
  }
}

function upstreamsOf(
  model: string,
  named: string | readonly string[] | undefined,
  known: readonly string[],
  problems: Problem[],
): readonly string[] {
  const path = ['models', model, 'upstream']
  if (named === undefined) {
    if (known.length > 1) problems.push({ path, message: `missing. Expected one of ${known.join(', ')}` })
    return known
  }
  const list = typeof named === 'string' ? [named] : named
  for (const [index, name] of list.entries()) {
    if (known.includes(name)) continue
    const meant = nearest(name, known)
    const remedy = meant === undefined ? `Known: ${known.join(', ')}` : `Did you mean "${meant}"?`
    problems.push({
      path: typeof named === 'string' ? path : [...path, index],
      message: `no upstream is called "${name}". ${remedy}`,
    })
  }
  return list
}
