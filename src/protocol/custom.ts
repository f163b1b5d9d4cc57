import { isJsonObject } from './json.ts'
import type { Tool } from './tool.ts'

/** The argument under which a model that knows functions only writes the one text of a custom tool. */
export const inputKey = 'input'

/** What a custom tool's text must look like. */
export interface TextGrammar {
  readonly syntax: string
  readonly definition: string
}

/** A custom tool as a function with one text: every dialect can say that. */
export function asFunction(tool: Tool): Tool {
  if (tool.kind === 'function') return tool
  const grammar = grammarOf(tool)
  const rule = grammar === undefined ? '' : ` It must fit this ${grammar.syntax} grammar:\n${grammar.definition}`
  const input = { type: 'string', description: `The raw text, as it is: no JSON, no code fence around it.${rule}` }
  const parameters = { type: 'object', properties: { [inputKey]: input }, required: [inputKey] }
  return { ...tool, kind: 'function', parameters }
}

export function asFunctions(tools: readonly Tool[]): readonly Tool[] {
  return tools.map(asFunction)
}

export function grammarOf({ format }: Tool): TextGrammar | undefined {
  const grammar = isJsonObject(format) ? format['grammar'] : undefined
  if (!isJsonObject(grammar)) return undefined
  const { syntax, definition } = grammar
  return typeof definition === 'string' ? { syntax: String(syntax), definition } : undefined
}

/** The names of the tools that take free text. */
export function customNames(tools: readonly Tool[]): ReadonlySet<string> {
  return new Set(tools.filter(({ kind }) => kind === 'custom').map(({ name }) => name))
}

export function toCustomArguments(text: string): string {
  return JSON.stringify({ [inputKey]: text })
}
