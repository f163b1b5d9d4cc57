import type { Dialect } from '../../../dialects/dialect.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { listings, printExample } from './listing.ts'

/**
 * By the tools' identity, which a door keeps for tools of the same content: an agent sends them with every request, and a
 * long list takes milliseconds to print (`bench/prepare.ts`).
 */
const taught = new WeakMap<readonly Tool[], Map<string, string>>()

/** What a model is told about tools: the same bytes for the same tools, so that its prompt cache stays warm. */
export function teach(dialect: Dialect, tools: readonly Tool[]): string {
  const known = taught.get(tools) ?? new Map<string, string>()
  taught.set(tools, known)
  const words = known.get(dialect.name) ?? printTeaching(dialect, tools.map(asFunction))
  known.set(dialect.name, words)
  return words
}

function printTeaching(dialect: Dialect, tools: readonly Tool[]): string {
  const { intro, tools: listing, rules } = dialect.teaching
  const list = listings[listing.style]
  const listed = tools.map((tool) => list(tool, dialect)).join(listing.separator)
  const [first] = tools
  const example = first === undefined ? '' : printExample(first, dialect)
  return intro + listing.open + listed + listing.close + rules.replaceAll('{example}', () => example)
}
