import { ConfigError, type Problem, toProblems, valueAt } from './problems.ts'
import { type ConfigFile, createConfigSchema, createModelSchema, type Vocabulary } from './schema.ts'
import { type ModelSettings, type Settings, toSettings } from './settings.ts'
import { besides, findConfigFile, type ParsedFile, userStateFile } from './sources/file.ts'
import { type FoundService, readDiscover } from './sources/found.ts'
import { type OtlpSettings, readOtlp } from './sources/otlp.ts'
import { applyOverrides, type ConfigFlags, type Origins, type Overrides, readOverrides } from './sources/overrides.ts'
import type { Surroundings } from './sources/surroundings.ts'
import { isLoopback } from './values/address.ts'
import { restartKeys } from './values/fields.ts'
import { createSecretReader, hideSecrets } from './values/secrets.ts'

export interface Config {
  readonly settings: Settings
  /** What a model gets that an upstream lists and the configuration does not name. */
  readonly unnamed: Pick<ModelSettings, 'tools' | 'dialect'>
  /** Where to look for services, because nothing names one: the usual ports, these, or nowhere. */
  readonly discover: 'on' | 'off' | readonly number[]
  /** The file it came from, when there was one. */
  readonly file: { readonly path: string; readonly text: string } | undefined
  /** The settings that stand in the file, by their outermost names. */
  readonly inFile: ReadonlySet<string>
  /** The effective configuration in the shape of the file, safe to print. */
  readonly shown: ConfigFile
  /** What only a restart takes up, by path. */
  readonly fixed: ReadonlyMap<string, unknown>
  /** Where spans are sent; undefined: nowhere. */
  readonly otlp: OtlpSettings | undefined
  /** What works and should not stay so. */
  readonly warnings: readonly Problem[]
}

export interface LoadOptions extends Vocabulary {
  readonly flags?: ConfigFlags
  readonly surroundings: Surroundings
  /** The services to use where nothing names one. */
  readonly found?: readonly FoundService[]
}

/** A schema that is used once is not worth compiling. */
const once = { jitless: true }

