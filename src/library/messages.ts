import type { Call } from '../protocol/call.ts'
import { isJsonObject, type Json, type JsonObject } from '../protocol/json.ts'
import { type Content, type Message, type Part, piecesOf, type Spoken, wordsOf } from '../protocol/message.ts'

/** A message with nothing but words in it (and pictures, where there were any), which any chat model takes. */
export interface PlainMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string | readonly Part[]
}

/** A message as OpenAI's chat completions have it. */
export interface ChatMessage {
  readonly role: 'system' | 'developer' | 'user' | 'assistant' | 'tool'
  readonly content?: string | readonly object[] | null | undefined
  readonly tool_calls?:
    | readonly {
        readonly id: string
        readonly type?: string
        readonly function?: { readonly name: string; readonly arguments: string }
        readonly custom?: { readonly name: string; readonly input: string }
      }[]
    | null
    | undefined
  readonly tool_call_id?: string | undefined
  readonly name?: string | undefined
}

/** Messages as you have them: OpenAI's, or our own. */
export type MessageLike = Message | ChatMessage

const roles: ReadonlySet<unknown> = new Set(['system', 'developer', 'user', 'assistant', 'tool'])

/** Messages as the engine knows them. Throws a TypeError that names the one it cannot read. */
export function toMessages(given: readonly MessageLike[]): readonly Message[] {
  return given.map((message, index) => toMessage(message as unknown as JsonObject, index))
}

function toMessage(fields: JsonObject, index: number): Message {
  const role = isJsonObject(fields) ? fields['role'] : undefined
  if (!roles.has(role)) {
    const known = 'system, developer, user, assistant or tool'
    throw new TypeError(`messages[${index}].role is ${JSON.stringify(role) ?? 'missing'}. Use ${known}.`)
  }
  const { name, content: given } = fields
  const named = typeof name === 'string' ? { name } : {}
  switch (role) {
    case 'assistant':
      return { role, content: spokenIn(fields, index), ...named }
    case 'tool': {
      const id = fields['tool_call_id'] ?? fields['callId']
      if (typeof id === 'string') return { role, callId: id, content: toContent(given), ...named }
      throw new TypeError(`messages[${index}].tool_call_id is missing. Put the id of the call there that this answers.`)
    }
    case 'user':
      return { role, content: toContent(given), ...named }
    default:
      return { role: 'system', content: toContent(given) }
  }
}

/** Messages as any chat model takes them: what was called and answered is told in words by now. */
export function toPlain(messages: readonly Message[]): PlainMessage[] {
  return messages.flatMap((message) =>
    message.role === 'tool' ? [] : [{ role: message.role, content: wordsOf(message) }],
  )
}

/** OpenAI's tell calls and thoughts beside the words, our own among them. */
function spokenIn(fields: JsonObject, index: number): string | readonly Spoken[] {
  const given = fields['content']
  const content = Array.isArray(given)
    ? given.map((part: Json, place) => toSpoken(part, index, place))
    : toContent(given)
  const said = fields['reasoning'] ?? fields['reasoning_content']
  const thought: readonly Spoken[] = typeof said === 'string' && said !== '' ? [{ type: 'thought', text: said }] : []
  const calls = callsIn(fields, index).map((call): Spoken => ({ type: 'call', call }))
  if (thought.length + calls.length === 0) return content
  return [...thought, ...piecesOf<Spoken>(content), ...calls]
}

function toContent(given: Json | undefined): Content {
  if (given === undefined || given === null) return ''
  if (typeof given === 'string') return given
  return Array.isArray(given) ? given.map(toPart) : JSON.stringify(given)
}

function toPart(part: Json): Part {
  if (!isJsonObject(part)) return { type: 'text', text: String(part) }
  const { type, text, image_url: image, refusal } = part
  if (typeof text === 'string') return { type: 'text', text }
  if (typeof refusal === 'string') return { type: 'text', text: refusal }
  if (type === 'image_url' && isJsonObject(image) && typeof image['url'] === 'string') {
    const { url, detail } = image
    return { type: 'image', url, ...(typeof detail === 'string' && { detail }) }
  }
  return type === 'image' || type === 'other' ? (part as unknown as Part) : { type: 'other', value: part }
}

function toSpoken(part: Json, index: number, place: number): Spoken {
  if (isJsonObject(part) && part['type'] === 'thought') return part as unknown as Spoken
  if (!isJsonObject(part) || part['type'] !== 'call') return toPart(part)
  return { type: 'call', call: toCall(part['call'], `messages[${index}].content[${place}].call`, `${index}_${place}`) }
}

function callsIn(fields: JsonObject, index: number): readonly Call[] {
  const given = fields['tool_calls'] ?? []
  if (!Array.isArray(given)) return []
  return given.map((one: Json, place) =>
    toCall(one, `messages[${index}].tool_calls[${place}].function`, `${index}_${place}`),
  )
}

function toCall(one: Json | undefined, path: string, place: string): Call {
  const call = isJsonObject(one) ? one : {}
  const custom = call['custom']
  const called = isJsonObject(call['function']) ? call['function'] : isJsonObject(custom) ? custom : call
  const { name } = called
  if (typeof name !== 'string') {
    throw new TypeError(`${path}.name is missing.`)
  }
  const kind = isJsonObject(custom) || call['kind'] === 'custom' ? 'custom' : 'function'
  const said = called['arguments'] ?? called['input'] ?? ''
  const id = typeof call['id'] === 'string' ? call['id'] : `call_${place}`
  return { id, kind, name, arguments: typeof said === 'string' ? said : JSON.stringify(said) }
}
