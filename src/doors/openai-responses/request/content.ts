import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Content, Part } from '../../../protocol/message.ts'
import { defined, fail, wrongType } from '../../shared/fields.ts'

/** Told what was left out of a request. */
export type Drop = (kind: 'item_dropped' | 'file_dropped', detail: string) => void

/** The content of a message, or what a tool gave back. Unknown parts are left out. */
export function readContent(value: unknown, path: string, drop: Drop): Content {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  if (!Array.isArray(value)) wrongType(value, path, 'a string or an array of parts')
  return flatten(value.flatMap((one, index) => readPart(one, `${path}[${index}]`, drop)))
}

/** Words alone are one text: so the beginning of a conversation stays the same, byte for byte. */
function flatten(parts: readonly Part[]): Content {
  if (!parts.every((part) => part.type === 'text')) return parts
  return parts.map(({ text }) => text).join('\n')
}

function readPart(value: unknown, path: string, drop: Drop): readonly Part[] {
  if (typeof value === 'string') return [{ type: 'text', text: value }]
  const fields: JsonObject = isJsonObject(value) ? value : wrongType(value, path, 'an object')
  const type = typeof fields['type'] === 'string' ? fields['type'] : ''
  const read = Object.hasOwn(readers, type) ? readers[type] : undefined
  if (read !== undefined) return read(fields, path, drop)
  drop('item_dropped', type === '' ? 'a part without a type' : type)
  return []
}

type ReadPart = (fields: JsonObject, path: string, drop: Drop) => readonly Part[]

const saying =
  (field: string): ReadPart =>
  (fields, path) => {
    const value = fields[field]
    if (typeof value !== 'string') wrongType(value, `${path}.${field}`, 'a string')
    return [{ type: 'text', text: value }]
  }

const image: ReadPart = (fields, path) => {
  const { image_url: given, detail } = fields
  const url = isJsonObject(given) ? given['url'] : given
  if (typeof url === 'string' && url !== '') {
    return [defined({ type: 'image' as const, url, detail: typeof detail === 'string' ? detail : undefined })]
  }
  if (fields['file_id'] === undefined || fields['file_id'] === null) wrongType(given, `${path}.image_url`, 'a string')
  fail(
    'unsupported_content',
    `Invalid '${path}': this gateway stores no files. Send the image itself, as a data URL in 'image_url'.`,
    `${path}.file_id`,
  )
}

/** In the form in which services take it that take files at all. */
const file: ReadPart = (fields, _path, drop) => {
  const { file_data, filename, file_url } = fields
  if (typeof file_data === 'string')
    return [{ type: 'other', value: { type: 'file', file: defined({ file_data, filename }) } }]
  const name = [filename, file_url, fields['file_id']].find((one) => typeof one === 'string') ?? 'unnamed'
  drop('file_dropped', String(name))
  return [{ type: 'text', text: `[file omitted: ${String(name)}]` }]
}

const audio: ReadPart = (fields, _path, drop) => {
  if (isJsonObject(fields['input_audio'])) return [{ type: 'other', value: fields }]
  drop('file_dropped', 'audio')
  return [{ type: 'text', text: '[file omitted: audio]' }]
}

const readers: Readonly<Record<string, ReadPart>> = {
  input_text: saying('text'),
  output_text: saying('text'),
  text: saying('text'),
  summary_text: saying('text'),
  reasoning_text: saying('text'),
  refusal: saying('refusal'),
  input_image: image,
  image_url: image,
  input_file: file,
  input_audio: audio,
}
