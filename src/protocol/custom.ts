import { isJsonObject, parseJson } from './json.ts'
import type { Tool } from './tool.ts'

/** The argument under which a model that knows functions only writes the one text of a custom tool. */
const inputKey = 'input'

const functions = new WeakMap<Tool, Tool>()
const none: ReadonlySet<string> = new Set()

/** A custom tool as a function with one text: every dialect can say that. The same tool gives the same function. */
export function asFunction(tool: Tool): Tool {
  if (tool.kind === 'function') return tool
  const known = functions.get(tool)
  if (known !== undefined) return known
  const rule = grammarOf(tool)
  const input = rule === undefined ? { type: 'string' } : { type: 'string', description: rule }
  const parameters = { type: 'object', properties: { [inputKey]: input }, required: [inputKey] }
  const made: Tool = { ...tool, kind: 'function', parameters }
  functions.set(tool, made)
  return made
}

/** Those very tools, where all are functions: whatever was made of them is found by them. */
export function asFunctions(tools: readonly Tool[]): readonly Tool[] {
  return tools.every(isFunction) ? tools : tools.map(asFunction)
}

const isFunction = ({ kind }: Tool): boolean => kind === 'function'

function grammarOf({ format }: Tool): string | undefined {
  const grammar = isJsonObject(format) ? format['grammar'] : undefined
  if (!isJsonObject(grammar)) return undefined
  const { syntax, definition } = grammar
  return typeof definition === 'string' ? `Text that this ${String(syntax)} grammar allows:\n${definition}` : undefined
}

/** The names of the tools that take free text. */
export function customNames(tools: readonly Tool[]): ReadonlySet<string> {
  if (tools.every(isFunction)) return none
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
