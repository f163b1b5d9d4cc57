import { availableParallelism } from 'node:os'
import type { z } from 'zod'
import { didYouMean } from '../protocol/text/nearest.ts'
import { type Budget, toBudget } from './budgets.ts'
import { type KeySettings, toKeySettings } from './keys.ts'
import type { Problem } from './problems.ts'
import {
  type ConfigFile,
  createModelSchema,
  isSessionStore,
  limitFields,
  type ModelFile,
  storeWords,
  timeoutFields,
  type UpstreamFile,
} from './schema.ts'
import { type TraceSettings, toTraceSettings } from './traces.ts'
import { type Address, isLoopback, readAddress } from './values/address.ts'
import { type SettingsOf, settingsOf, toMilliseconds, type UpstreamFields } from './values/fields.ts'

/** What the program works with: names resolved, units in the names, secrets in the clear. Never print it. */
export interface Settings
  extends SettingsOf<Pick<ConfigFile, 'doors' | 'log' | 'metrics' | 'readiness' | 'inspector'>> {
  readonly listen: Address
  readonly keys: readonly KeySettings[]
  readonly teams: ReadonlyMap<string, Budget>
  /** Where budgets are counted and keys are kept on one machine. */
  readonly accountsFile: string
  readonly allowed: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
  /** How many processes serve. */
  readonly workers: number
  readonly upstreams: ReadonlyMap<string, UpstreamSettings>
  readonly models: readonly ModelSettings[]
  /** `memory`, or the address of a Redis with its password in it. */
  readonly sessions: { readonly store: string; readonly ttlMs: number }
  readonly limits: LimitSettings
  readonly timeouts: TimeoutSettings
  readonly traces: TraceSettings
}

export type LimitSettings = SettingsOf<z.output<typeof limitFields>>
export type TimeoutSettings = SettingsOf<z.output<typeof timeoutFields>>

/** What holds where nothing is configured. */
export const defaultLimits: LimitSettings = settingsOf(limitFields, limitFields.parse({}, { jitless: true }))
export const defaultTimeouts: TimeoutSettings = settingsOf(timeoutFields, timeoutFields.parse({}, { jitless: true }))

export interface ModelSettings extends SettingsOf<Omit<ModelFile, 'upstream' | 'model'>> {
  /** The name clients use. */
  readonly name: string
  /** In the order they are tried. */
  readonly upstreams: readonly string[]
  /** The upstream's name for it. */
  readonly model: string
}

interface SettingsReading extends UpstreamReading {
  /** Where a file for what is kept is: the one that is named, or the usual one. */
  stateFile(named: string | undefined, standard?: string): string
}

/** The settings a checked file means. What the schema alone cannot see is added to the problems. */
export function toSettings(file: ConfigFile, reading: SettingsReading): Settings {
  const { problems } = reading
  const upstreams = Object.entries(file.upstreams).map(([name, upstream]): [string, UpstreamSettings] => [
    name,
    toUpstreamSettings(name, upstream, reading),
  ])
  const listen = readAddress(file.listen) ?? { host: '127.0.0.1', port: 8484 }
  return {
    listen,
    keys: withTeams(toKeySettings(file.keys, reading), Object.keys(file.teams), problems),
    teams: new Map(Object.entries(file.teams).map(([name, budget]) => [name, toBudget(budget)])),
    accountsFile: reading.stateFile(undefined, 'accounts.db'),
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
    limits: settingsOf(limitFields, file.limits),
    timeouts: settingsOf(timeoutFields, file.timeouts),
    metrics: file.metrics,
    readiness: file.readiness,
    inspector: file.inspector,
    traces: toTraceSettings(file.traces, { isLocal: isLoopback(listen.host), stateFile: reading.stateFile }),
  }
}

function withTeams(keys: readonly KeySettings[], teams: readonly string[], problems: Problem[]) {
  for (const [index, { team }] of keys.entries()) {
    if (team === undefined || teams.includes(team)) continue
    const remedy = didYouMean(team, teams, 'Add it under `teams`')
    problems.push({ path: ['keys', index, 'team'], message: `no team is called "${team}". ${remedy}` })
  }
  return keys
}

/** A variable may hold anything: what it holds is checked like what stands in the file. */
function readStore(store: string, { readSecret, problems }: UpstreamReading): string {
  const path = ['sessions', 'store']
  const known = problems.length
  const read = readSecret(store, path)
  if (problems.length === known && !isSessionStore(read)) problems.push({ path, message: `expected ${storeWords}` })
  return read
}

const modelFields = createModelSchema([])

function toModelSettings(name: string, file: ModelFile, { upstreams }: ConfigFile, problems: Problem[]): ModelSettings {
  const { upstream, model, ...rest } = file
  const serving = upstreamsOf(name, upstream, Object.keys(upstreams), problems)
  for (const weighed of Object.keys(file.weights ?? {})) {
    if (serving.includes(weighed)) continue
    const message = `this model has no upstream "${weighed}". Its upstreams are ${serving.join(', ')}`
    problems.push({ path: ['models', name, 'weights', weighed], message })
  }
  return {
    ...settingsOf(modelFields, rest),
    name,
    upstreams: serving,
    model: model ?? name,
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
    const remedy = didYouMean(name, known, `Known: ${known.join(', ')}`)
    problems.push({
      path: typeof named === 'string' ? path : [...path, index],
      message: `no upstream is called "${name}". ${remedy}`,
    })
  }
  return list
}

/** What an upstream is made by. Only its kind knows more of it. */
export interface UpstreamSettings {
  readonly kind: string
}

/** What the settings of an upstream need beside its part of the file. */
export interface UpstreamReading {
  readonly problems: Problem[]
  readonly kinds: readonly UpstreamFields[]
  readSecret(value: string, path: readonly PropertyKey[]): string
  /** A file named in the configuration; undefined when there is none. */
  readFile(path: string): string | undefined
}

function toUpstreamSettings(name: string, file: UpstreamFile, reading: UpstreamReading): UpstreamSettings {
  const { kinds, problems, readFile } = reading
  const read = withSecrets(name, file, reading)
  const { toSettings } = kinds.find(({ kind }) => kind === file.kind) ?? {}
  if (toSettings === undefined) return read
  const problem = (field: string, message: string) => void problems.push({ path: ['upstreams', name, field], message })
  return { ...toSettings(read, { problem, readFile }), kind: file.kind }
}

/** What stands in the file, with the secrets themselves in the place of their names. */
function withSecrets(name: string, file: UpstreamFile, { readSecret }: UpstreamReading): UpstreamFile {
  const { key, proxy } = file
  return {
    ...file,
    ...(key !== undefined && { key: readSecret(key, ['upstreams', name, 'key']) }),
    ...(proxy !== undefined && { proxy: readSecret(proxy, ['upstreams', name, 'proxy']) }),
  }
}
