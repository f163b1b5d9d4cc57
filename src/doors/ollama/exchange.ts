import { GatewayError } from '../../errors.ts'
import type { Note } from '../../protocol/event.ts'
import { isJsonObject, type Json, type JsonObject } from '../../protocol/json.ts'
import type { Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { DoorContext, Exchange } from '../door.ts'
import { defined, fail, filledText, flag, optional, text } from '../shared/fields.ts'
import { createToolNames } from '../shared/tools.ts'
import { chatShape, createLines, generateShape, type LineOptions, lineStream, printLoad, printWhole } from './answer.ts'
import { readConversation, readImages } from './request/messages.ts'
import { noteUnknownFields, readOptions } from './request/options.ts'
import { readToolChoice, readTools } from './request/tools.ts'

export function readFields(body: unknown): JsonObject {
  if (isJsonObject(body)) return body
  throw new GatewayError('invalid_type', 'Invalid type for the request body: expected a JSON object.')
}

/** `model`, which older clients call `name`. */
export function readModelName(fields: JsonObject): string {
  return filledText(fields['model'] ?? fields['name'], 'model')
}

/** Whether the client wants it in pieces; it does, unless it says no. */
export function readStream(fields: JsonObject): boolean {
  return optional(flag)(fields['stream'], 'stream') ?? true
}

/** An answer of the model, streamed or whole. */
function toExchange(request: Request, streaming: boolean, options: LineOptions): Exchange {
  const start = options.now()
  return {
    model: request.model,
    streaming,
    reportsUsage: true,
    requests: [request],
    createStream: () => createLines(options),
    printBody: ([events = []]) => printWhole(options, start, events),
  }
}

/** Nothing is asked: clients have a model loaded before they use it, or let go of afterwards. It is there, or it is not. */
async function toLoad(
  fields: JsonObject,
  streaming: boolean,
  options: LineOptions,
  context: DoorContext,
  unknown: readonly Note[],
): Promise<Exchange> {
  const { model } = options
  const misspelt = unknown.find(({ detail = '' }) => /\((?:messages|prompt|images)\?\)$/.test(detail))
  if (misspelt?.detail !== undefined) {
    fail(
      'missing_required_parameter',
      `Nothing is asked, and one field is unknown here: ${misspelt.detail}`,
      misspelt.detail,
    )
  }
  await context.model(model)
  const reason = isOver(fields['keep_alive']) ? 'unload' : 'load'
  return {
    model,
    streaming,
    reportsUsage: false,
    requests: [],
    createStream: () => ({
      contentType: lineStream,
      open: () => '',
      push: () => '',
      end: () => `${printLoad(options, reason)}\n`,
      fail: () => '',
    }),
    printBody: () => printLoad(options, reason),
  }
}

/** `0`, `"0"`, `"0s"`. */
function isOver(keepAlive: unknown): boolean {
  return keepAlive === 0 || (typeof keepAlive === 'string' && /^0+(?:\.0+)?[a-z]*$/.test(keepAlive))
}

/** A model that is known not to think cannot be told to. Where that is not known, it is tried. */
async function checkThinking(request: Request, context: DoorContext): Promise<void> {
  if (request.reasoning?.enabled !== true) return
  const { thinking } = await context.model(request.model)
  if (thinking === false) fail('unsupported_parameter', `"${request.model}" does not support thinking`, 'think')
}

/** `POST /api/chat` */
export async function readChat(body: unknown, context: DoorContext): Promise<Exchange> {
  const fields = readFields(body)
  const model = readModelName(fields)
  const streaming = readStream(fields)
  const offer = readTools(fields['tools'], context.limits.tools)
  const { messages, notes: healed } = readConversation(fields['messages'], offer.names)
  const options = { model, shape: chatShape, names: offer.names, now: context.now }
  const unknown = noteUnknownFields(fields, 'chat')
  if (messages.length === 0) return await toLoad(fields, streaming, options, context, unknown)
  const parallel = fields['parallel_tool_calls']
  const dropped = offer.dropped.map((detail): Note => ({ type: 'note', kind: 'tool_dropped', detail }))
  const notes = [...healed, ...dropped, ...unknown]
  const request: Request = defined({
    model,
    messages,
    tools: offer.tools,
    toolChoice: readToolChoice(fields['tool_choice'], offer),
    parallelCalls: typeof parallel === 'boolean' ? parallel : undefined,
    ...readOptions(fields),
    notes: notes.length === 0 ? undefined : notes,
  })
  await checkThinking(request, context)
  return toExchange(request, streaming, options)
}

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
  const options = { model, shape: generateShape, names: createToolNames(), now: context.now }
  const messages = readQuestion(fields)
  const unknown = noteUnknownFields(fields, 'generate')
  if (messages === undefined) return await toLoad(fields, streaming, options, context, unknown)
  const notes = unknown.length === 0 ? undefined : unknown
  const request: Request = defined({ model, messages, tools: [], ...readOptions(fields), notes })
  await checkThinking(request, context)
  return toExchange(request, streaming, options)
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

const model: JsonObject = { type: 'string', minLength: 1 }

/** What is taken at `/api/chat`, for `/openapi.json`. */
export const chatBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: {
    model,
    messages: {
      type: 'array',
      items: {
        type: 'object',
        required: ['role'],
        properties: { role: { type: 'string' }, content: { type: 'string' } },
      },
    },
    tools: { type: 'array', items: { type: 'object' } },
    stream: { type: 'boolean' },
  },
}

export const generateBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: { model, prompt: { type: 'string' }, stream: { type: 'boolean' } },
}

/** The older clients say `name`. */
export const namedBody: JsonObject = {
  type: 'object',
  properties: { model, name: model },
  anyOf: [{ required: ['model'] }, { required: ['name'] }],
}
