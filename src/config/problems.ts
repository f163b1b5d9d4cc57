import type { z } from 'zod'
import { didYouMean, nearest } from '../protocol/text/nearest.ts'
import { urlWords } from './values/fields.ts'
import { hideInUrl, isSecret } from './values/secrets.ts'

/** One thing that is wrong with the configuration. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  readonly message: string
  /** Where it stands: `dragoman.yaml:12:3`, `--listen`, `DRAGOMAN_LISTEN`. */
  readonly where?: string
  /** That line of the file, with a caret below the place. */
  readonly frame?: string | undefined
}

/** Everything that is wrong with a configuration, at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
  readonly problems: readonly Problem[]

  constructor(unordered: readonly Problem[]) {
    const problems = unordered.toSorted((one, other) => lineOf(one) - lineOf(other))
    super(problems.map(printProblem).join('\n'))
    this.problems = problems
  }

  /** Every problem with its line of the file, for people. */
  print(): string {
    return this.problems
      .map((problem) => [printProblem(problem), problem.frame].filter((part) => part !== undefined).join('\n'))
      .join('\n')
  }
}

/** Problems of a file are told from its top to its bottom; others as they came, before these. */
function lineOf({ where = '' }: Problem): number {
  const [, line, column] = /:(\d+):(\d+)$/.exec(where) ?? []
  return line === undefined ? 0 : Number(line) * 100_000 + Number(column)
}

export function printProblem({ path, message, where }: Problem): string {
  return [where, printPath(path), message].filter(Boolean).join(': ')
}

/** `models.qwen.upstream[1]`; a name that holds a dot or a blank stands in brackets and quotes. */
export function printPath(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`
      const name = String(step)
      if (!/^[^\s.[\]"]+$/.test(name)) return `[${JSON.stringify(name)}]`
      return index === 0 ? name : `.${name}`
    })
    .join('')
}

/** What the schema found, in words: the path, what was found, what is allowed. */
export function toProblems(issues: readonly z.core.$ZodIssue[], file: unknown): Problem[] {
  return issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(' ')
      return issue.keys.map((key) => ({ path: [...issue.path, key], message: unknownKey(key, known, issue.path) }))
    }
    const inner = branchOf(issue)
    if (inner !== undefined) return toProblems(inner, file)
    const found = valueAt(file, issue.path)
    return [{ path: issue.path, message: wrongValue(issue, found) }]
  })
}

/** Of what may have several shapes, what is wrong with the one that was meant: the one whose outermost type fits. */
function branchOf(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] | undefined {
  if (issue.code !== 'invalid_union') return undefined
  const meant = issue.errors.find(
    (branch) => !branch.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  )
  return meant?.map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }))
}

/** What other programs call a key of an upstream. */
const aliases: ReadonlyMap<string, string> = new Map([
  ['base_url', 'url'],
  ['baseurl', 'url'],
  ['api_base', 'url'],
  ['endpoint', 'url'],
  ['api_key', 'key'],
  ['apikey', 'key'],
  ['token', 'key'],
  ['type', 'kind'],
  ['provider', 'kind'],
  ['name', 'model'],
  ['upstreams', 'upstream'],
  ['port', 'listen'],
  ['host', 'listen'],
  ['api_keys', 'keys'],
])

function unknownKey(key: string, known: readonly string[], path: readonly PropertyKey[]): string {
  const alias = aliases.get(key.toLowerCase().replaceAll('-', '_'))
  const isAlias = path.length < 3 && alias !== undefined && known.includes(alias)
  const remedy = isAlias ? `Did you mean "${alias}"?` : didYouMean(key, known, `Known here: ${known.join(', ')}`)
  return `unknown key "${key}". ${remedy}`
}

function wrongValue(issue: z.core.$ZodIssue, found: unknown): string {
  if (issue.code === 'invalid_key') return 'a name must not be empty'
  const choices = choicesOf(issue)
  const expected =
    choices === undefined || choices.length > listedChoices ? issue.message : `one of ${choices.join(', ')}`
  const remedy = remedyFor(issue.path, found)
  if (remedy !== undefined) return remedy
  if (found === undefined) return `missing. Expected ${expected}`
  if (choices !== undefined && typeof found === 'string') {
    const meant = nearest(found, choices)
    if (meant !== undefined) return `expected ${expected}; found "${found}". Did you mean "${meant}"?`
  }
  const told = `expected ${expected}; found ${describe(found, isSecret(issue.path) || issue.path[0] === 'sessions')}`
  const meant = typeof found === 'string' ? plainValues.get(found.toLowerCase()) : undefined
  const isPlain =
    meant !== undefined ? /true or false/.test(expected) : /^\d+$/.test(String(found)) && /number/.test(expected)
  return isPlain && typeof found === 'string' ? `${told}. Write ${meant ?? found}, without quotes` : told
}

const plainValues: ReadonlyMap<string, string> = new Map([
  ...['true', 'yes', 'on'].map((word) => [word, 'true'] as const),
  ...['false', 'no', 'off'].map((word) => [word, 'false'] as const),
])

/** What to write instead, for mistakes whose meaning is plain. */
function remedyFor(path: readonly PropertyKey[], found: unknown): string | undefined {
  const [first, name, field] = path
  const isNamed = first === 'upstreams' || first === 'models'
  if (first === 'upstreams' && field === 'kind') {
    const address = typeof found === 'string' ? addressOfProduct(found) : undefined
    if (address !== undefined)
      return `for ${String(found)}, write \`kind: openai\` and its address, like \`url: ${address}\``
  }
  if (path.length === 1 && isNamed && Array.isArray(found)) {
    const what = first === 'models' ? '{ upstream: NAME }' : '{ kind: openai, url: … }'
    return `expected names, not a list. Write each as \`NAME: ${what}\`, without a dash`
  }
  if (path.length === 2 && isNamed && typeof name === 'string') {
    if (first === 'models' && found === null) return `nothing follows the name. Write \`${name}: {}\` for the defaults`
    if (first === 'models' && typeof found === 'string')
      return `expected settings. To name its upstream, write \`${name}: { upstream: ${found} }\``
    if (first === 'upstreams' && typeof found === 'string' && found.startsWith('kind:'))
      return 'a blank is missing after `kind:`'
  }
  if (path.at(-1) === 'url' && typeof found === 'string' && /^[\w-]+$/.test(found))
    return `expected ${urlWords}; found "${found}". Write it with its port, like \`url: http://${found}:8000/v1\``
  return undefined
}

