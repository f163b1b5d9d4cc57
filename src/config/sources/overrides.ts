import { isJsonObject } from '../../protocol/json.ts'
import { readServiceUrl } from '../values/service-url.ts'
import { type FoundService, servingModel, toUpstreamsFile } from './found.ts'
import type { Surroundings } from './surroundings.ts'

const flagNames = [
  'config',
  'listen',
  'port',
  'upstream',
  'model',
  'tools',
  'dialect',
  'discover',
  'workers',
  'inspector',
] as const
const variableNames = ['keys', 'allowed_hosts', 'allowed_origins', 'log', 'upstream_key', 'traces'] as const

const names = [...flagNames, ...variableNames]
type Name = (typeof names)[number]

/** The variables that say the same as a flag or a field of the file. */
export const overrideVariables: readonly string[] = names.map(variableOf)

/** What the command line may say about the configuration; `inspector` is `on` or `off`. */
export type ConfigFlags = { readonly [Flag in (typeof flagNames)[number]]?: string | undefined }

/** A value that beats the file, and what to call the place it came from. */
interface Override {
  readonly value: string
  readonly origin: string
}

export type Overrides = { readonly [Each in Name]?: Override | undefined }

function variableOf(name: string): string {
  return `DRAGOMAN_${name.toUpperCase()}`
}

/** Flags beat the environment; an empty variable counts as not set. */
export function readOverrides(flags: ConfigFlags, { environment }: Surroundings): Overrides {
  const said: { readonly [Each in Name]?: string | undefined } = flags
  const read = (name: Name): Override | undefined => {
    const flag = said[name]
    if (flag !== undefined) return { value: flag, origin: `--${name}` }
    const value = environment[variableOf(name)]?.trim()
    return value ? { value, origin: variableOf(name) } : undefined
  }
  const overrides: Overrides = Object.fromEntries(names.map((name) => [name, read(name)]))
  return { ...overrides, listen: withHost(overrides.listen) }
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
  const { workers, upstream, upstream_key: upstreamKey, model } = overrides
  const listen = listenOn(overrides, raw['listen'])
  if (listen) {
    raw['listen'] = listen.value
    origins.push([['listen'], listen.origin])
  }
  for (const name of ['keys', 'allowed_hosts', 'allowed_origins'] as const) {
    const list = overrides[name]
    if (!list) continue
    raw[name] = list.value.split(',').flatMap((item) => item.trim() || [])
    origins.push([[name], list.origin])
  }
  for (const name of ['log', 'traces', 'inspector'] as const) {
    const word = overrides[name]
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
