import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { HostedTool, Tool, ToolChoice } from '../../../protocol/tool.ts'
import { array, fail, filledText, object, oneOf, optional, quoted, text } from '../../shared/fields.ts'
import { nameChoiceForms } from '../../shared/tools.ts'
import { type Entry, type ToolTable, toHosted } from './tools.ts'

interface Choice {
  readonly tools: readonly Tool[]
  readonly toolChoice?: ToolChoice
}

const path = 'tool_choice'

/** Which of the tools the model gets, and whether it must call one. */
export function readChoice(value: unknown, table: ToolTable): Choice {
  const { tools } = table
  if (value === undefined || value === null) return { tools }
  const forms = nameChoiceForms(value, 'responses')
  if (forms !== undefined) fail('invalid_value', `Invalid '${path}'. ${forms}`, path)
  if (typeof value === 'string') return choose(oneOf('none', 'auto', 'required')(value, path), tools, table)
  const fields = object(value, path)
  const type = text(fields['type'], `${path}.type`)
  if (type === 'allowed_tools') {
    const mode = oneOf('auto', 'required')(fields['mode'] ?? 'auto', `${path}.mode`)
    return choose(mode, readAllowed(fields['tools'], table), table)
  }
  const entry = readReference(fields, path, table)
  if (entry === undefined) {
    fail(
      'unsupported_tool_choice',
      `The tool ${quoted(type)} cannot be forced, because this gateway runs no tools itself. Offer a function instead.`,
      `${path}.type`,
    )
  }
  return { tools, toolChoice: { mode: 'named', name: entry.tool.name } }
}

function choose(mode: 'none' | 'auto' | 'required', tools: readonly Tool[], { hosted }: ToolTable): Choice {
  if (tools.length > 0) return { tools, toolChoice: { mode } }
  if (mode !== 'required') return { tools }
  if (hosted.length > 0) {
    const names = hosted.map(({ name }) => name).join(', ')
    fail('unsupported_tool_choice', `None of these tools is available here: ${names}.`, path)
  }
  fail('invalid_value', "Invalid value for 'tool_choice': it can only be 'required' when there are 'tools'.", path)
}

/** Undefined where it names a tool that only its vendor could run. */
function readReference(fields: JsonObject, at: string, table: ToolTable): Entry | undefined {
  const type = text(fields['type'], `${at}.type`)
  if (type === 'tool_search') return table.find(undefined, type)
  if (type !== 'function' && type !== 'custom') return undefined
  const name = filledText(fields['name'], `${at}.name`)
  const found = table.find(optional(text)(fields['namespace'], `${at}.namespace`), name)
  if (found !== undefined) return found
  fail('unknown_tool', `Tool choice ${quoted(name)} not found in 'tools' parameter.`, at)
}

function readAllowed(value: unknown, table: ToolTable): readonly Tool[] {
  const at = `${path}.tools`
  const entries = array((one, place) => {
    const fields = object(one, place)
    if (fields['type'] !== 'namespace') return [readReference(fields, place, table)]
    const name = filledText(fields['name'], `${place}.name`)
    return table.tools.map((tool) => table.entryOf(tool.name)).filter((entry) => entry?.namespace === name)
  })(value, at)
  const names = new Set(entries.flat().map((entry) => entry?.tool.name))
  return table.tools.filter(({ name }) => names.has(name))
}

/** What is offered, or asked for by the choice, that only its vendor could run. */
export function hostedIn({ hosted }: ToolTable, choice: unknown): readonly HostedTool[] {
  const listed = isJsonObject(choice) && choice['type'] === 'allowed_tools' ? choice['tools'] : undefined
  if (!Array.isArray(listed)) return hosted
  const names = new Set(hosted.map(({ name }) => name))
  for (const one of listed) {
    const type = isJsonObject(one) ? one['type'] : undefined
    if (typeof type === 'string' && !ours.has(type)) names.add(type)
  }
  return [...names].map(toHosted)
}

const ours: ReadonlySet<string> = new Set(['function', 'custom', 'tool_search', 'namespace'])
