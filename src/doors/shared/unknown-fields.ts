import type { Note } from '../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import { editDistance } from '../../protocol/text/nearest.ts'

/** The fields of one kind of object, and what others call some of them. */
export interface Vocabulary {
  readonly known: readonly string[]
  /** Names of other APIs, and where the same is said here. */
  readonly aliases?: Readonly<Record<string, string>>
}

/** Fields services take beyond any API's own that are spelt much like one of those. */
const elsewhere: ReadonlySet<string> = new Set(['top_k', 'top_a', 'models', 'seeds', 'min_tokens', 'tfs_z', 'mirostat'])

/**
 * Notes the fields that are unknown here and much like a known one, or another API's name for one. They are not refused:
 * services take fields that no gateway knows.
 */
export function noteUnknown(places: readonly (readonly [JsonObject, Vocabulary, at?: string])[]): readonly Note[] {
  const told = places.flatMap(([fields, vocabulary, at = '']) =>
    Object.keys(fields).flatMap((name) => {
      const meant = meantBy(name, fields, vocabulary)
      return meant === undefined ? [] : [`${at}${name} (${at}${meant}?)`]
    }),
  )
  return told.slice(0, mostTold).map((detail) => ({ type: 'note', kind: 'field_unknown', detail }))
}

const mostTold = 8

function meantBy(name: string, fields: JsonObject, { known, aliases = {} }: Vocabulary): string | undefined {
  if (known.includes(name) || fields[name] === null) return undefined
  // Some clients say the same to several APIs at once.
  if (Object.hasOwn(aliases, name)) return isSaid(fields, aliases[name] ?? '') ? undefined : aliases[name]
  if (elsewhere.has(name)) return undefined
  const typed = simplified(name)
  const limit = typed.length < 5 ? 1 : typed.length < 8 ? 2 : 3
  return known.find((one) => editDistance(typed, simplified(one), limit) < limit)
}

function isSaid(fields: JsonObject, path: string): boolean {
  const [first = '', inner] = path.split('.')
  const value = fields[first]
  return inner === undefined ? value !== undefined : isJsonObject(value) && value[inner] !== undefined
}

/** What may stand in a function as OpenAI writes it. */
export const functionFields: Vocabulary = {
  known: ['name', 'description', 'parameters', 'strict'],
  aliases: { input_schema: 'parameters', inputSchema: 'parameters', schema: 'parameters', arguments: 'parameters' },
}

/** The functions of chat tools and the older `functions`, each with its place. */
export function functionsIn({ tools, functions }: JsonObject): readonly (readonly [JsonObject, Vocabulary, string])[] {
  const told = (list: Json | undefined, at: string, of: (one: Json) => Json | undefined) =>
    (Array.isArray(list) ? list : []).flatMap((one, index) => {
      const made = of(one)
      return isJsonObject(made) ? [[made, functionFields, at.replace('#', String(index))] as const] : []
    })
  return [
    ...told(tools, 'tools[#].function.', (tool) => (isJsonObject(tool) ? tool['function'] : undefined)),
    ...told(functions, 'functions[#].', (one) => one),
  ]
}

/** `maxTokens` and `max-tokens` are `max_tokens`. */
function simplified(name: string): string {
  return name.slice(0, 64).toLowerCase().replace(/[-_ ]/g, '')
}
