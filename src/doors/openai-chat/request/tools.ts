import type { JsonObject } from '../../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import {
  array,
  type Check,
  defined,
  fail,
  filledText,
  flag,
  missing,
  object,
  oneOf,
  optional,
  quoted,
  shortText,
  text,
} from '../../shared/fields.ts'
import { readParameters } from '../../shared/parameters.ts'
import { nameChoiceForms, nameToolForms } from '../../shared/tools.ts'

const namePattern = /^[a-zA-Z0-9_-]+$/

const toolName: Check<string> = (value, path) => {
  const name = shortText(64)(value, path)
  if (namePattern.test(name)) return name
  const rule = "string does not match pattern. Expected a string that matches the pattern '^[a-zA-Z0-9_-]+$'."
  fail('invalid_value', `Invalid '${path}': ${rule}`, path)
}

const functionTool: Check<Tool> = (value, path) => {
  const fields = object(value, path)
  const name = toolName(fields['name'], `${path}.name`)
  const strict = optional(flag)(fields['strict'], `${path}.strict`)
  return defined({
    kind: 'function' as const,
    name,
    description: optional(text)(fields['description'], `${path}.description`),
    parameters: optional(readParameters(name, strict === true))(fields['parameters'], `${path}.parameters`),
    strict,
  })
}

const customFormat: Check<JsonObject> = (value, path) => {
  const fields = object(value, path)
  const type = oneOf('text', 'grammar')(fields['type'], `${path}.type`)
  if (type === 'grammar') {
    const grammar = object(fields['grammar'], `${path}.grammar`)
    oneOf('lark', 'regex')(grammar['syntax'], `${path}.grammar.syntax`)
    filledText(grammar['definition'], `${path}.grammar.definition`)
  }
  return fields
}

const customTool: Check<Tool> = (value, path) => {
  const fields = object(value, path)
  return defined({
    kind: 'custom' as const,
    name: toolName(fields['name'], `${path}.name`),
    description: optional(text)(fields['description'], `${path}.description`),
    format: optional(customFormat)(fields['format'], `${path}.format`),
  })
}

const toolType = oneOf('function', 'custom')

const tool: Check<Tool> = (value, path) => {
  const fields = object(value, path)
  if (fields['type'] === undefined) missing(`${path}.type`, nameToolForms(fields, 'chat'))
  const type = toolType(fields['type'], `${path}.type`)
  if (fields[type] === undefined) {
    missing(`${path}.${type}`, ` The name and parameters belong inside '${type}'.${nameToolForms(fields, 'chat')}`)
  }
  return type === 'function'
    ? functionTool(fields['function'], `${path}.function`)
    : customTool(fields['custom'], `${path}.custom`)
}

function checkUnique(tools: readonly Tool[], pathOf: (index: number) => string): void {
  const seen = new Set<string>()
  for (const [index, { name }] of tools.entries()) {
    const path = pathOf(index)
    if (seen.has(name)) fail('invalid_value', `Invalid '${path}': duplicate value. Tool names must be unique.`, path)
    seen.add(name)
  }
}

/** `tools`, or the older `functions`. An empty list means the same as none. */
export function readTools(fields: JsonObject, limit: number): readonly Tool[] {
  const tools = optional(array(tool, { max: limit }))(fields['tools'], 'tools') ?? []
  const functions = optional(array(functionTool, { max: limit }))(fields['functions'], 'functions') ?? []
  if (tools.length > 0 && functions.length > 0) {
    fail(
      'invalid_value',
      "Invalid parameter: 'functions' cannot be used when 'tools' are present. Use 'tools' alone.",
      'functions',
    )
  }
  checkUnique(tools, (index) => `tools[${index}].${tools[index]?.kind}.name`)
  checkUnique(functions, (index) => `functions[${index}].name`)
  return tools.length > 0 ? tools : functions
}

const choiceWord = oneOf('none', 'auto', 'required')

/** The tool a `{"type": …, "function": {"name": …}}` points at. */
function readReference(fields: JsonObject, type: 'function' | 'custom', path: string): string {
  const inner = object(fields[type], `${path}.${type}`)
  return toolName(inner['name'], `${path}.${type}.name`)
}

function checkKnown(name: string, tools: readonly Tool[], path: string): void {
  if (tools.some((tool) => tool.name === name)) return
  fail('unknown_tool', `Tool choice ${quoted(name)} not found in 'tools' parameter.`, path)
}

function readAllowed(value: unknown, tools: readonly Tool[], path: string): ToolChoice {
  const fields = object(value, path)
  const mode = oneOf('auto', 'required')(fields['mode'], `${path}.mode`)
  const reference: Check<string> = (entry, at) => {
    const inner = object(entry, at)
    const type = toolType(inner['type'], `${at}.type`)
    const name = readReference(inner, type, at)
    checkKnown(name, tools, `${at}.${type}.name`)
    return name
  }
  const names = array(reference, { min: 1 })(fields['tools'], `${path}.tools`)
  return { mode: 'allowed', required: mode === 'required', names }
}

/** `tool_choice`. Which of `auto` and `none` is the default without it is the turn's business. */
export function readToolChoice(value: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined
  const path = 'tool_choice'
  const forms = nameChoiceForms(value, 'chat')
  if (forms !== undefined) fail('invalid_value', `Invalid '${path}'. ${forms}`, path)
  if (typeof value === 'string') {
    const mode = choiceWord(value, path)
    if (mode === 'required') checkAnyTools(tools, path)
    return { mode }
  }
  const fields = object(value, path)
  const type = oneOf('function', 'custom', 'allowed_tools')(fields['type'], `${path}.type`)
  checkAnyTools(tools, path)
  if (type === 'allowed_tools') return readAllowed(fields['allowed_tools'], tools, `${path}.allowed_tools`)
  const name = readReference(fields, type, path)
  checkKnown(name, tools, path)
  return { mode: 'named', name }
}

function checkAnyTools(tools: readonly Tool[], path: string): void {
  if (tools.length > 0) return
  fail(
    'invalid_value',
    "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified.",
    path,
  )
}

/** The older `function_call`. */
export function readFunctionChoice(value: unknown, tools: readonly Tool[]): ToolChoice | undefined {
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return { mode: oneOf('none', 'auto')(value, 'function_call') }
  const name = toolName(object(value, 'function_call')['name'], 'function_call.name')
  if (!tools.some((tool) => tool.name === name)) {
    fail('unknown_tool', `Function choice ${quoted(name)} not found in 'functions' parameter.`, 'function_call')
  }
  return { mode: 'named', name }
}
