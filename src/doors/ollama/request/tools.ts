import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import { array, defined, fail, filledText, missing, object, oneOf, optional, quoted } from '../../shared/fields.ts'
import { createToolNames, nameChoiceForms, nameToolForms, type ToolNames } from '../../shared/tools.ts'

export interface Offer {
  readonly tools: readonly Tool[]
  readonly names: ToolNames
  /** The places of what was left out. */
  readonly dropped: readonly string[]
}

/**
 * `tools`, in OpenAI's form. One in another API's form is refused, with both forms: it would never be called. What is no
 * tool, or of a kind that only its vendor runs, is left out.
 */
export function readTools(value: unknown, limit: number): Offer {
  const dropped: string[] = []
  const seen = new Set<string>()
  const read = optional(array((entry, path) => ({ tool: readTool(entry, path), path }), { max: limit }))
  const listed = read(value, 'tools') ?? []
  const found = listed.flatMap(({ tool, path }) => {
    if (tool !== undefined && !seen.has(tool.name)) {
      seen.add(tool.name)
      return [tool]
    }
    dropped.push(path)
    return []
  })
  const names = createToolNames()
  return { tools: found.map((tool) => ({ ...tool, name: names.toInner(tool.name) })), names, dropped }
}

function readTool(value: unknown, path: string): Tool | undefined {
  if (!isJsonObject(value)) return undefined
  if (!isJsonObject(value['function'])) {
    const { type = 'function' } = value
    if (type !== 'function' || Object.keys(value).length === 0) return undefined
    missing(`${path}.function`, nameToolForms(value, 'chat'))
  }
  const { name, description, parameters, strict } = value['function']
  if (typeof name !== 'string' || name === '') return undefined
  return defined({
    kind: 'function' as const,
    name,
    description: typeof description === 'string' ? description : undefined,
    parameters: toSchema(parameters),
    strict: typeof strict === 'boolean' ? strict : undefined,
  })
}

/** Clients leave the type out, and mean an object. A schema of anything else says nothing about arguments. */
function toSchema(parameters: Json | undefined): JsonObject | undefined {
  if (!isJsonObject(parameters)) return undefined
  const { type } = parameters
  if (type === undefined || type === null || type === '') return { ...parameters, type: 'object' }
  const types: readonly Json[] = Array.isArray(type) ? type : [type as Json]
  return types.includes('object') ? parameters : undefined
}

/** `tool_choice` is not part of this protocol; those who send it write it as OpenAI does. */
export function readToolChoice(value: unknown, { tools, names }: Offer): ToolChoice | undefined {
  if (tools.length === 0 || value === undefined || value === null) return undefined
  const path = 'tool_choice'
  const forms = nameChoiceForms(value, 'chat')
  if (forms !== undefined) fail('invalid_value', `Invalid '${path}'. ${forms}`, path)
  if (typeof value === 'string') return { mode: oneOf('none', 'auto', 'required')(value, path) }
  const named = filledText(object(object(value, path)['function'], `${path}.function`)['name'], `${path}.function.name`)
  const name = names.toInner(named)
  if (tools.some((tool) => tool.name === name)) return { mode: 'named', name }
  fail('unknown_tool', `Tool choice ${quoted(named)} not found in 'tools' parameter.`, path)
}
