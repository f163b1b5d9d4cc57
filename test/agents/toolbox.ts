import { isJsonObject, type Json, type JsonObject, type JsonSchema } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { Deed } from './plot.ts'

/** Which of an agent's tools does what, told by its name. */
const names: Readonly<Record<Deed['do'] | 'end', RegExp>> = {
  read: /^read(?:_?files?)?$/i,
  write: /^(?:write(?:_?(?:to_?)?file)?|editor)$/i,
  run: /^(?:bash|shell|(?:run|execute)_(?:shell_)?commands?)$/i,
  end: /^attempt_completion$/,
}

/** Which of a tool's parameters takes what. */
const places: readonly (readonly [RegExp, keyof Values])[] = [
  [/^(?:files?|paths?|absolute_?path|file_?paths?)$/i, 'path'],
  [/^(?:content|new_?text|text)$/i, 'content'],
  [/^commands?$/i, 'command'],
  [/^result$/i, 'result'],
  [/^insert_?line$/i, 'line'],
]

interface Values {
  readonly line?: number
  readonly path?: string
  readonly content?: string
  readonly command?: string
  readonly result?: string
}

export interface Made {
  readonly name: string
  readonly arguments: string
}

/** A deed as a call of the tool that is for it; undefined when there is none. */
export function toCall(
  deed: Deed | { readonly do: 'end'; readonly result: string },
  tools: readonly Tool[],
): Made | undefined {
  const tool = tools.find(({ name }) => names[deed.do].test(name))
  if (tool === undefined) return undefined
  const { do: _kind, ...values } = deed
  const filled = fill(tool.parameters, '', values)
  return { name: tool.name, arguments: JSON.stringify(isJsonObject(filled) ? filled : {}) }
}

/** An ending by a tool, where the agent has one for it. */
export function toEndCall(result: string, tools: readonly Tool[]): Made | undefined {
  return toCall({ do: 'end', result }, tools)
}

/** A deed in as many parts as the tool wants, which says in its own words how much it takes at once. */
export function inParts(deed: Deed, tools: readonly Tool[]): readonly Deed[] {
  const tool = tools.find(({ name }) => names[deed.do].test(name))
  const said = /at or below (\d+) characters/.exec(JSON.stringify(tool?.parameters ?? {}))?.[1]
  if (deed.do !== 'write' || said === undefined || deed.content.length <= Number(said)) return [deed]
  const parts: Deed[] = []
  const lines = deed.content.split('\n')
  for (let from = 0; from < lines.length; ) {
    let to = from + 1
    while (to < lines.length && lines.slice(from, to + 1).join('\n').length <= Number(said)) to++
    parts.push({ ...deed, content: lines.slice(from, to).join('\n'), ...(from > 0 && { line: from + 1 }) })
    from = to
  }
  return parts
}

function fill(schema: JsonSchema | undefined, key: string, values: Values): Json {
  const node = isJsonObject(schema) ? schema : {}
  const type = typeOf(node)
  if (type === 'array') return [fill(node['items'] as JsonSchema | undefined, key, values)]
  if (type === 'object') return fillObject(node, values)
  const [, place] = places.find(([pattern]) => pattern.test(key)) ?? []
  const value = place && values[place]
  if (value !== undefined) return value
  if (type === 'boolean') return false
  return type === 'integer' || type === 'number' ? 1 : 'errand'
}

function fillObject(node: JsonObject, values: Values): JsonObject {
  const properties = isJsonObject(node['properties']) ? node['properties'] : {}
  const required = Array.isArray(node['required']) ? (node['required'] as readonly Json[]) : []
  const wanted = Object.entries(properties).filter(([key]) => {
    const [, place] = places.find(([pattern]) => pattern.test(key)) ?? []
    return required.includes(key) || (place !== undefined && values[place] !== undefined)
  })
  return Object.fromEntries(wanted.map(([key, inner]) => [key, fill(inner as JsonSchema, key, values)]))
}

function typeOf(node: JsonObject): string {
  const { type } = node as { type?: Json }
  // Some listings shout.
  if (typeof type === 'string') return type.toLowerCase()
  if (Array.isArray(type)) return String(type[0])
  return isJsonObject(node['properties']) ? 'object' : node['items'] === undefined ? 'string' : 'array'
}
