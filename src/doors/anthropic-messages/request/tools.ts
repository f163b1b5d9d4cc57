import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import {
  array,
  type Check,
  defined,
  fail,
  filledText,
  missing,
  object,
  oneOf,
  optional,
  quoted,
} from '../../shared/fields.ts'
import { readParameters } from '../../shared/parameters.ts'
import { nameChoiceForms, nameToolForms, type ToolNames, toAllowed } from '../../shared/tools.ts'
import { clientToolOf } from './client-tools.ts'
import { type Reading, textIn } from './reading.ts'

/** A tool as the client declared it. */
type Declared =
  | { readonly kind: 'offered'; readonly tool: Tool; readonly name: string; readonly isDeferred: boolean }
  /** A search for tools that is left to the service: the gateway has one. */
  | { readonly kind: 'search' }
  /** The vendor runs it, and is not here; or it is of a kind nobody knows. */
  | { readonly kind: 'dropped'; readonly name: string; readonly type: string }

/** Run by the client, and nowhere said here: of these, nothing can be taught. */
const vendorForms = /^(?:bash|text_editor|memory|computer)(?:_|$)/
/** Run by the vendor. */
const vendorTools = /^(?:web_search|web_fetch|code_execution|mcp_toolset|advisor)(?:_|$)/
const vendorSearch = /^tool_search_tool(?:_|$)/

const declared: Check<Declared> = (value, path) => {
  const fields = object(value, path)
  const type = optional(filledText)(fields['type'], `${path}.type`) ?? 'custom'
  const known = fields['input_schema'] === undefined ? clientToolOf(type, fields) : undefined
  const isOwn = type === 'custom' || known !== undefined || fields['input_schema'] !== undefined
  if (!isOwn && vendorForms.test(type)) {
    const remedy = "Declare it as a custom tool, with an 'input_schema'."
    fail(
      'unsupported_parameter',
      `The tool ${quoted(textIn(fields, 'name') || type)} (${quoted(type)}) is not available here. ${remedy}`,
      path,
    )
  }
  if (fields['input_schema'] === undefined && known === undefined) {
    const forms = nameToolForms(fields, 'messages')
    const isOthers = type === 'function' || fields['function'] !== undefined || (isOwn && fields['name'] === undefined)
    if (isOthers) fail('invalid_value', `Invalid '${path}'.${forms}`, path)
    if (isOwn) missing(`${path}.input_schema`, forms)
  }
  if (!isOwn && vendorSearch.test(type)) return { kind: 'search' }
  if (!isOwn) return { kind: 'dropped', name: textIn(fields, 'name') || type, type }
  const name = filledText(fields['name'] ?? known?.name, `${path}.name`)
  const examples = fields['input_examples']
  const tool = defined({
    kind: 'function' as const,
    name: toAllowed(name),
    description: (known?.description ?? textIn(fields, 'description')) || undefined,
    parameters: known?.parameters ?? readParameters(name, false)(fields['input_schema'], `${path}.input_schema`),
    strict: fields['strict'] === true ? true : undefined,
    examples: Array.isArray(examples) && examples.length > 0 ? examples.filter(isJsonObject) : undefined,
  })
  return { kind: 'offered', tool, name, isDeferred: fields['defer_loading'] === true }
}

function readDeclarations(value: unknown, limit: number): readonly Declared[] {
  const all = optional(array(declared, { max: limit }))(value, 'tools') ?? []
  const seen = new Set<string>()
  for (const [index, one] of all.entries()) {
    if (one.kind !== 'offered') continue
    if (seen.has(one.name)) fail('invalid_value', 'Tool names must be unique.', `tools[${index}].name`)
    seen.add(one.name)
  }
  return all
}

/** Keeps the place of tools that come later, and is none. */
const placeholder = 'DeferredToolPlaceholder'
const searches = /tool_?search/i

interface Wanted {
  readonly limit: number
  /** The tools earlier calls and the client's choice name. */
  readonly named: ReadonlySet<string>
}

/**
 * The tools a model is offered. One that is deferred is left to a search for tools, until a result names the tool: to the
 * client's own, where it has one, or to the gateway's, where the client asks the service for it.
 */
