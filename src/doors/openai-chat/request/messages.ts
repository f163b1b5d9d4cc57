import type { Call } from '../../../protocol/call.ts'
import { isDeeperThan, isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import {
  type AssistantMessage,
  type Content,
  callsOf,
  inUsualOrder,
  type Message,
  type ToolMessage,
} from '../../../protocol/message.ts'
import { readCallMetadata, readMessageMetadata } from '../../../protocol/provider-metadata.ts'
import { array, type Check, defined, fail, filledText, object, oneOf, optional, text } from '../../shared/fields.ts'
import { readContent } from './content.ts'
import { createLinks, type Faults } from './links.ts'

const role = oneOf('system', 'developer', 'user', 'assistant', 'tool', 'function')
type Role = ReturnType<typeof role>

interface Reading {
  readonly index: number
  readonly path: string
  readonly faults: Faults
}

/** Content that is missing or no text can be read as none, or as its JSON. Parts that are wrong cannot be read. */
function contentOf(fields: JsonObject, as: Exclude<Role, 'assistant'>, { path, faults }: Reading): Content {
  const value = fields['content']
  const read = () => readContent(value, as, `${path}.content`)
  if (typeof value === 'string' || (Array.isArray(value) && value.length > 0)) return read()
  return faults.mend(read, () => {
    return value === undefined || value === null || Array.isArray(value) ? '' : JSON.stringify(value)
  })
}

function readAssistant(fields: JsonObject, { index, path, faults }: Reading): AssistantMessage {
  const content = fields['content'] ?? fields['refusal'] ?? ''
  const spoken = readCalls(fields['tool_calls'], `${path}.tool_calls`, index, faults)
  const legacy = fields['function_call']
  return defined({
    role: 'assistant' as const,
    content: inUsualOrder({
      content: readContent(content, 'assistant', `${path}.content`),
      reasoning: readReasoning(fields),
      metadata: readMessageMetadata(fields),
      calls: legacy ? [...spoken, readFunctionCall(legacy, `${path}.function_call`, index, faults)] : spoken,
    }),
    name: optional(text)(fields['name'], `${path}.name`),
  })
}

/** Agents send back what they were given, under the name their SDK knows. What is no text, or empty, says nothing. */
function readReasoning(fields: JsonObject): string | undefined {
  const value = fields['reasoning_content'] ?? fields['reasoning']
  return typeof value === 'string' && value !== '' ? value : undefined
}

const callId: Check<string> = (value, path) => {
  if (value !== undefined && value !== null && value !== '') return text(value, path)
  const rule = "messages with role 'tool' need the 'tool_call_id' of the call they answer."
  fail('missing_tool_call_id', `Missing required parameter: '${path}'. All ${rule}`, path)
}

function readResult(fields: JsonObject, reading: Reading): ToolMessage {
  const { path, faults } = reading
  return defined({
    role: 'tool' as const,
    callId: faults.mend(
      () => callId(fields['tool_call_id'], `${path}.tool_call_id`),
      () => '',
    ),
    content: contentOf(fields, 'tool', reading),
    name: optional(text)(fields['name'], `${path}.name`),
  })
}

/** A message by itself; results of the older kind still lack the id of their call. */
function readMessage(fields: JsonObject, as: Role, reading: Reading): Message {
  const { path } = reading
  switch (as) {
    case 'assistant':
      return readAssistant(fields, reading)
    case 'tool':
      return readResult(fields, reading)
    case 'function': {
      const name = filledText(fields['name'], `${path}.name`)
      const content = fields['content'] ?? ''
      return { role: 'tool', callId: '', content: readContent(content, 'function', `${path}.content`), name }
    }
    case 'user':
      return defined({
        role: 'user' as const,
        content: contentOf(fields, 'user', reading),
        name: optional(text)(fields['name'], `${path}.name`),
      })
    default:
      return { role: 'system', content: contentOf(fields, as, reading) }
  }
}

interface Read {
  readonly as: Role
  readonly message: Message
  readonly calls: readonly Call[]
  /** How many of its calls stand in `tool_calls`. */
  readonly modern: number
}

/**
 * The conversation: each message checked by itself, then each result matched to its call. A message that cannot be read
 * would make its results look like strangers, so the second step waits for the first.
 */
export function readMessages(value: unknown, path: string, faults: Faults): readonly Message[] {
  let count = 0
  const read = array(
    (entry, at): Read => {
      const index = count++
      const fields = object(entry, at)
      const as = role(fields['role'], `${at}.role`)
      const message = readMessage(fields, as, { index, path: at, faults })
      const modern = Array.isArray(fields['tool_calls']) ? fields['tool_calls'].length : 0
      return { as, message, calls: callsOf(message), modern }
    },
    { min: 1 },
  )(value, path)
  return linkMessages(read, path, faults)
}

function linkMessages(read: readonly Read[], path: string, faults: Faults): readonly Message[] {
  const links = createLinks(faults, path, (index, place) =>
    place < (read[index]?.modern ?? 0)
      ? `${path}[${index}].tool_calls[${place}].id`
      : `${path}[${index}].function_call`,
  )
  return read.map(({ as, message, calls }, index) => {
    if (calls.length > 0) links.called(calls, index)
    if (message.role === 'user') links.expectAnswered()
    if (message.role !== 'tool') return message
    if (as === 'function') return { ...message, callId: links.answeredByName(message.name ?? '', index) }
    if (message.callId !== '') links.answered(message.callId, index)
    return message
  })
}

/** Arguments of a call in the history. They are printed back to the model, so they must be an object; blank means none. */
const historyArguments: Check<string> = (value, path) => {
  const read = text(value, path)
  if (read.trim() === '') return '{}'
  const malformed = (rule: string): never =>
    fail('malformed_tool_arguments', `Invalid '${path}': ${rule} Send the arguments as the model gave them.`, path)
  let parsed: unknown
  try {
    parsed = JSON.parse(read)
  } catch {
    malformed('the arguments are not valid JSON.')
  }
  if (!isJsonObject(parsed)) malformed('the arguments must be a JSON object in a string.')
  if (isDeeperThan(parsed, 128)) malformed('the arguments are nested more than 128 levels deep.')
  return read
}

function readArguments(value: unknown, path: string, faults: Faults): string {
  return faults.mend(
    () => historyArguments(value, path),
    () => (typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)),
  )
}

