import { readTools } from '../../doors/openai-chat/request/tools.ts'
import { isJsonObject } from '../../protocol/json.ts'

export type Tools = ReturnType<typeof readTools>

/**
 * Tools as people have them at hand: OpenAI's array, a request that holds one, or bare functions. They are read by the
 * rules of the gateway's own door, which throws what a client would be told.
 */
export function toTools(value: unknown): Tools {
  const list = isJsonObject(value) ? (value['tools'] ?? value['functions'] ?? [value]) : (value ?? [])
  const tools: unknown = Array.isArray(list) ? withoutCopies(list.map(toOpenAiTool)) : list
  return readTools({ tools } as Parameters<typeof readTools>[0], Number.MAX_SAFE_INTEGER)
}

/** A tool that is given twice, word for word, is one. */
function withoutCopies(list: readonly unknown[]): readonly unknown[] {
  return [...new Map(list.map((tool) => [JSON.stringify(tool), tool])).values()]
}

function toOpenAiTool(value: unknown): unknown {
  if (!isJsonObject(value) || isJsonObject(value['custom'])) return value
  if (isJsonObject(value['function'])) return { type: 'function', ...value }
  if (typeof value['name'] !== 'string') return value
  const { type: _type, ...bare } = value
  return { type: 'function', function: bare }
}
