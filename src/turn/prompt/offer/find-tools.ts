import { parseObject } from '../../../protocol/json.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { firstSentences } from '../teach/shorten.ts'

/** The search for tools that are not told. The gateway answers it itself, under a name that no tool of the client has. */
export function searchTool(tools: readonly Tool[]): Tool {
  const taken = new Set(tools.map(({ name }) => name))
  let name = 'find_tools'
  for (let number = 2; taken.has(name); number++) name = `find_tools_${number}`
  return {
    kind: 'function',
    name,
    description: 'Finds tools that are not listed here.',
    parameters: {
      type: 'object',
      properties: { query: { type: 'string', description: 'What the tool must do, in a few words.' } },
      required: ['query'],
    },
  }
}

/** With the names of what it finds, as far as there is room for them. */
export function withNames(search: Tool, others: readonly Tool[], characters: number): Tool {
  const names: string[] = []
  let left = characters
  for (const { name } of others) {
    left -= name.length + 2
    if (left < 0) break
    names.push(name)
  }
  const more = others.length - names.length
  const which = names.length === 0 ? `${more}` : `${names.join(', ')}${more === 0 ? '' : `, and ${more} more`}`
  return { ...search, description: `${search.description ?? ''} There are: ${which}.` }
}

/** What is looked for; all of the arguments where they are not what they should be. */
export function queryOf(json: string): string {
  const query = parseObject(json)?.['query']
  return typeof query === 'string' ? query : json
}

/** What the model is told of what was found. Their declarations come with it. */
export function sayFound(found: readonly Tool[]): string {
  if (found.length === 0) return 'No tool fits. Try other words, or answer without it.'
  const lines = found.map(({ name, description = '' }) => `- ${name}: ${firstSentences(description, 120)}`)
  return `These tools can be called now:\n${lines.join('\n')}`
}