const callType = oneOf('function', 'custom')

function readCall(value: unknown, path: string, index: number, faults: Faults): Call {
  const fields = object(value, path)
  const id = faults.mend(
    () => filledText(fields['id'], `${path}.id`),
    () => '',
  )
  const kind = faults.mend(
    () => callType(fields['type'], `${path}.type`),
    () => 'function' as const,
  )
  const inner = object(fields[kind], `${path}.${kind}`)
  const name = filledText(inner['name'], `${path}.${kind}.name`)
  return defined({
    id: id || `call_message${index}_${path.slice(path.lastIndexOf('[') + 1, -1)}`,
    kind,
    name,
    arguments:
      kind === 'function'
        ? readArguments(inner['arguments'], `${path}.function.arguments`, faults)
        : text(inner['input'], `${path}.custom.input`),
    metadata: readCallMetadata(fields),
  })
}

/** An assistant's `tool_calls`. */
function readCalls(value: unknown, path: string, index: number, faults: Faults): readonly Call[] {
  if (value === undefined || value === null) return []
  const read = () => array((entry, at) => readCall(entry, at, index, faults), { min: 1 })(value, path)
  return Array.isArray(value) && value.length === 0 ? faults.mend(read, () => []) : read()
}

/** The older single call, which has no id: its place in the conversation makes one. */
function readFunctionCall(value: unknown, path: string, index: number, faults: Faults): Call {
  const fields: JsonObject = object(value, path)
  return {
    id: `call_message${index}`,
    kind: 'function',
    name: filledText(fields['name'], `${path}.name`),
    arguments: readArguments(fields['arguments'], `${path}.arguments`, faults),
  }
}
