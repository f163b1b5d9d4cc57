import type { Tool } from '../../src/protocol/tool.ts'
import { isObject } from '../text/json.ts'

/** Tools as people have them at hand: OpenAI's array, a request that holds one, Anthropic's, or bare functions. */
export function toTools(text: string): readonly Tool[] {
  if (text.trim() === '') return []
  const value: unknown = JSON.parse(text)
  const list = isObject(value) ? (value['tools'] ?? value['functions'] ?? [value]) : value
  if (!Array.isArray(list)) throw new Error('Expected an array of tools, or a request that has one.')
  return list.map(toTool)
}

function toTool(value: unknown, index: number): Tool {
  const outer = isObject(value) ? value : {}
  const kind = isObject(outer['custom']) || outer['type'] === 'custom' ? 'custom' : 'function'
  const fields = [outer['function'], outer['custom']].find(isObject) ?? outer
  const { name, description } = fields
  const parameters = fields['parameters'] ?? fields['input_schema']
  if (typeof name !== 'string' || name === '') throw new Error(`Tool ${index + 1} has no name.`)
  return {
    kind,
    name,
    ...(typeof description === 'string' && { description }),
    ...(isObject(parameters) && { parameters: parameters as NonNullable<Tool['parameters']> }),
  }
}
