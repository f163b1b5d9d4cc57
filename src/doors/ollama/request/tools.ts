import { isJsonObject, type Json, type JsonObject } from '../../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import { array, defined } from '../../shared/fields.ts'
import { createKnownLists } from '../../shared/known.ts'
import { createToolNames, type ToolNames } from '../names.ts'

export interface Offer {
  readonly tools: readonly Tool[]
  readonly names: ToolNames
  /** The places of what was left out. */
  readonly dropped: readonly string[]
}

const known = createKnownLists<Offer>()

/** `tools`, in OpenAI's form. What is no tool, or of another kind, is left out: a refusal would end the client's session. */
export function readTools(value: unknown, limit: number): Offer {
  if (!Array.isArray(value)) return readAnew([], limit)
  return known(value, limit, () => readAnew(value, limit))
}

function readAnew(value: readonly unknown[], limit: number): Offer {
  const dropped: string[] = []
  const seen = new Set<string>()
  const read = array((entry, path) => ({ tool: readTool(entry), path }), { max: limit })(value, 'tools')
  const found = read.flatMap(({ tool, path }) => {
    if (tool !== undefined && !seen.has(tool.name)) {
      seen.add(tool.name)
      return [tool]
    }
    dropped.push(path)
    return []
  })
  const names = createToolNames([...seen])
  return { tools: found.map((tool) => ({ ...tool, name: names.toPlain(tool.name) })), names, dropped }
}

function readTool(value: unknown): Tool | undefined {
  if (!isJsonObject(value) || !isJsonObject(value['function'])) return undefined
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
  if (tools.length === 0) return undefined
  if (value === 'auto' || value === 'none' || value === 'required') return { mode: value }
  const named = isJsonObject(value) && isJsonObject(value['function']) ? value['function']['name'] : undefined
  if (typeof named !== 'string') return undefined
  const name = names.toPlain(named)
  return tools.some((tool) => tool.name === name) ? { mode: 'named', name } : undefined
}
