import { isJsonObject, type Json } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { listAsTypeScript } from '../teach/listings/typescript.ts'
import { type ListingStyle, shortenTools } from '../teach/shorten.ts'

/** Finds tools by what is said about them. */
export interface ToolIndex {
  /** The names of those that have words of the query, the best first. */
  rank(query: string): readonly string[]
}

/** The usual constants of BM25. */
const saturation = 1.2
const lengthWeight = 0.75

/** A word counts for more in a name than in the description of a parameter. */
const weights = { name: 3, description: 1, parameters: 0.5 } as const

/** BM25 over the names, the descriptions and the parameters of tools. */
export function indexTools(tools: readonly Tool[]): ToolIndex {
  const pages = tools.map(wordsOf)
  const sizes = pages.map((page) => sum(page.values()))
  const average = sum(sizes) / Math.max(1, sizes.length)
  const places = new Map<string, number[]>()
  for (const [place, page] of pages.entries()) {
    for (const word of page.keys()) {
      const found = places.get(word)
      if (found === undefined) places.set(word, [place])
      else found.push(place)
    }
  }

  return {
    rank(query) {
      const scores = new Map<number, number>()
      for (const word of new Set(stems(query))) {
        const holding = places.get(word) ?? []
        const rarity = Math.log(1 + (tools.length - holding.length + 0.5) / (holding.length + 0.5))
        for (const place of holding) {
          const count = pages[place]?.get(word) ?? 0
          const length = 1 - lengthWeight + (lengthWeight * (sizes[place] ?? 0)) / average
          const score = (rarity * count * (saturation + 1)) / (count + saturation * length)
          scores.set(place, (scores.get(place) ?? 0) + score)
        }
      }
      const best = [...scores].toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
      return best.flatMap(([place]) => tools[place]?.name ?? [])
    },
  }
}

/** The words of a tool and how much each counts in it. */
function wordsOf({ name, description = '', parameters }: Tool): Map<string, number> {
  const words = new Map<string, number>()
  const add = (text: string, weight: number): void => {
    for (const word of stems(text)) words.set(word, (words.get(word) ?? 0) + weight)
  }
  add(name, weights.name)
  add(description, weights.description)
  for (const text of textsIn(parameters, 0)) add(text, weights.parameters)
  return words
}

const deepest = 6

/** The names and the descriptions of the properties in a schema. */
function textsIn(schema: Json | undefined, depth: number): readonly string[] {
  if (depth > deepest || !isJsonObject(schema)) return []
  const { description, properties, items } = schema
  const inner = isJsonObject(properties) ? Object.entries(properties) : []
  return [
    ...(typeof description === 'string' ? [description] : []),
    ...inner.flatMap(([name, one]) => [name, ...textsIn(one, depth + 1)]),
    ...textsIn(items, depth + 1),
  ]
}

/** The words of a text, of names too, without their endings; those of one meaning are one. */
function stems(text: string): readonly string[] {
  const words =
    text
      .replaceAll(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  return words.flatMap((word) => {
    if (idle.has(word)) return []
    const stem = word.length > 4 ? word.replace(/(?:ing|ed|es|s|e|ion)$/, '') : word.replace(/(?<=..[^s])s$/, '')
    return [sameAs.get(stem) ?? stem]
  })
}

const idle = new Set(
  'a an and any are as at be by can do for from have i if in into is it its let me my not of on or our please so some than that the then there these this to tool use used using want was we what when which will with would you your need'.split(
    ' ',
  ),
)

/** Stems that say the same of what a tool does. */
const meanings: readonly (readonly string[])[] = [
  ['creat', 'add', 'make', 'new', 'insert', 'open'],
  ['delet', 'remov', 'eras', 'drop', 'trash'],
  ['list', 'show', 'get', 'fetch', 'read', 'view', 'display', 'retriev', 'see'],
  ['search', 'find', 'lookup', 'query', 'look', 'grep'],
  ['updat', 'edit', 'modify', 'change', 'chang', 'set', 'alter'],
  ['send', 'post', 'writ', 'write'],
  ['run', 'execut', 'exec', 'launch', 'start'],
  ['mov', 'move', 'rename', 'renam'],
  ['folder', 'directory', 'dir'],
  ['pull', 'pr'],
  ['mail', 'email'],
  ['meet', 'event', 'appointment'],
  ['picture', 'pictur', 'imag', 'image', 'photo', 'screenshot'],
]

const sameAs: ReadonlyMap<string, string> = new Map(
  meanings.flatMap(([first = '', ...others]) => others.map((other) => [other, first] as const)),
)

export function sum(numbers: Iterable<number>): number {
  let total = 0
  for (const number of numbers) total += number
  return total
}

export const charactersPerToken = 4

/** A list of tools to choose from. */
export interface Catalog {
  /** What a tool takes in this style: tokens of four characters. */
  costIn(style: ListingStyle): (tool: Tool) => number
  index(): ToolIndex
}

export function createCatalog(tools: readonly Tool[]): Catalog {
  const costs = new Map<ListingStyle, ReadonlyMap<string, number>>()
  let index: ToolIndex | undefined
  return {
    costIn(style) {
      const found = costs.get(style) ?? countAll(tools, style)
      costs.set(style, found)
      return ({ name }) => found.get(name) ?? 0
    },
    index() {
      index ??= indexTools(tools)
      return index
    },
  }
}

function countAll(tools: readonly Tool[], style: ListingStyle): ReadonlyMap<string, number> {
  const print = style === 'signatures' ? listAsTypeScript : (tool: Tool) => JSON.stringify(tool)
  return new Map(
    shortenTools(tools, style).map((tool) => [tool.name, Math.ceil(print(tool).length / charactersPerToken)]),
  )
}
