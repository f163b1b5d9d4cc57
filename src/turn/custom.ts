import { isJsonObject } from '../protocol/json.ts'
import type { Tool } from '../protocol/tool.ts'

/** The argument under which a model that is taught in words writes the one text of a custom tool. */
const inputKey = 'input'

/** A custom tool as a function with one text: every dialect can say that. */
export function asFunction(tool: Tool): Tool {
  if (tool.kind === 'function') return tool
  const parameters = { type: 'object', properties: { [inputKey]: { type: 'string' } }, required: [inputKey] }
  return { ...tool, kind: 'function', parameters }
}

export function toCustomArguments(text: string): string {
  return JSON.stringify({ [inputKey]: text })
}

/** The text of a custom tool's call out of the arguments it was read as. */
export function fromCustomArguments(json: string): string {
  const value: unknown = JSON.parse(json)
  const text = isJsonObject(value) ? value[inputKey] : undefined
  return typeof text === 'string' ? text : json
}
