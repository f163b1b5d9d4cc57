import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { type Message, textOf } from '../../../protocol/message.ts'
import { oneOf } from '../../shared/fields.ts'
import { unseal } from '../../shared/seal.ts'
import { type Drop, readContent } from './content.ts'
import { type Conversation, createConversation } from './conversation.ts'
import type { ToolTable } from './tools.ts'

/** An item of a conversation, and where in the request it stands. */
export interface Item {
  readonly fields: JsonObject
  readonly path: string
}

interface Reading {
  readonly path: string
  readonly table: ToolTable
  readonly drop: Drop
}

type ReadItem = (fields: JsonObject, conversation: Conversation, reading: Reading) => void

/** The messages of a conversation. Items that are unknown, or say too little, are left out. */
export function toMessages(
  items: readonly Item[],
  { table, drop }: Pick<Reading, 'table' | 'drop'>,
): readonly Message[] {
  const conversation = createConversation()
  for (const { fields, path } of items) {
    const type = typeOf(fields)
    const read = Object.hasOwn(readers, type) ? readers[type] : undefined
    if (read === undefined) drop('item_dropped', type === '' ? 'an item without a type' : type)
    else read(fields, conversation, { path, table, drop })
  }
  return conversation.end()
}

export function typeOf(fields: JsonObject): string {
  const { type, role } = fields
  if (typeof type === 'string') return type
  return role === undefined ? '' : 'message'
}

const roleOf = oneOf('user', 'assistant', 'system', 'developer', 'tool')

const message: ReadItem = (fields, conversation, { path, drop }) => {
  const role = roleOf(fields['role'], `${path}.role`)
  const content = readContent(fields['content'], `${path}.content`, drop)
  if (role === 'user') conversation.user(content)
  else if (role === 'assistant') conversation.said(content)
  else if (role === 'tool') conversation.result(textIn(fields, 'tool_call_id'), content)
  else conversation.system(content)
}

const functionCall: ReadItem = (fields, conversation, { table, drop }) => {
  const name = textIn(fields, 'name')
  if (name === '') return drop('item_dropped', 'a call without a name')
  const { arguments: given } = fields
  conversation.called({
    id: callIdOf(fields),
    kind: 'function',
    name: table.nameOf(namespaceOf(fields), name),
    arguments: typeof given === 'string' ? given : given === undefined || given === null ? '' : JSON.stringify(given),
  })
}

const customCall: ReadItem = (fields, conversation, { table, drop }) => {
  const name = textIn(fields, 'name')
  if (name === '') return drop('item_dropped', 'a call without a name')
  conversation.called({
    id: callIdOf(fields),
    kind: 'custom',
    name: table.nameOf(namespaceOf(fields), name),
    arguments: textIn(fields, 'input'),
  })
}

const output: ReadItem = (fields, conversation, { path, drop }) => {
  const { output: given } = fields
  const isPlain = typeof given !== 'object' || given === null || Array.isArray(given)
  const value = isPlain ? given : JSON.stringify(given)
  conversation.result(textIn(fields, 'call_id'), readContent(value, `${path}.output`, drop))
}

const searchCall: ReadItem = (fields, conversation, { table, drop }) => {
  if (callIdOf(fields) === '') return drop('item_dropped', 'a search without a call')
  const { arguments: given } = fields
  const name = table.nameOf(undefined, 'tool_search')
  const query = typeof given === 'string' ? given : JSON.stringify(given ?? {})
  conversation.called({ id: callIdOf(fields), kind: 'function', name, arguments: query })
}

/** What was found is offered from now on; here it is named. */
const searchOutput: ReadItem = (fields, conversation, { table, drop }) => {
  const callId = textIn(fields, 'call_id')
  if (callId === '') return drop('item_dropped', 'a search without a call')
  const names = foundIn(fields).map(({ namespace, name }) => table.nameOf(namespace, name))
  const words = names.length === 0 ? 'No tools were found.' : `Found, and can be called now: ${names.join(', ')}`
  conversation.result(callId, words, names)
}

function foundIn({ tools }: JsonObject): readonly { readonly namespace?: string; readonly name: string }[] {
  if (!Array.isArray(tools)) return []
  return tools.flatMap((tool) => {
    if (!isJsonObject(tool)) return []
    const name = textIn(tool, 'name')
    if (tool['type'] !== 'namespace') return name === '' ? [] : [{ name }]
    return foundIn(tool).map((inner) => ({ namespace: name, name: inner.name }))
  })
}

/** Our own sealed copy says most; what others wrote there only they can read. */
const reasoning: ReadItem = (fields, conversation) => {
  const { encrypted_content: sealed, content, summary } = fields
  const ours = unseal(sealed)
  conversation.thought(ours?.thoughts ?? (wordsIn(content) || wordsIn(summary)))
  if (ours !== undefined) conversation.keep(ours)
}

const compaction: ReadItem = (fields, conversation, { drop }) => {
  const summary = unseal(fields['encrypted_content'])
  if (summary === undefined) drop('item_dropped', typeOf(fields))
  else conversation.user(summary.thoughts)
}

const readers: Readonly<Record<string, ReadItem>> = {
  message,
  function_call: functionCall,
  function_call_output: output,
  custom_tool_call: customCall,
  custom_tool_call_output: output,
  tool_search_call: searchCall,
  tool_search_output: searchOutput,
  reasoning,
  compaction,
  context_compaction: compaction,
  // Its tools are read before everything else.
  additional_tools: () => undefined,
}

function wordsIn(parts: unknown): string {
  if (typeof parts === 'string') return parts
  if (!Array.isArray(parts)) return ''
  return textOf(
    parts.flatMap((part) => (isJsonObject(part) ? [{ type: 'text' as const, text: textIn(part, 'text') }] : [])),
  )
}

function callIdOf(fields: JsonObject): string {
  return textIn(fields, 'call_id') || textIn(fields, 'id')
}

function namespaceOf(fields: JsonObject): string | undefined {
  return textIn(fields, 'namespace') || undefined
}

function textIn(fields: JsonObject, name: string): string {
  const value = fields[name]
  return typeof value === 'string' ? value : ''
}
