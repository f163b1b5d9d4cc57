import { readFileSync } from 'node:fs'
import { findDialect } from '../src/dialects/registry.ts'
import { isJsonObject, type Json } from '../src/protocol/json.ts'
import type { Tool } from '../src/protocol/tool.ts'
import { type ListingStyle, shortenTools } from '../src/turn/prompt/teach/shorten.ts'
import { listTools } from '../src/turn/prompt/teach/teach.ts'

const sizes = [5, 20, 60]
const styles: readonly ListingStyle[] = ['full', 'short', 'signatures']
const hermes = findDialect('hermes')

function valuesOf(text: string): readonly Json[] {
  try {
    return [JSON.parse(text) as Json]
  } catch {
    return text.split('\n').flatMap((line) => (line.trim() === '' ? [] : [JSON.parse(line) as Json]))
  }
}

/** Every tool in a value, on any wire. */
function toolsIn(value: Json): readonly Tool[] {
  if (Array.isArray(value)) return (value as readonly Json[]).flatMap(toolsIn)
  if (!isJsonObject(value)) return []
  const declared = isJsonObject(value['function']) ? value['function'] : value
  const { name, id, description, parameters, input_schema: input, schema } = declared
  const found = schema ?? input ?? parameters
  if (isJsonObject(found)) {
    const named = String(name ?? id).replaceAll(/\W+/g, '_')
    const words = typeof description === 'string' ? description : found['description']
    return [
      { kind: 'function', name: named, parameters: found, ...(typeof words === 'string' && { description: words }) },
    ]
  }
  return Object.values(value).flatMap((inner) => (typeof inner === 'object' ? toolsIn(inner) : []))
}

const tokens = (text: string): number => Math.round(text.length / 4)
const wire = (tools: readonly Tool[]): string => JSON.stringify(tools)

/**
 * How long tools are in each style of listing, in tokens of four characters. A file is JSON, or JSON lines, that hold requests with
 * tools, lists of tools, or `{id, schema}`. Shows figures; no target.
 */
export function benchListings(files: readonly string[]): boolean {
  for (const file of files) {
    const byName = new Map(
      valuesOf(readFileSync(file, 'utf8'))
        .flatMap(toolsIn)
        .map((tool) => [tool.name, tool]),
    )
    const all = [...byName.values()]
    for (const size of sizes.filter((some, place) => some <= all.length || all.length > (sizes[place - 1] ?? 0))) {
      const tools = all.slice(0, size)
      const row = (name: string, print: (style: ListingStyle) => string): void => {
        const lengths = styles.map((style) => tokens(print(style)))
        const full = lengths[0] ?? 1
        const shown = lengths.map((length) => `${length} (${Math.round((100 * length) / full)} %)`.padStart(16))
        console.log(
          `${file.split('/').at(-1)} ${String(tools.length).padStart(4)} tools  ${name.padEnd(8)}${shown.join('')}`,
        )
      }
      row('native', (style) => wire(shortenTools(tools, style)))
      if (hermes !== undefined) row('hermes', (style) => listTools(hermes, tools, style))
    }
  }
  return true
}
