import { isJsonObject, type JsonObject, type JsonSchema } from '../protocol/json.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'

/** A JSON Schema in whatever type its library gives it. */
type Schema = JsonSchema | object | undefined

/**
 * A tool in the shape you have it: OpenAI's (`{ type: 'function', function: { name, parameters } }`, or flat as in the
 * Responses API), Anthropic's (`input_schema`), MCP's and the AI SDK's (`inputSchema`), or our own.
 */
export type ToolLike =
  | Tool
  | {
      readonly type: 'function'
      readonly function: {
        readonly name: string
        readonly description?: string | null | undefined
        readonly parameters?: Schema | null
      }
    }
  | {
      readonly type: 'custom'
      readonly custom: {
        readonly name: string
        readonly description?: string | undefined
        readonly format?: object | undefined
      }
    }
  | {
      readonly name: string
      readonly description?: string | null | undefined
      readonly parameters?: Schema | null
      readonly input_schema?: Schema
      readonly inputSchema?: Schema
    }

/** Whether and which tool must be called: OpenAI's `tool_choice`, or our own form of it. */
export type ToolChoiceLike =
  | ToolChoice
  | 'auto'
  | 'none'
  | 'required'
  | { readonly type: 'function'; readonly function: { readonly name: string } }

/** Tools as the engine knows them. Throws a TypeError that names the one it cannot read. */
export function toTools(given: readonly ToolLike[]): readonly Tool[] {
  return given.map(toTool)
}

function toTool(given: unknown, index: number): Tool {
  const fields = isJsonObject(given) ? given : {}
  if (fields['type'] === 'custom' && isJsonObject(fields['custom']))
    return named({ ...fields['custom'] }, 'custom', index)
  const inner = isJsonObject(fields['function']) ? fields['function'] : fields
  return named(inner, fields['kind'] === 'custom' ? 'custom' : 'function', index)
}

function named(fields: JsonObject, kind: Tool['kind'], index: number): Tool {
  const { name, description, format, strict } = fields
  if (typeof name !== 'string' || name === '') {
    const remedy = "Give it one: { type: 'function', function: { name, description, parameters } }."
    throw new TypeError(`tools[${index}] has no name. ${remedy}`)
  }
  const schema = fields['parameters'] ?? fields['input_schema'] ?? fields['inputSchema']
  const parameters = isJsonObject(schema) || typeof schema === 'boolean' ? schema : undefined
  return {
    kind,
    name,
    ...(typeof description === 'string' && { description }),
    ...(kind === 'function' && parameters !== undefined && { parameters }),
    ...(typeof strict === 'boolean' && { strict }),
    ...(kind === 'custom' && format !== undefined && { format }),
  }
}

/** A choice as the engine knows it. */
export function toChoice(given: ToolChoiceLike | undefined): ToolChoice | undefined {
  if (given === undefined || (typeof given === 'object' && 'mode' in given)) return given
  return typeof given === 'string' ? { mode: given } : { mode: 'named', name: given.function.name }
}