/** Of more than this, the schema says in words what they are. */
const listedChoices = 20

function choicesOf(issue: z.core.$ZodIssue): readonly string[] | undefined {
  if (issue.code === 'invalid_value' && issue.values.length > 1) return issue.values.map(String)
  if (issue.code === 'invalid_union' && 'options' in issue && Array.isArray(issue.options))
    return issue.options.map(String)
  return undefined
}

function describe(found: unknown, secret: boolean): string {
  if (found === null) return 'nothing (null)'
  if (Array.isArray(found)) return found.length === 0 ? 'an empty list' : 'a list'
  if (typeof found === 'object') return 'an object'
  if (found === '') return 'an empty text'
  if (secret) return `a ${typeof found}`
  const printed = JSON.stringify(typeof found === 'string' ? hideInUrl(found) : found)
  return printed.length > 80 ? `${printed.slice(0, 77)}…` : printed
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined
    current = (current as Record<PropertyKey, unknown>)[step]
  }
  return current
}

/** Model servers and services that people look for as a `kind`, each with the address it usually has. */
const products: ReadonlyMap<string, string> = new Map([
  ['vllm', 'http://127.0.0.1:8000/v1'],
  ['sglang', 'http://127.0.0.1:30000/v1'],
  ['ollama', 'http://127.0.0.1:11434/v1'],
  ['llamacpp', 'http://127.0.0.1:8080/v1'],
  ['llamaserver', 'http://127.0.0.1:8080/v1'],
  ['localai', 'http://127.0.0.1:8080/v1'],
  ['lmstudio', 'http://127.0.0.1:1234/v1'],
  ['jan', 'http://127.0.0.1:1337/v1'],
  ['litellm', 'http://127.0.0.1:4000/v1'],
  ['tgi', 'http://127.0.0.1:3000/v1'],
  ['openrouter', 'https://openrouter.ai/api/v1'],
  ['groq', 'https://api.groq.com/openai/v1'],
  ['mistral', 'https://api.mistral.ai/v1'],
  ['deepseek', 'https://api.deepseek.com/v1'],
  ['together', 'https://api.together.xyz/v1'],
  ['fireworks', 'https://api.fireworks.ai/inference/v1'],
  ['xai', 'https://api.x.ai/v1'],
  ['gemini', 'https://generativelanguage.googleapis.com/v1beta/openai'],
  ['openaicompatible', 'http://127.0.0.1:8000/v1'],
])

/** Its usual address, for a product that is served by `kind: openai`; undefined for what is none. */
function addressOfProduct(name: string): string | undefined {
  return products.get(name.toLowerCase().replace(/[^a-z]/g, ''))
}
