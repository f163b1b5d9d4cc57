import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Content, Part } from '../../../protocol/message.ts'
import {
  array,
  type Check,
  defined,
  fail,
  filledText,
  object,
  oneOf,
  optional,
  text,
  wrongType,
} from '../../shared/fields.ts'

const textPart = (fields: JsonObject, path: string): Part => ({
  type: 'text',
  text: text(fields['text'], `${path}.text`),
})

const refusalPart = (fields: JsonObject, path: string): Part => ({
  type: 'text',
  text: text(fields['refusal'], `${path}.refusal`),
})

/** OpenAI nests the address; some clients write it straight into `image_url`. */
const imagePart = (fields: JsonObject, path: string): Part => {
  const at = `${path}.image_url`
  const image = fields['image_url']
  if (typeof image === 'string') return { type: 'image', url: filledText(image, at) }
  const { url, detail } = object(image, at) as { url?: unknown; detail?: unknown }
  return defined({
    type: 'image' as const,
    url: filledText(url, `${at}.url`),
    detail: optional(text)(detail, `${at}.detail`),
  })
}

/** What only some upstreams take travels as it came, once it has the field its type promises. */
const carried =
  (field: string) =>
  (fields: JsonObject, path: string): Part => {
    object(fields[field], `${path}.${field}`)
    return { type: 'other', value: fields }
  }

const parts = {
  text: textPart,
  refusal: refusalPart,
  image_url: imagePart,
  input_audio: carried('input_audio'),
  file: carried('file'),
  video_url: carried('video_url'),
  audio_url: carried('audio_url'),
} as const

type PartType = keyof typeof parts

function partOf(types: readonly PartType[]): Check<Part> {
  const known = oneOf(...types)
  return (value, path) => {
    const fields = object(value, path)
    return parts[known(fields['type'], `${path}.type`)](fields, path)
  }
}

const spoken = { types: ['text'], min: 1 } as const
const rules = {
  system: spoken,
  developer: spoken,
  user: { types: ['text', 'image_url', 'input_audio', 'file', 'video_url', 'audio_url'], min: 1 },
  assistant: { types: ['text', 'refusal'], min: 0 },
  tool: { types: ['text'], min: 0 },
  function: { types: ['text'], min: 0 },
} as const

type Role = keyof typeof rules

const checks = Object.fromEntries(
  Object.entries(rules).map(([role, { types, min }]) => [role, array(partOf(types), { min })]),
) as Record<Role, Check<Part[]>>

/** The content of a message: a string, or the parts its role may have. */
export function readContent(value: unknown, role: Role, path: string): Content {
  if (typeof value === 'string') return value
  if (value === null) fail('invalid_type', "Invalid value for 'content': expected a string, got null.", path)
  if (!Array.isArray(value)) wrongType(value, path, isJsonObject(value) ? 'a string or an array of parts' : 'a string')
  return checks[role](value, path)
}
