import type { Dialect } from '../dialects/dialect.ts'
import type { Tool } from '../protocol/tool.ts'
import { asFunction } from './custom.ts'
import { listings, printExample } from './listing.ts'

const maxRemembered = 32
const maxRememberedLength = 1_000_000

/** By dialect and the tools' own JSON; the oldest goes first. An agent sends the same tools with every request. */
const remembered = new Map<string, string>()

/** What a model is told about tools: the same bytes for the same tools, so that its prompt cache stays warm. */
export function teach(dialect: Dialect, tools: readonly Tool[]): string {
  const key = `${dialect.name}\n${JSON.stringify(tools)}`
  const known = remembered.get(key)
  if (known !== undefined) return known
  const taught = printTeaching(dialect, tools.map(asFunction))
  if (key.length > maxRememberedLength) return taught
  const oldest = remembered.keys().next()
  if (remembered.size >= maxRemembered && oldest.done !== true) remembered.delete(oldest.value)
  remembered.set(key, taught)
  return taught
}

function printTeaching(dialect: Dialect, tools: readonly Tool[]): string {
  const { intro, tools: listing, rules } = dialect.teaching
  const list = listings[listing.style]
  const listed = tools.map((tool) => list(tool, dialect)).join(listing.separator)
  const [first] = tools
  const example = first === undefined ? '' : printExample(first, dialect)
  return intro + listing.open + listed + listing.close + rules.replaceAll('{example}', () => example)
}
