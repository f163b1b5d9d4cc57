import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'

/** How much is said of each tool. */
export type ListingStyle = 'full' | 'short' | 'signatures'

interface Brevity {
  /** Characters of words about a tool, and about each of its parameters. */
  readonly tool: number
  readonly parameter: number
  /** Calls that the client gave as examples. */
  readonly examples: number
}

const all = Number.POSITIVE_INFINITY
const brevities: Readonly<Record<ListingStyle, Brevity>> = {
  full: { tool: all, parameter: all, examples: 3 },
  short: { tool: 300, parameter: 120, examples: 1 },
  signatures: { tool: 160, parameter: 80, examples: 1 },
}

/**
 * The tools in fewer words, the same every time. What a call has to be (names, kinds, values to choose from, what is required)
 * stays; calls are read and checked by the tools as the client sent them.
 */
export function shortenTools(tools: readonly Tool[], style: ListingStyle): readonly Tool[] {
  const brevity = brevities[style]
  if (style === 'full' && tools.every(({ examples }) => examples === undefined)) return tools
  return tools.map((tool) => {
    const { description = '', parameters, examples = [] } = tool
    const words = style === 'full' ? description : firstSentences(withoutParts(description), brevity.tool)
    const calls = examples.slice(0, brevity.examples).map((example) => `Example: ${JSON.stringify(example)}`)
    const told = [words, ...calls].filter((line) => line !== '').join('\n')
    return {
      ...tool,
      ...(told !== '' && { description: told }),
      ...(style !== 'full' &&
        isJsonObject(parameters) && { parameters: shortenSchema(tool, parameters, brevity.parameter) }),
    }
  })
}

/** Says nothing about a call. */
const formalities = ['$schema', '$id', 'id', '$comment', 'title', 'example', 'examples', 'description', 'default']

function shortenSchema(tool: Tool, parameters: JsonObject, most: number): JsonObject {
  const told = toldInWords(tool.description ?? '')
  return changeAll(parameters, '', (schema, name) => {
    const { description, examples, default: fallback } = schema
    const words = typeof description === 'string' ? description : told.get(name)
    const [example] = Array.isArray(examples) ? (examples as readonly Json[]) : []
    const rest = Object.entries(schema).filter(([key, value]) => !isFormality(key, value, tool.strict))
    return {
      ...Object.fromEntries(rest),
      ...(words !== undefined && words.trim() !== '' && { description: firstSentences(words, most) }),
      ...(isTold(fallback, most) && { default: fallback }),
      ...(isTold(example, most) && { examples: [example] }),
    }
  })
}

/** A service that holds a model to the schema wants it closed. */
function isFormality(key: string, value: Json, strict: boolean | undefined): boolean {
  return formalities.includes(key) || (key === 'additionalProperties' && value === false && strict !== true)
}

function isTold(value: Json | undefined, most: number): value is Json {
  return value !== undefined && value !== null && value !== '' && JSON.stringify(value).length <= most
}

/** Parts of a description that repeat what the schema says, or say what a model has no use for before it calls. */
const partHeading = /^\s*(?:#+\s*)?(?:args|arguments|parameters|params|returns?|raises|yields)\s*:?\s*$/im

function withoutParts(description: string): string {
  const at = description.search(partHeading)
  return at > 0 ? description.slice(0, at) : description
}

const parameterLine = /^[ \t]*[-*]?[ \t]*[`*]{0,2}([\w.-]+)[`*]{0,2}[ \t]*(?:\([^)\n]*\))?[ \t]*:[ \t]*(\S.*)$/gm

/** Servers made from Python functions say in the description what their parameters mean, and nothing in the schema. */
function toldInWords(description: string): ReadonlyMap<string, string> {
  const at = description.search(partHeading)
  const lines = at === -1 ? [] : description.slice(at).matchAll(parameterLine)
  return new Map([...lines].map(([, name = '', words = '']) => [name, words]))
}

/** Whole sentences, as many as fit; of a first one that is too long, its beginning. */
export function firstSentences(text: string, most: number): string {
  const words = text.trim().replaceAll(/\s+/g, ' ')
  if (words.length <= most) return words
  let end = 0
  for (const { index } of words.matchAll(/(?<!\b(?:e\.g|i\.e|etc|vs))[.!?](?=\s)/gi)) if (index < most) end = index + 1
  if (end > 0) return words.slice(0, end)
  const space = words.lastIndexOf(' ', most - 1)
  return `${words.slice(0, space > 0 ? space : most - 1)}…`
}

const maps = new Set(['properties', '$defs', 'definitions', 'patternProperties'])
const lists = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems'])
const singles = new Set(['items', 'additionalProperties'])

type Change = (schema: JsonObject, name: string) => JsonObject

/** A schema and all schemas in it, each with the name of its property. */
function changeAll(schema: JsonObject, name: string, change: Change): JsonObject {
  const inner = (value: Json, below: string): Json => (isJsonObject(value) ? changeAll(value, below, change) : value)
  return Object.fromEntries(
    Object.entries(change(schema, name)).map(([key, value]): [string, Json] => {
      if (maps.has(key) && isJsonObject(value)) {
        return [key, Object.fromEntries(Object.entries(value).map(([below, one]) => [below, inner(one, below)]))]
      }
      if (lists.has(key) && Array.isArray(value)) return [key, value.map((one: Json) => inner(one, ''))]
      return [key, singles.has(key) ? inner(value, '') : value]
    }),
  )
}
