import { isJsonObject, parseJson } from './json.ts'
import type { Tool } from './tool.ts'

/** The argument under which a model that knows functions only writes the one text of a custom tool. */
const inputKey = 'input'

/** A custom tool as a function with one text: every dialect can say that. */
export function asFunction(tool: Tool): Tool {
  if (tool.kind === 'function') return tool
  const rule = grammarOf(tool)
  const input = rule === undefined ? { type: 'string' } : { type: 'string', description: rule }
  const parameters = { type: 'object', properties: { [inputKey]: input }, required: [inputKey] }
  return { ...tool, kind: 'function', parameters }
}

export function asFunctions(tools: readonly Tool[]): readonly Tool[] {
  return tools.map(asFunction)
}

function grammarOf({ format }: Tool): string | undefined {
  const grammar = isJsonObject(format) ? format['grammar'] : undefined
  if (!isJsonObject(grammar)) return undefined
  const { syntax, definition } = grammar
  return typeof definition === 'string' ? `Text that this ${String(syntax)} grammar allows:\n${definition}` : undefined
}

/** The names of the tools that take free text. */
export function customNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.filter(({ kind }) => kind === 'custom').map(({ name }) => name))
}

export function toCustomArguments(text: string): string {
  return JSON.stringify({ [inputKey]: text })
}

/** The text of a custom tool's call out of the arguments it was read as. */
export function fromCustomArguments(json: string): string {
  const value = parseJson(json)
  const text = isJsonObject(value) ? value[inputKey] : undefined
  return typeof text === 'string' ? text : json
}