export function readTools(fields: JsonObject, { limit, named }: Wanted, reading: Reading): readonly Tool[] {
  const all = readDeclarations(withDefined(fields['tools'], reading), limit)
  const own = all.filter((one) => one.kind === 'offered')
  const isSearched = own.some(({ name, isDeferred }) => !isDeferred && searches.test(name))
  const offered = own.filter(({ name, isDeferred }) => {
    if (name === placeholder || reading.withdrawn.has(name)) return false
    return !isDeferred || !isSearched || reading.loaded.has(name) || named.has(name)
  })
  refuseVendors(fields, all, own.length, reading)
  for (const { name } of offered) reading.names.toInner(name)
  const isServed = all.some(({ kind }) => kind === 'search')
  return offered.map(({ tool, name, isDeferred }) =>
    isServed && isDeferred && !reading.loaded.has(name) ? { ...tool, isDeferred } : tool,
  )
}

/** The tools of the request and those that were defined on the way, which replace them. */
function withDefined(tools: unknown, { defined: later }: Reading): unknown {
  if (later.length === 0) return tools
  const names = new Set(later.map(({ name }) => name))
  const first = Array.isArray(tools) ? tools.filter((tool) => !isJsonObject(tool) || !names.has(tool['name'])) : []
  return [...first, ...later]
}

/** A request that offers nothing but what cannot be had must not be answered as if it had been. */
function refuseVendors(fields: JsonObject, all: readonly Declared[], own: number, reading: Reading): void {
  const servers = fields['mcp_servers']
  const dropped = all.filter((one) => one.kind === 'dropped')
  const missing = dropped.filter(({ type }) => vendorTools.test(type)).map(({ name }) => name)
  if (Array.isArray(servers) && servers.length > 0) missing.push('mcp_servers')
  const [first] = missing
  if (first !== undefined && own === 0)
    fail('unsupported_parameter', sayMissing(first), first === 'mcp_servers' ? first : 'tools')
  for (const { name } of dropped) reading.hosted.push({ kind: 'hosted', name })
  if (missing.includes('mcp_servers')) reading.hosted.push({ kind: 'hosted', name: 'mcp_servers' })
}

function sayMissing(name: string): string {
  return `server tool ${name} is not available here`
}

/** Whether a name means a tool that only the vendor could run. */
function refuseIfMissing(fields: JsonObject, name: string, path: string): void {
  const { tools } = fields
  const isDropped =
    Array.isArray(tools) &&
    tools.some((tool: JsonObject) => tool['name'] === name && vendorTools.test(textIn(tool, 'type')))
  if (isDropped) fail('unsupported_parameter', sayMissing(name), path)
}

const choicePath = 'tool_choice'
const choiceMode = oneOf('auto', 'any', 'tool', 'none')

/** The tool a request insists on, as the client wrote its name. */
export function chosenName(fields: JsonObject): string | undefined {
  const choice = fields[choicePath]
  if (!isJsonObject(choice) || choice['type'] !== 'tool') return undefined
  return filledText(choice['name'], `${choicePath}.name`)
}

export function readChoice(fields: JsonObject, tools: readonly Tool[], names: ToolNames): ToolChoice | undefined {
  const value = fields[choicePath]
  if (value === undefined || value === null) return undefined
  const forms = nameChoiceForms(value, 'messages')
  if (forms !== undefined) fail('invalid_value', `Invalid '${choicePath}'. ${forms}`, choicePath)
  const choice = object(value, choicePath)
  const mode = choiceMode(choice['type'], `${choicePath}.type`)
  if (mode === 'none') return { mode }
  if (mode === 'auto') return tools.length === 0 ? undefined : { mode }
  if (tools.length === 0) fail('invalid_value', "A tool call can only be required when 'tools' are given.", choicePath)
  if (mode === 'any') return { mode: 'required' }
  const wanted = filledText(choice['name'], `${choicePath}.name`)
  const name = names.toInner(wanted)
  if (tools.some((tool) => tool.name === name)) return { mode: 'named', name }
  refuseIfMissing(fields, wanted, `${choicePath}.name`)
  fail('unknown_tool', `Tool ${quoted(wanted)} not found in provided tools.`, `${choicePath}.name`)
}

/** Whether the model may call several tools at once; undefined where nothing is said. */
export function readParallel(fields: JsonObject): boolean | undefined {
  const choice = fields[choicePath]
  const disabled = isJsonObject(choice) ? choice['disable_parallel_tool_use'] : undefined
  return typeof disabled === 'boolean' ? !disabled : undefined
}
