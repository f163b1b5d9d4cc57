import { isJsonObject } from '../../protocol/json.ts'
import { readServiceUrl } from '../values/service-url.ts'
import { type FoundService, servingModel, toUpstreamsFile } from './found.ts'
import type { Surroundings } from './surroundings.ts'

/** What the command line may say about the configuration. */
export interface ConfigFlags {
  readonly config?: string | undefined
  readonly listen?: string | undefined
  readonly port?: string | undefined
  readonly upstream?: string | undefined
  readonly model?: string | undefined
  readonly tools?: string | undefined
  readonly dialect?: string | undefined
  readonly discover?: string | undefined
  readonly workers?: string | undefined
  /** `on` or `off`. */
  readonly inspector?: string | undefined
}

/** A value that beats the file, and what to call the place it came from. */
interface Override {
  readonly value: string
  readonly origin: string
}

export interface Overrides {
  readonly config?: Override | undefined
  readonly listen?: Override | undefined
  readonly port?: Override | undefined
  readonly keys?: Override | undefined
  readonly allowedHosts?: Override | undefined
  readonly allowedOrigins?: Override | undefined
  readonly log?: Override | undefined
  readonly upstream?: Override | undefined
  readonly upstreamKey?: Override | undefined
  readonly model?: Override | undefined
  readonly tools?: Override | undefined
  readonly dialect?: Override | undefined
  readonly discover?: Override | undefined
  readonly workers?: Override | undefined
  readonly inspector?: Override | undefined
  readonly traces?: Override | undefined
}

/** Flags beat the environment; an empty variable counts as not set. */
export function readOverrides(flags: ConfigFlags, { environment }: Surroundings): Overrides {
  const fromEnvironment = (name: string): Override | undefined => {
    const value = environment[name]?.trim()
    return value ? { value, origin: name } : undefined
  }
  const fromFlag = (flag: keyof ConfigFlags): Override | undefined => {
    const value = flags[flag]
    return value === undefined ? fromEnvironment(`DRAGOMAN_${flag.toUpperCase()}`) : { value, origin: `--${flag}` }
  }
  return {
    config: fromFlag('config'),
    listen: withHost(fromFlag('listen')),
    port: fromFlag('port'),
    keys: fromEnvironment('DRAGOMAN_KEYS'),
    allowedHosts: fromEnvironment('DRAGOMAN_ALLOWED_HOSTS'),
    allowedOrigins: fromEnvironment('DRAGOMAN_ALLOWED_ORIGINS'),
    log: fromEnvironment('DRAGOMAN_LOG'),
    upstream: fromFlag('upstream'),
    upstreamKey: fromEnvironment('DRAGOMAN_UPSTREAM_KEY'),
    model: fromFlag('model'),
    tools: fromFlag('tools'),
    dialect: fromFlag('dialect'),
    discover: fromFlag('discover'),
    workers: fromFlag('workers'),
    inspector: fromFlag('inspector'),
    traces: fromEnvironment('DRAGOMAN_TRACES'),
  }
}

/** Parts of the raw configuration that did not come from the file. */
export type Origins = readonly (readonly [path: readonly string[], origin: string])[]

/** The stand-in shows what Dragoman is for: it is taught its tools, although it could do without. */
const standIn = { tools: 'prompt' }

/**
 * The file's raw value with the overrides in their places. Where nothing names an upstream, those that were found take its
 * place; where none was, the stand-in.
 * An `upstream` override replaces the file's upstreams and models; a `model` override leaves only that model.
 */
