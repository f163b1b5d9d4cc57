import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { HostedTool, Tool } from '../../../protocol/tool.ts'
import { defined, fail, filledText, missing, object, optional, text } from '../../shared/fields.ts'
import { readParameters } from '../../shared/parameters.ts'
import { hashed, nameToolForms, toAllowed } from '../../shared/tools.ts'
import { functionFields, type Vocabulary } from '../../shared/unknown-fields.ts'

/** A tool as the client declared it, and as the model knows it. */
export interface Entry {
  readonly kind: 'function' | 'custom' | 'tool_search'
  readonly namespace?: string
  readonly name: string
  readonly tool: Tool
}

/** All tools of one request, both ways. */
export interface ToolTable {
  readonly tools: readonly Tool[]
  /** Those that only their vendor can run. */
  readonly hosted: readonly HostedTool[]
  /** What a model means by a name. */
  entryOf(chatName: string): Entry | undefined
  /** The name a model knows a tool by, also one that is not offered any more. */
  nameOf(namespace: string | undefined, name: string): string
  /** The tool a client means. */
  find(namespace: string | undefined, name: string): Entry | undefined
}

/** A list of declarations, and where it stands. */
export interface Declarations {
  readonly value: readonly unknown[]
  readonly path: string
}

export function readTools(lists: readonly Declarations[], limit: number): ToolTable {
  const entries = new Map<string, Entry>()
  const byChatName = new Map<string, Entry>()
  const hosted = new Set<string>()
  const isServed = isSearchServed(lists)

  function add(declared: Declared): void {
    const { namespace, name } = declared
    const key = keyOf(namespace, name)
    // What a search finds twice is one tool.
    if (entries.has(key)) return
    const { isDeferred: _, ...always } = declared.tool
    const plain = chatNameOf(namespace, name)
    const chatName = byChatName.has(plain) ? hashed(plainName(namespace, name), key) : plain
    const entry = { ...declared, tool: { ...(isServed ? declared.tool : always), name: chatName } }
    entries.set(key, entry)
    byChatName.set(chatName, entry)
  }

  function read(value: unknown, path: string, space?: Namespace): void {
    const fields = object(value, path)
    if (fields['type'] === undefined) missing(`${path}.type`, nameToolForms(fields, 'responses'))
    const type = text(fields['type'], `${path}.type`)
    if (type === 'function') add(readFunction(fields, path, space))
    else if (type === 'custom') add(readCustom(fields, path, space))
    else if (type === 'tool_search') {
      if (!isServed) add(readSearch(fields))
    } else if (type === 'namespace' && space === undefined) {
      const name = filledText(fields['name'], `${path}.name`)
      const description = describe(fields, path)
      const inner = fields['tools']
      if (!Array.isArray(inner)) return
      for (const [index, one] of inner.entries()) read(one, `${path}.tools[${index}]`, { name, description })
    } else hosted.add(type)
  }

  for (const { value, path } of lists) for (const [index, one] of value.entries()) read(one, `${path}[${index}]`)
  if (entries.size > limit) {
    fail(
      'array_above_max_length',
      `Invalid 'tools': this gateway takes at most ${limit} tools in one request.`,
      'tools',
    )
  }
  return {
    tools: [...byChatName.values()].map(({ tool }) => tool),
    hosted: [...hosted].map(toHosted),
    entryOf: (chatName) => byChatName.get(chatName) ?? onlyOne(entries, chatName),
    nameOf: (namespace, name) => entries.get(keyOf(namespace, name))?.tool.name ?? chatNameOf(namespace, name),
    find: (namespace, name) =>
      entries.get(keyOf(namespace, name)) ?? (namespace === undefined ? onlyOne(entries, name) : undefined),
  }
}