/** The effective configuration: flags, then environment, then file, then defaults. Throws a ConfigError with every problem. */
export function loadConfig({ flags = {}, surroundings, found: services = [], ...vocabulary }: LoadOptions): Config {
  const overrides = readOverrides(flags, surroundings)
  const file = findConfigFile(surroundings, overrides.config?.value)
  const { value, origins, unnamed: nothingNamed } = applyOverrides(file?.value, overrides, services)
  const unnamed = readModelOverrides(overrides, vocabulary.dialects)
  const problems = [...unnamed.problems, ...wrongPort(overrides), ...wrongDiscover(overrides)]
  if (problems.length > unnamed.problems.length) throw new ConfigError(problems)

  const schema = createConfigSchema(vocabulary)
  const parsed = schema.safeParse(value, once)
  if (!parsed.success) {
    problems.push(...toProblems(parsed.error.issues, value).map((problem) => placed(problem, file, origins)))
    throw new ConfigError(problems)
  }
  const effective = { ...parsed.data, models: withModelOverrides(parsed.data.models, overrides, unnamed.model) }
  const found: Problem[] = []
  const settings = toSettings(effective, {
    problems: found,
    kinds: vocabulary.kinds,
    readSecret: createSecretReader(surroundings.environment, (path, message) => void found.push({ path, message })),
    readFile: (path) => surroundings.readFile(besides(path, file?.path, surroundings)),
    stateFile: (named, standard = 'traces.db') =>
      named === undefined ? userStateFile(surroundings, standard) : besides(named, file?.path, surroundings),
  })
  if (settings.keys.length === 0) found.push(...openLists(effective))
  problems.push(...found.map((problem) => placed(problem, file, origins)))
  if (!isLoopback(settings.listen.host) && settings.keys.length === 0) {
    const open = openAddress(effective.listen)
    // A flag for it is no wrong usage: keys are missing.
    problems.push(origins.some(([[first]]) => first === 'listen') ? open : placed(open, file, origins))
  }
  const otlp = readOtlp(surroundings.environment, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  return {
    settings,
    otlp,
    discover: nothingNamed ? (readDiscover(overrides.discover?.value ?? 'on') ?? 'off') : 'off',
    unnamed: { tools: unnamed.model.tools, dialect: unnamed.model.dialect },
    file: file && { path: file.path, text: file.text },
    inFile: new Set(Object.keys(Object(file?.value))),
    shown: hideSecrets(effective),
    fixed: new Map(restartKeys(schema).map((path) => [path.join('.'), valueAt(effective, path)])),
    warnings: weakKeys(settings.keys).map((problem) => placed(problem, file, origins)),
  }
}

function wrongPort({ port }: Overrides): Problem[] {
  if (port === undefined || (/^\d{1,5}$/.test(port.value) && Number(port.value) <= 65_535)) return []
  return [{ path: [], where: port.origin, message: `expected a port from 0 to 65535; found "${port.value}"` }]
}

function wrongDiscover({ discover }: Overrides): Problem[] {
  if (discover === undefined || readDiscover(discover.value) !== undefined) return []
  const message = `expected on, off, or ports such as 8000,8080; found "${discover.value}"`
  return [{ path: [], where: discover.origin, message }]
}

function readModelOverrides({ tools, dialect }: Overrides, dialects: readonly string[]) {
  const schema = createModelSchema(dialects)
  const value = { ...(tools && { tools: tools.value }), ...(dialect && { dialect: dialect.value }) }
  const parsed = schema.safeParse(value, once)
  if (parsed.success) return { model: parsed.data, problems: [] }
  const problems = toProblems(parsed.error.issues, value).map(({ path, message }): Problem => {
    const origin = path[0] === 'tools' ? tools?.origin : dialect?.origin
    return { path: [], message, ...(origin !== undefined && { where: origin }) }
  })
  return { model: schema.parse({}), problems }
}

function withModelOverrides(
  models: ConfigFile['models'],
  { tools, dialect }: Overrides,
  override: Pick<ModelSettings, 'tools' | 'dialect'>,
): ConfigFile['models'] {
  const changes = { ...(tools && { tools: override.tools }), ...(dialect && { dialect: override.dialect }) }
  return Object.fromEntries(Object.entries(models).map(([name, model]) => [name, { ...model, ...changes }]))
}

/** Says where a problem stands; one that came from a flag or a variable is told by that name alone. */
function placed(problem: Problem, file: ParsedFile | undefined, origins: Origins): Problem {
  const override = origins.find(([path]) => path.every((step, index) => problem.path[index] === step))
  if (override !== undefined) return { path: [], message: problem.message, where: override[1] }
  return file === undefined
    ? problem
    : { ...problem, where: file.locate(problem.path), frame: file.frame(problem.path, problem.message) }
}

/** Shorter keys can be guessed. */
const shortestKey = 16

function weakKeys(keys: Settings['keys']): Problem[] {
  return keys.flatMap(({ name, key }) => {
    if (key === undefined || key.length >= shortestKey) return []
    const message = `the key "${name}" has fewer than ${shortestKey} characters and can be guessed. \`dragoman keys new\` makes a good one`
    return [{ path: ['keys'], message }]
  })
}

/** `*` takes the protection away that a gateway without keys has. */
function openLists(file: ConfigFile): Problem[] {
  return (['allowed_hosts', 'allowed_origins'] as const).flatMap((list) => {
    const index = file[list].indexOf('*')
    const message = 'any web page could use your models with "*". Name the pages and hosts you use, or set `keys` first'
    return index === -1 ? [] : [{ path: [list, index], message }]
  })
}

function openAddress(listen: string): Problem {
  return {
    path: ['listen'],
    message:
      `${listen} can be reached from other machines, and no keys are set. ` +
      'Set some (`keys: [env:DRAGOMAN_KEY]` in the file, or DRAGOMAN_KEYS in the environment), or listen on 127.0.0.1',
  }
}
