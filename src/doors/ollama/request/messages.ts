import type { FailureCode } from '../../../errors.ts'
import type { Call } from '../../../protocol/call.ts'
import type { Note } from '../../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../protocol/json.ts'
import {
  type Content,
  inUsualOrder,
  type Message,
  type Part,
  textOf,
  type UserMessage,
} from '../../../protocol/message.ts'
import { array, defined, object } from '../../shared/fields.ts'
import type { ToolNames } from '../../shared/tools.ts'
import { linkResults } from './results.ts'

interface Conversation {
  readonly messages: readonly Message[]
  readonly notes: readonly Note[]
}

/** `messages`. Only what is no message at all is refused. */
export function readConversation(value: unknown, names: ToolNames): Conversation {
  if (value === undefined || value === null) return { messages: [], notes: [] }
  const faults: FailureCode[] = []
  const entries = array(object)(value, 'messages')
  const read = entries.map((fields, index) => readMessage(fields, index, names, faults))
  const { messages, faults: healed } = linkResults(showLater(joinSystem(read)), faults)
  const detail = healed.join(', ')
  const notes: readonly Note[] = detail === '' ? [] : [{ type: 'note', kind: 'history_healed', detail }]
  // Messages that come to nothing still ask for an answer.
  const isLost = entries.length > 0 && messages.length === 0
  return { messages: isLost ? [{ role: 'user', content: '' }] : messages, notes }
}

function readMessage(fields: JsonObject, index: number, names: ToolNames, faults: FailureCode[]): Message {
  const { role } = fields
  const content = readContent(fields)
  switch (typeof role === 'string' ? role.toLowerCase() : '') {
    case 'system':
    case 'developer':
      return { role: 'system', content: textOf(content) }
    case 'assistant': {
      const { thinking } = fields
      const reasoning = typeof thinking === 'string' ? thinking : ''
      const calls = readCalls(fields['tool_calls'], index, names, faults)
      return { role: 'assistant', content: inUsualOrder({ content: textOf(content), reasoning, calls }) }
    }
    case 'tool':
    case 'function': {
      const { tool_call_id: id, tool_name: named = fields['name'] } = fields
      return defined({
        role: 'tool' as const,
        callId: typeof id === 'string' ? id : '',
        content,
        name: typeof named === 'string' && named !== '' ? names.toInner(named) : undefined,
      })
    }
    default:
      return { role: 'user', content }
  }
}

/** A string and pictures beside it. Lists of parts are not part of this protocol; those who send them mean OpenAI's. */
function readContent({ content, images }: JsonObject): Content {
  const pictures = readImages(images)
  if (!Array.isArray(content)) {
    const text = toText(content)
    if (pictures.length === 0) return text
    return text === '' ? pictures : [{ type: 'text', text }, ...pictures]
  }
  const parts = [...(content as readonly Json[]).flatMap(readPart), ...pictures]
  return parts.every((part) => part.type === 'text') ? textOf(parts) : parts
}

function readPart(value: Json): readonly Part[] {
  if (!isJsonObject(value)) return [{ type: 'text', text: toText(value) }]
  const { text, image_url: image } = value
  if (typeof text === 'string') return [{ type: 'text', text }]
  return readImages([isJsonObject(image) ? image['url'] : image])
}

function toText(value: Json | undefined): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value)
}

function readCalls(value: unknown, index: number, names: ToolNames, faults: FailureCode[]): readonly Call[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown, place): Call[] => {
    const { id, function: made } = isJsonObject(entry) ? entry : {}
    const { name, arguments: given } = isJsonObject(made) ? made : {}
    if (typeof name !== 'string' || name === '') return []
    return [
      {
        // Its place makes one where the client keeps none: the same with every request, so that a prompt begins as before.
        id: typeof id === 'string' && id !== '' ? id : `call_message${index}_${place}`,
        kind: 'function',
        name: names.toInner(name),
        arguments: readArguments(given, faults),
      },
    ]
  })
}

/** An object here; some clients write it as OpenAI does. */
function readArguments(given: Json | undefined, faults: FailureCode[]): string {
  const text = toText(given)
  if (text.trim() === '') return '{}'
  if (!isJsonObject(given) && !isJsonObject(parseJson(text))) faults.push('malformed_tool_arguments')
  return text
}

/** Instructions at the beginning are one message: many templates take no second one. */
function joinSystem(messages: readonly Message[]): readonly Message[] {
  const first = messages.findIndex(({ role }) => role !== 'system')
  const leading = first === -1 ? messages : messages.slice(0, first)
  if (leading.length < 2) return messages
  const texts = leading.map(({ content }) => textOf(content)).filter((text) => text !== '')
  return [{ role: 'system', content: texts.join('\n\n') }, ...messages.slice(leading.length)]
}

/** Pictures in results follow in a user's message: services take none in a result. */
function showLater(messages: readonly Message[]): readonly Message[] {
  const pictures: Part[] = []
  const show = (): readonly UserMessage[] =>
    pictures.length === 0 ? [] : [{ role: 'user', content: pictures.splice(0, pictures.length) }]
  const shown = messages.flatMap((message): readonly Message[] => {
    if (message.role !== 'tool') return [...show(), message]
    if (typeof message.content === 'string') return [message]
    pictures.push(...message.content.filter(({ type }) => type === 'image'))
    return [{ ...message, content: textOf(message.content) }]
  })
  return [...shown, ...show()]
}

/** How pictures of each type begin, in base64. */
const beginnings: readonly (readonly [beginning: string, type: string])[] = [
  ['iVBORw0KGgo', 'image/png'],
  ['/9j/', 'image/jpeg'],
  ['R0lGOD', 'image/gif'],
  ['UklGR', 'image/webp'],
  ['Qk', 'image/bmp'],
  ['SUkq', 'image/tiff'],
  ['TU0AK', 'image/tiff'],
]

/** `images`: base64 without a type, which its first bytes tell. What is an address already stays one. */
export function readImages(value: unknown): readonly Part[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((image: unknown): Part[] =>
    typeof image === 'string' && image !== '' ? [{ type: 'image', url: toUrl(image) }] : [],
  )
}

function toUrl(image: string): string {
  if (/^(?:data:|https?:\/\/)/i.test(image)) return image
  const type = beginnings.find(([beginning]) => image.startsWith(beginning))?.[1] ?? 'image/png'
  return `data:${type};base64,${image}`
}
