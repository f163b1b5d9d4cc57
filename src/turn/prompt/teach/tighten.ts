import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import { callsOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'

const charactersPerToken = 4
const longList = 12
const longWords = 160
const deepLevel = 2

/**
 * The request's tools within a budget of tokens, the same every time: what helps a model least goes first, and only as
 * much as must. Tools themselves go last, from the end of the list, and never one that was called or is chosen: a model
 * cannot go on with what it no longer knows. Calls are still read and checked by the tools as the client sent them.
 */
export function tighten(request: Request, budget: number | undefined): readonly Tool[] {
  const { tools } = request
  if (budget === undefined || sizeOf(tools) <= budget) return tools
  let current = tools
  for (const step of steps) {
    current = current.map(step)
    if (sizeOf(current) <= budget) return current
  }
  return dropTools(current, budget, neededIn(request))
}

/** Each step adds to the ones before it. */
const steps: readonly ((tool: Tool) => Tool)[] = [
  inSchema((schema) => without(schema, ['examples', 'example', 'title', '$schema', '$comment', '$id'])),
  inSchema((schema, depth) => (depth > 1 ? without(schema, ['description']) : schema)),
  inSchema(shortenList),
  inSchema((schema, depth) => (depth > 0 ? without(schema, ['description']) : schema)),
  inSchema((schema) =>
    without(schema, ['pattern', 'format', 'minLength', 'maxLength', 'default', 'minimum', 'maximum']),
  ),
  ({ description, ...tool }) => (description === undefined ? tool : { ...tool, description: shorten(description) }),
  inSchema((schema, depth) => (depth >= deepLevel ? withoutInside(schema) : schema)),
]

function sizeOf(tools: readonly Tool[]): number {
  return Math.ceil(JSON.stringify(tools).length / charactersPerToken)
}

function neededIn({ messages, toolChoice }: Request): ReadonlySet<string> {
  const needed = new Set<string>()
  for (const message of messages) for (const { name } of callsOf(message)) needed.add(name)
  if (toolChoice?.mode === 'named') needed.add(toolChoice.name)
  if (toolChoice?.mode === 'allowed') for (const name of toolChoice.names) needed.add(name)
  return needed
}

function dropTools(tools: readonly Tool[], budget: number, needed: ReadonlySet<string>): readonly Tool[] {
  const kept = [...tools]
  let size = sizeOf(tools)
  for (let place = kept.length - 1; place >= 0 && size > budget && kept.length > 1; place--) {
    const tool = kept[place]
    if (tool === undefined || needed.has(tool.name)) continue
    kept.splice(place, 1)
    size -= Math.floor(JSON.stringify(tool).length / charactersPerToken)
  }
  return kept
}

type Change = (schema: JsonObject, depth: number) => JsonObject

function inSchema(change: Change): (tool: Tool) => Tool {
  return (tool) =>
    isJsonObject(tool.parameters) ? { ...tool, parameters: changeAll(tool.parameters, change, 0) } : tool
}

const maps = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const singles = new Set(['items', 'additionalProperties'])

/** A schema and all schemas in it. Depth counts properties, not the alternatives they are made of. */
function changeAll(schema: JsonObject, change: Change, depth: number): JsonObject {
  const inner = (value: Json, below: number): Json => (isJsonObject(value) ? changeAll(value, change, below) : value)
  const changed = change(schema, depth)
  return Object.fromEntries(
    Object.entries(changed).map(([key, value]): [string, Json] => {
      if (maps.has(key) && isJsonObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one, depth + 1)]))]
      }
      if (lists.has(key) && Array.isArray(value)) return [key, value.map((one: Json) => inner(one, depth))]
      return [key, singles.has(key) ? inner(value, depth) : value]
    }),
  )
}

function without(schema: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !keys.includes(key)))
}

/** A long list of values becomes its beginning, in words: a shorter list would forbid the rest. */
function shortenList(schema: JsonObject): JsonObject {
  const { enum: values, description, ...rest } = schema
  if (!Array.isArray(values) || values.length <= longList) return schema
  const shown = (values as readonly Json[]).slice(0, 5).map((value) => JSON.stringify(value))
  const words = `One of ${values.length} values such as ${shown.join(', ')}.`
  const types = [...new Set((values as readonly Json[]).map((value) => (value === null ? 'null' : typeof value)))]
  const type = rest['type'] ?? (types.length === 1 ? types[0] : undefined)
  return {
    ...rest,
    ...(type === undefined ? {} : { type }),
    description: typeof description === 'string' ? `${description} ${words}` : words,
  }
}

function withoutInside(schema: JsonObject): JsonObject {
  return without(schema, ['properties', 'required', 'items', 'additionalProperties'])
}

/** The first sentence, or as many words as fit. */
function shorten(words: string): string {
  const [paragraph = ''] = words.trim().split(/\n/, 1)
  const sentence = /^.{20,}?[.!?](?=\s|$)/s.exec(paragraph)?.[0] ?? paragraph
  return sentence.length <= longWords ? sentence : `${sentence.slice(0, longWords - 1).trimEnd()}…`
}
