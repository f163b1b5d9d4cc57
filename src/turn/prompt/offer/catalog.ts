import type { Tool } from '../../../protocol/tool.ts'
import { listAsTypeScript } from '../teach/listings/typescript.ts'
import { type ListingStyle, shortenTools } from '../teach/shorten.ts'
import { indexTools, type ToolIndex } from './relevance.ts'

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
