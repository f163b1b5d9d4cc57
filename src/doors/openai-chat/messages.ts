import type { Call } from '../../protocol/call.ts'
import { isDeeperThan, isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { AssistantMessage, Message, ToolMessage } from '../../protocol/message.ts'
import { readContent } from './content.ts'
import { array, type Check, defined, fail, filledText, object, oneOf, optional, text } from './fields.ts'
import { createLinks, type Links } from './links.ts'

const role = oneOf('system', 'developer', 'user', 'assistant', 'tool', 'function')

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

const callType = oneOf('function', 'custom')

const call: Check<Call> = (value, path) => {
  const fields = object(value, path)
  const id = filledText(fields['id'], `${path}.id`)
  const kind = callType(fields['type'], `${path}.type`)
  const inner = object(fields[kind], `${path}.${kind}`)
  const name = filledText(inner['name'], `${path}.${kind}.name`)
  return kind === 'function'
    ? { id, kind, name, arguments: historyArguments(inner['arguments'], `${path}.function.arguments`) }
    : { id, kind, name, arguments: text(inner['input'], `${path}.custom.input`) }
}

const calls = optional(array(call, { min: 1 }))

/** The older single call, which has no id: its place in the conversation makes one. */
function readFunctionCall(value: unknown, path: string, index: number): Call {
  const fields = object(value, path)
  return {
    id: `call_message${index}`,
    kind: 'function',
    name: filledText(fields['name'], `${path}.name`),
    arguments: historyArguments(fields['arguments'], `${path}.arguments`),
  }
}

function readAssistant(fields: JsonObject, path: string, index: number): AssistantMessage {
  const content = fields['content'] ?? fields['refusal'] ?? ''
  const spoken = calls(fields['tool_calls'], `${path}.tool_calls`) ?? []
  const legacy = fields['function_call']
  return defined({
    role: 'assistant' as const,
    content: readContent(content, 'assistant', `${path}.content`),
    reasoning: readReasoning(fields, path),
    calls: legacy ? [...spoken, readFunctionCall(legacy, `${path}.function_call`, index)] : spoken,
    name: optional(text)(fields['name'], `${path}.name`),
  })
}

/** Agents send back what they were given, under the name their SDK knows. An empty one says nothing. */
function readReasoning(fields: JsonObject, path: string): string | undefined {
  const key = fields['reasoning_content'] === undefined ? 'reasoning' : 'reasoning_content'
  const value = fields[key]
  return typeof value === 'object' ? undefined : optional(text)(value, `${path}.${key}`) || undefined
}

function readResult(fields: JsonObject, path: string): ToolMessage {
  const id = fields['tool_call_id']
  if (id === undefined || id === null || id === '') {
    const rule = "messages with role 'tool' need the 'tool_call_id' of the call they answer."
    fail(
      'missing_tool_call_id',
      `Missing required parameter: '${path}.tool_call_id'. All ${rule}`,
      `${path}.tool_call_id`,
    )
  }
  return defined({
    role: 'tool' as const,
    callId: text(id, `${path}.tool_call_id`),
    content: readContent(fields['content'], 'tool', `${path}.content`),
    name: optional(text)(fields['name'], `${path}.name`),
  })
}

function readMessage(value: unknown, path: string, index: number, links: Links): Message {
  const fields = object(value, path)
  const kind = role(fields['role'], `${path}.role`)
  switch (kind) {
    case 'assistant': {
      const message = readAssistant(fields, path, index)
      const modern = Array.isArray(fields['tool_calls']) ? fields['tool_calls'].length : 0
      links.asked(message.calls, (at) => (at < modern ? `${path}.tool_calls[${at}].id` : `${path}.function_call`))
      return message
    }
    case 'tool': {
      const message = readResult(fields, path)
      links.answered(message.callId, `${path}.tool_call_id`, index)
      return message
    }
    case 'function': {
      const name = filledText(fields['name'], `${path}.name`)
      const content = fields['content'] ?? ''
      const callId = links.answeredByName(name, `${path}.name`, index)
      return { role: 'tool', callId, content: readContent(content, 'function', `${path}.content`), name }
    }
    case 'user':
      links.userSpoke()
      return defined({
        role: 'user' as const,
        content: readContent(fields['content'], 'user', `${path}.content`),
        name: optional(text)(fields['name'], `${path}.name`),
      })
    default:
      return { role: 'system', content: readContent(fields['content'], kind, `${path}.content`) }
  }
}

/** The conversation, each message checked by itself and each result matched to its call. */
export const readMessages: Check<Message[]> = (value, path) => {
  const links = createLinks()
  let index = 0
  return array((entry, at) => readMessage(entry, at, index++, links), { min: 1 })(value, path)
}
