import type { Json, JsonObject } from '../../protocol/json.ts'
import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { DoorContext, Exchange } from '../door.ts'
import { defined, fail, optional, text } from '../shared/fields.ts'
import { generateShape } from './answer/lines.ts'
import { checkThinking, readFields, readModelName, readStream, toExchange, toLoad } from './exchange.ts'
import { createToolNames } from './names.ts'
import { readImages } from './request/images.ts'
import { noteUnknownFields, readWishes } from './request/options.ts'

/** What only a model that completes bare text can be asked. Said as nothing, it is nothing. */
const unsupported = ['raw', 'suffix', 'template', 'context'] as const

/** `POST /api/generate`: one question, without a conversation. */
export async function readGenerate(body: unknown, context: DoorContext): Promise<Exchange> {
  const fields = readFields(body)
  const model = readModelName(fields)
  const streaming = readStream(fields)
  for (const name of unsupported) {
    if (!isNothing(fields[name])) fail('unsupported_parameter', `${name} is not supported here`, name)
  }
  const telling = { model, shape: generateShape, names: createToolNames([]), now: context.now }
  const messages = readQuestion(fields)
  const unknown = noteUnknownFields(fields, 'generate')
  if (messages === undefined) return await toLoad(fields, streaming, telling, context, unknown)
  const notes = unknown.length === 0 ? undefined : unknown
  const request: Request = defined({ model, messages, tools: [], ...readWishes(fields), notes })
  await checkThinking(request, context)
  return toExchange(request, streaming, telling)
}

function isNothing(value: Json | undefined): boolean {
  return !value || (Array.isArray(value) && value.length === 0)
}

function readQuestion(fields: JsonObject): readonly Message[] | undefined {
  const prompt = optional(text)(fields['prompt'], 'prompt') ?? ''
  const system = optional(text)(fields['system'], 'system') ?? ''
  const images = readImages(fields['images'])
  if (prompt === '' && images.length === 0) return undefined
  const content = images.length === 0 ? prompt : [{ type: 'text' as const, text: prompt }, ...images]
  return [...(system === '' ? [] : [{ role: 'system' as const, content: system }]), { role: 'user', content }]
}