/** Whether the client leaves its search for tools to the service: where it does not say, if there is something to be found. */
function isSearchServed(lists: readonly Declarations[]): boolean {
  const declared = lists.flatMap(({ value, path }) => (path === 'tools' ? value.filter(isJsonObject) : []))
  return declared.some(({ type, execution }) => {
    return type === 'tool_search' && (execution === 'server' || (execution !== 'client' && declared.some(hasDeferred)))
  })
}

function hasDeferred({ defer_loading: isDeferred, tools }: JsonObject): boolean {
  return isDeferred === true || (Array.isArray(tools) && tools.some((tool) => isJsonObject(tool) && hasDeferred(tool)))
}

/** It is known by its type. */
export function toHosted(type: string): HostedTool {
  return { kind: 'hosted', name: type }
}

/** A model, or a client, may leave a namespace out where that leaves no doubt. */
function onlyOne(entries: ReadonlyMap<string, Entry>, name: string): Entry | undefined {
  const found = [...entries.values()].filter((entry) => entry.name === name)
  return found.length === 1 ? found[0] : undefined
}

interface Namespace {
  readonly name: string
  readonly description: string
}

/** `tool` does not have its last name yet. */
type Declared = Entry

/** What may stand in a function here. */
export const flatFields: Vocabulary = { ...functionFields, known: [...functionFields.known, 'type', 'defer_loading'] }

function readFunction(fields: JsonObject, path: string, space: Namespace | undefined): Declared {
  if (fields['name'] === undefined) missing(`${path}.name`, nameToolForms(fields, 'responses'))
  const name = filledText(fields['name'], `${path}.name`)
  const { strict } = fields
  const tool = defined({
    kind: 'function' as const,
    name,
    description: described(describe(fields, path), space),
    parameters: optional(readParameters(name, false))(fields['parameters'], `${path}.parameters`),
    strict: typeof strict === 'boolean' ? strict : undefined,
    isDeferred: fields['defer_loading'] === true ? true : undefined,
  })
  return { kind: 'function', name, tool, ...(space !== undefined && { namespace: space.name }) }
}

function readCustom(fields: JsonObject, path: string, space: Namespace | undefined): Declared {
  const name = filledText(fields['name'], `${path}.name`)
  const tool = defined({
    kind: 'custom' as const,
    name,
    description: described(describe(fields, path), space),
    format: formatOf(fields['format']),
  })
  return { kind: 'custom', name, tool, ...(space !== undefined && { namespace: space.name }) }
}

/** As chat completions write it, which have an object around the grammar. */
function formatOf(format: unknown): JsonObject | undefined {
  if (!isJsonObject(format)) return undefined
  const { type, ...grammar } = format
  return type === 'grammar' ? { type, grammar } : format
}

function readSearch(fields: JsonObject): Declared {
  const { description, parameters } = fields
  const tool = defined({
    kind: 'function' as const,
    name: 'tool_search',
    description: typeof description === 'string' ? description : 'Finds tools that are not listed here.',
    parameters: isJsonObject(parameters) ? parameters : searchParameters,
  })
  return { kind: 'tool_search', name: 'tool_search', tool }
}

const searchParameters = { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] }

function describe(fields: JsonObject, path: string): string {
  return optional(text)(fields['description'], `${path}.description`) ?? ''
}

function described(own: string, space: Namespace | undefined): string | undefined {
  const words = [space?.description ?? '', own].filter((text) => text !== '')
  return words.length === 0 ? undefined : words.join('\n\n')
}

/** A namespace whose tools are known by their bare names. */
const bareNamespace = 'functions'

/** What tells the tools of a client apart. */
function keyOf(namespace: string | undefined, name: string): string {
  return JSON.stringify([namespace ?? bareNamespace, name])
}

/** The one name by which a model knows a tool. */
function chatNameOf(namespace: string | undefined, name: string): string {
  return toAllowed(plainName(namespace, name), keyOf(namespace, name))
}

function plainName(namespace: string | undefined, name: string): string {
  return namespace === undefined || namespace === bareNamespace ? name : `${namespace}__${name}`
}