export function applyOverrides(
  value: unknown,
  overrides: Overrides,
  found: readonly FoundService[] = [],
): { value: unknown; origins: Origins; unnamed: boolean } {
  if (value !== undefined && value !== null && !isJsonObject(value)) return { value, origins: [], unnamed: false }
  const raw: Record<string, unknown> = { ...value }
  if (raw['listen'] !== undefined) raw['listen'] = addressOf(raw['listen'])
  const origins: [string[], string][] = []
  const { keys, log, workers, traces, inspector, upstream, upstreamKey, model } = overrides
  const listen = listenOn(overrides, raw['listen'])
  if (listen) {
    raw['listen'] = listen.value
    origins.push([['listen'], listen.origin])
  }
  for (const [name, list] of [
    ['keys', keys],
    ['allowed_hosts', overrides.allowedHosts],
    ['allowed_origins', overrides.allowedOrigins],
  ] as const) {
    if (!list) continue
    raw[name] = list.value.split(',').flatMap((item) => item.trim() || [])
    origins.push([[name], list.origin])
  }
  for (const [name, word] of [
    ['log', log],
    ['traces', traces],
    ['inspector', inspector],
  ] as const) {
    if (!word) continue
    raw[name] = name === 'inspector' ? (switches.get(word.value) ?? word.value) : word.value
    origins.push([[name], word.origin])
  }
  if (workers) {
    raw['workers'] = /^\d+$/.test(workers.value) ? Number(workers.value) : workers.value
    origins.push([['workers'], workers.origin])
  }
  if (upstream) {
    const settings = { kind: 'openai', url: readServiceUrl(upstream.value) ?? upstream.value }
    raw['upstreams'] = { default: upstreamKey ? { ...settings, key: upstreamKey.value } : settings }
    raw['models'] = {}
    origins.push([['upstreams'], upstream.origin])
  }
  const unnamed = isEmpty(raw['upstreams'])
  if (unnamed) {
    const serving = model && servingModel(found, model.value)
    raw['upstreams'] = toUpstreamsFile(found.filter(({ name }) => serving?.includes(name) ?? true))
    if (found.length > 1) raw['models'] = withServices(raw['models'], found)
  }
  const rehearsing = isEmpty(raw['upstreams'])
  if (model) {
    const models = raw['models']
    const known = isJsonObject(models) && Object.hasOwn(models, model.value) ? models[model.value] : undefined
    const served = unnamed && !rehearsing ? { upstream: servingModel(found, model.value) } : {}
    raw['models'] = { [model.value]: known ?? (rehearsing ? standIn : served) }
    if (known === undefined) origins.push([['models'], model.origin])
  }
  if (rehearsing) {
    raw['upstreams'] = { rehearsal: { kind: 'rehearsal' } }
    if (isEmpty(raw['models'])) raw['models'] = { rehearsal: standIn }
  }
  return { value: raw, origins, unnamed }
}

const switches: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
])

/** Models that name no upstream, each with those that list it. */
function withServices(models: unknown, found: readonly FoundService[]): unknown {
  if (!isJsonObject(models)) return models
  return Object.fromEntries(
    Object.entries(models).map(([name, model]) => {
      if (model !== null && (!isJsonObject(model) || model['upstream'] !== undefined)) return [name, model]
      const called = typeof model?.['model'] === 'string' ? model['model'] : name
      return [name, { ...model, upstream: servingModel(found, called) }]
    }),
  )
}

const isFlag = ({ origin }: Override): boolean => origin.startsWith('--')

/** A bare port, with or without its colon, is one of this machine's alone. */
function addressOf(listen: unknown): unknown {
  return /^:?\d+$/.test(String(listen)) ? `127.0.0.1:${String(listen).replace(':', '')}` : listen
}

function withHost(listen: Override | undefined): Override | undefined {
  return listen && { ...listen, value: String(addressOf(listen.value)) }
}

/** The address with the port in its place, where one is given; a flag with an address beats a variable with a port. */
function listenOn({ listen, port }: Overrides, inFile: unknown): Override | undefined {
  if (port === undefined || (listen !== undefined && isFlag(listen) && !isFlag(port))) return listen
  const address = listen?.value ?? (typeof inFile === 'string' ? inFile : '127.0.0.1')
  // `HOST`, `HOST:PORT`, `[::1]`, `[::1]:PORT`: what stands before the port is kept.
  const [host = ''] = /^(?:\[[^\]]*\]|[^:]*)/.exec(address) ?? []
  return { value: `${host}:${port.value}`, origin: port.origin }
}

function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || (isJsonObject(value) && Object.keys(value).length === 0)
}
