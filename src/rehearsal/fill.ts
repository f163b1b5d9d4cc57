import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'
import { openPurse, type Purse, spendNumber, spendText } from './purse.ts'
import { resolve, typeOf } from './schema.ts'
import { findText, hintOf } from './text.ts'
import { tellingWords, wordsOf } from './words.ts'

/** A hostile schema can ask for itself again and again. */
const DEEPEST = 3
const MOST_PROPERTIES = 64

/** The arguments a clause gives a tool: required ones always, optional ones only where the clause plainly names them. */
export function fillArguments(tool: Tool, clause: string): string {
  const purse = openPurse(clause)
  if (tool.kind === 'custom') return purse.quoted[0] ?? clause
  const root = resolve(tool.parameters ?? {}, tool.parameters ?? {})
  return JSON.stringify(fillObject(root, purse, tool.parameters ?? {}, 0))
}

function fillObject(schema: JsonObject, purse: Purse, root: JsonSchema, depth: number): JsonObject {
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
  const required = Array.isArray(schema['required'])
    ? schema['required'].filter((name) => typeof name === 'string')
    : []
  const names = [...new Set([...Object.keys(properties), ...required])].slice(0, MOST_PROPERTIES)
  const entries: [string, Json][] = []
  for (const name of names) {
    const declared = Object.hasOwn(properties, name) ? properties[name] : {}
    const property = resolve(isJsonObject(declared) ? declared : {}, root)
    const given = findGiven(name, property, purse)
    if (given !== undefined) entries.push([name, given])
    else if (required.includes(name)) entries.push([name, fill(name, property, purse, root, depth + 1)])
  }
  return Object.fromEntries(entries)
}

/** A value the clause plainly gives: `name = value`, "limit 10", "recursive", a word of the closed list. */
function findGiven(name: string, schema: JsonObject, purse: Purse): Json | undefined {
  const choices = schema['enum']
  if (Array.isArray(choices)) return choices.find((choice) => mentions(purse.clause, String(choice)))
  const type = typeOf(schema)
  const spoken = tellingWords(name).length > 0 ? wordsOf(name).join('[a-z]*[\\s_-]+') : ''
  if (type === 'boolean') {
    if (spoken === '' || !tellingWords(name).every((word) => wordsOf(purse.clause).includes(word))) return undefined
    return !new RegExp(`\\b(?:not|no|non|without|don't)\\W+(?:\\w+\\W+)?${wordsOf(name)[0]}|=\\s*false`, 'i').test(
      purse.clause,
    )
  }
  const assigned = new RegExp(`\\b${escapePattern(name)}["'\`]?\\s*(?:=|:)\\s*(?:"([^"]*)"|'([^']*)'|([^\\s,;]+))`, 'i')
  const value = assigned
    .exec(purse.clause)
    ?.slice(1)
    .find((group) => group !== undefined)
  if (type === 'string') return value === undefined ? undefined : spendText(purse, value)
  if (type !== 'number' && type !== 'integer') return undefined
  const near = new RegExp(`\\b${spoken}\\w*\\W+(?:(?:of|to|is|at)\\W+)?(-?\\d+(?:\\.\\d+)?)`, 'i')
  const figure = value ?? (spoken === '' ? undefined : near.exec(purse.clause)?.[1])
  if (figure === undefined || !Number.isFinite(Number(figure))) return undefined
  return toNumber(spendNumber(purse, Number(figure)), schema, type)
}

/** A value for what must be there. */
function fill(name: string, schema: JsonObject, purse: Purse, root: JsonSchema, depth: number): Json {
  if (schema['const'] !== undefined) return schema['const']
  if (Array.isArray(schema['enum'])) return schema['default'] ?? schema['enum'][0] ?? null
  const type = typeOf(schema)
  switch (type) {
    case 'string':
      return findText(hintOf(name, schema), purse, schema)
    case 'number':
    case 'integer':
      return toNumber(purse.numbers.shift(), schema, type)
    case 'boolean':
      return schema['default'] === true
    case 'array':
      return fillArray(name, schema, purse, root, depth)
    case 'object':
      return depth > DEEPEST ? {} : fillObject(schema, purse, root, depth)
    case 'null':
      return null
  }
}

/** All the clause offers of the kind, and one at least. */
function fillArray(name: string, schema: JsonObject, purse: Purse, root: JsonSchema, depth: number): readonly Json[] {
  if (depth > DEEPEST) return []
  const item = resolve(isJsonObject(schema['items']) ? schema['items'] : { type: 'string' }, root)
  const first = fill(name, item, purse, root, depth + 1)
  const type = typeOf(item)
  if (type === 'number' || type === 'integer') return [first, ...purse.numbers.splice(0)]
  if (type !== 'string' || Array.isArray(item['enum'])) return [first]
  const hint = hintOf(name, item)
  const rest = hint === 'path' ? purse.paths : hint === 'url' ? purse.urls : purse.quoted
  return [first, ...rest.splice(0)]
}

function toNumber(found: number | undefined, schema: JsonObject, type: 'number' | 'integer'): number {
  const { minimum, maximum } = schema
  const fallback = typeof schema['default'] === 'number' ? schema['default'] : typeof minimum === 'number' ? minimum : 1
  const whole = type === 'integer' ? Math.trunc(found ?? fallback) : (found ?? fallback)
  const raised = typeof minimum === 'number' ? Math.max(minimum, whole) : whole
  return typeof maximum === 'number' ? Math.min(maximum, raised) : raised
}

function mentions(clause: string, word: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${escapePattern(word)}(?![\\p{L}\\p{N}])`, 'iu').test(clause)
}

function escapePattern(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')
}
