import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import { fail, filledText, object, oneOf, quoted } from '../../shared/fields.ts'
import { nameChoiceForms } from '../../shared/forms.ts'
import type { Names } from '../names.ts'
import { refuseIfMissing } from './tools.ts'

const path = 'tool_choice'
const type = oneOf('auto', 'any', 'tool', 'none')

/** The tool a request insists on, as the client wrote its name. */
export function chosenName(fields: JsonObject): string | undefined {
  const choice = fields[path]
  if (!isJsonObject(choice) || choice['type'] !== 'tool') return undefined
  return filledText(choice['name'], `${path}.name`)
}

export function readChoice(fields: JsonObject, tools: readonly Tool[], names: Names): ToolChoice | undefined {
  const value = fields[path]
  if (value === undefined || value === null) return undefined
  const forms = nameChoiceForms(value, 'messages')
  if (forms !== undefined) fail('invalid_value', `Invalid '${path}'. ${forms}`, path)
  const choice = object(value, path)
  const mode = type(choice['type'], `${path}.type`)
  if (mode === 'none') return { mode }
  if (mode === 'auto') return tools.length === 0 ? undefined : { mode }
  if (tools.length === 0) fail('invalid_value', "A tool call can only be required when 'tools' are given.", path)
  if (mode === 'any') return { mode: 'required' }
  const wanted = filledText(choice['name'], `${path}.name`)
  const name = names.toInner(wanted)
  if (tools.some((tool) => tool.name === name)) return { mode: 'named', name }
  refuseIfMissing(fields, wanted, `${path}.name`)
  fail('unknown_tool', `Tool ${quoted(wanted)} not found in provided tools.`, `${path}.name`)
}

/** Whether the model may call several tools at once; undefined where nothing is said. */
export function readParallel(fields: JsonObject): boolean | undefined {
  const choice = fields[path]
  const disabled = isJsonObject(choice) ? choice['disable_parallel_tool_use'] : undefined
  return typeof disabled === 'boolean' ? !disabled : undefined
}
