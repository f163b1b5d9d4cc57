import type { Json, JsonObject, JsonSchema } from '../protocol/json.ts'
import { compileParameters } from './compile.ts'
import { kindsOfValue, own } from './kinds.ts'
import { Kind, type Node } from './node.ts'

/** Arguments for a usage example of a tool: every required property and up to two others, the same each time. */
export function exampleArguments(parameters: JsonSchema | undefined): JsonObject {
  return exampleObject(compileParameters(parameters), createBudget(), 0)
}

const depthLimit = 5
const optionalLimit = 2

/** Bounds the whole example: a schema of a thousand nested required properties still gives something a model can read. */
interface Budget {
  values: number
}

function createBudget(): Budget {
  return { values: 100 }
}

/** A plausible value for a parameter of this name: what the schema itself offers, else by name and type. */
function valueFor(node: Node, name: string, budget: Budget, depth: number): Json {
  budget.values -= 1
  const branch = node.branches.find(({ node: { types } }) => types !== Kind.null)
  const rules = branch?.rules ?? []
  const place = branch?.node ?? node
  for (const offered of rules.flatMap(offeredBy)) {
    if (offered !== null && offered !== '' && (kindsOfValue(offered) & node.types) !== 0 && isSmall(offered, 3))
      return offered
  }
  const listed = node.values?.find((value) => value !== null)
  if (listed !== undefined) return listed
  const words = wordsOf(name)
  if ((place.types & Kind.string) !== 0) return exampleText(words, rules)
  if ((place.types & (Kind.integer | Kind.number)) !== 0) return exampleNumber(words, rules)
  if ((place.types & Kind.boolean) !== 0) return true
  if ((place.types & Kind.array) !== 0) return exampleArray(place, name, rules, budget, depth)
  if ((place.types & Kind.object) !== 0) return exampleObject(place, budget, depth)
  return null
}

/** What a schema offers by itself, best first. */
function offeredBy(rule: JsonObject): readonly Json[] {
  const examples = own(rule, 'examples')
  const offered = [own(rule, 'default'), own(rule, 'example'), ...(Array.isArray(examples) ? (examples as Json[]) : [])]
  return offered.filter((value) => value !== undefined)
}

function exampleObject(node: Node, budget: Budget, depth: number): JsonObject {
  if (depth >= depthLimit) return {}
  const required = new Set(node.required)
  let optional = 0
  const entries: [string, Json][] = []
  for (const name of new Set([...node.properties, ...required])) {
    if (budget.values <= 0) break
    if (!required.has(name)) {
      // Below the top, a nested object shows optional properties only when it has nothing else to show.
      if (optional >= optionalLimit || (depth > 0 && required.size > 0)) continue
      optional += 1
    }
    entries.push([name, valueFor(node.property(name), name, budget, depth + 1)])
  }
  return Object.fromEntries(entries)
}

function exampleArray(node: Node, name: string, rules: readonly JsonObject[], budget: Budget, depth: number): Json {
  if (depth >= depthLimit) return []
  const count = Math.min(2, Math.max(1, ...bounds(rules, 'minItems')))
  const single = name.endsWith('s') && !name.endsWith('ss') ? name.slice(0, -1) : name
  const items: Json[] = []
  for (let index = 0; index < count && budget.values > 0; index += 1) {
    items.push(valueFor(node.item(index), single, budget, depth + 1))
  }
  return items
}

const textByFormat = new Map([
  ['date', '2025-01-31'],
  ['time', '12:00:00Z'],
  ['date-time', '2025-01-31T12:00:00Z'],
  ['email', 'name@example.com'],
  ['uri', 'https://example.com'],
  ['url', 'https://example.com'],
  ['uuid', '123e4567-e89b-42d3-a456-426614174000'],
])

/** The last word that says something decides: `fileUrl` is a URL, `urlFile` a file. */
const textByWord = new Map([
  ['url', 'https://example.com'],
  ['uri', 'https://example.com'],
  ['href', 'https://example.com'],
  ['link', 'https://example.com'],
  ['command', 'npm install'],
  ['cmd', 'npm install'],
  ['path', '/path/to/file'],
  ['file', '/path/to/file'],
  ['filename', '/path/to/file'],
  ['filepath', '/path/to/file'],
  ['directory', '/path/to/directory'],
  ['dir', '/path/to/directory'],
  ['folder', '/path/to/directory'],
  ['cwd', '/path/to/directory'],
  ['workdir', '/path/to/directory'],
  ['description', 'What this does'],
  ['explanation', 'What this does'],
  ['glob', '**/*.ts'],
  ['regex', 'TODO'],
  ['pattern', 'TODO'],
  ['email', 'name@example.com'],
  ['date', '2025-01-31'],
])

function exampleText(words: readonly string[], rules: readonly JsonObject[]): string {
  for (const rule of rules) {
    const format = own(rule, 'format')
    const text = typeof format === 'string' ? textByFormat.get(format) : undefined
    if (text !== undefined) return text
  }
  const known = words.findLast((word) => textByWord.has(word)) ?? ''
  return textByWord.get(known) ?? (words.length === 0 ? 'text' : words.join(' '))
}

const numberByWord = new Map([
  ['timeout', 30_000],
  ['limit', 50],
  ['max', 50],
  ['count', 50],
  ['size', 50],
  ['offset', 10],
  ['start', 10],
  ['line', 10],
])

function exampleNumber(words: readonly string[], rules: readonly JsonObject[]): number {
  const known = words.find((word) => numberByWord.has(word)) ?? ''
  const wanted = numberByWord.get(known) ?? 1
  const least = Math.max(...bounds(rules, 'minimum'), ...bounds(rules, 'exclusiveMinimum').map((bound) => bound + 1))
  const most = Math.min(...bounds(rules, 'maximum'), ...bounds(rules, 'exclusiveMaximum').map((bound) => bound - 1))
  return Math.max(Math.min(wanted, most), least)
}

function bounds(rules: readonly JsonObject[], key: string): readonly number[] {
  return rules.flatMap((rule) => {
    const bound = own(rule, key)
    return typeof bound === 'number' ? [bound] : []
  })
}

/** `filePath`, `file_path` and `HTTPUrl` as words in lower case. */
function wordsOf(name: string): readonly string[] {
  const spaced = name
    .slice(0, 100)
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
  return spaced.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
}

function isSmall(value: Json, depth: number): boolean {
  if (typeof value === 'string') return value.length <= 200
  if (typeof value !== 'object' || value === null) return true
  const members = Object.values(value)
  return (
    depth > 0 &&
    members.length > 0 &&
    members.length <= 5 &&
    members.every((member: Json) => isSmall(member, depth - 1))
  )
}
