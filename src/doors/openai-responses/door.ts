import type { JsonObject } from '../../protocol/json.ts'
import { type Door, type DoorContext, type Exchange, type Reply, reply } from '../door.ts'
import { seal } from '../shared/seal.ts'
import { createEnvelope } from './answer/envelope.ts'
import { createOutput, type Manner, type Output } from './answer/output.ts'
import { createStream, preparedState, stateOf } from './answer/stream.ts'
import { silentWire } from './answer/wire.ts'
import { printError } from './errors.ts'
import { typeOf } from './request/items.ts'
import { type ResponsesRequest, readRequest } from './request/request.ts'
import { responsesSocket } from './socket.ts'
import { answerCancel, answerDelete, answerGet, idOf, keepResponse, refuseCompaction } from './stored.ts'

/** What is taken at `/v1/responses`, for `/openapi.json`. */
const responsesBody: JsonObject = {
  type: 'object',
  required: ['model'],
  properties: {
    model: { type: 'string', minLength: 1 },
    input: { type: ['string', 'array'] },
    instructions: { type: ['string', 'null'] },
    previous_response_id: { type: ['string', 'null'] },
    tools: { type: 'array', items: { type: 'object' } },
    stream: { type: ['boolean', 'null'] },
  },
}

/** OpenAI's responses: what Codex and the newer SDKs speak. */
export const openaiResponses: Door = {
  name: 'responses',
  clients: { of: 'OpenAI', base: '/v1' },
  routes: [
    { method: 'POST', path: '/v1/responses', body: responsesBody, read },
    { method: 'GET', path: '/v1/responses', wants: isSocket, answer: refuseSocket, socket: responsesSocket },
    { method: 'POST', path: '/v1/responses/input_tokens', body: responsesBody, answer: countTokens },
    { method: 'POST', path: '/v1/responses/compact', answer: refuseCompaction },
    { method: 'GET', path: '/v1/responses/', answer: answerGet },
    { method: 'DELETE', path: '/v1/responses/', answer: answerDelete },
    { method: 'POST', path: '/v1/responses/', answer: answerCancel },
  ],
  owns: (path) => /^\/(?:v1\/)?responses(?:\/|$)/.test(path),
  printError,
}

async function read(body: unknown, context: DoorContext): Promise<Exchange> {
  const asked = await readRequest(body, context)
  const id = context.createId('resp_')
  const envelope = createEnvelope(asked, id, toSeconds(context.now()))
  const manner = mannerOf(asked, context)

  async function conclude(output: Output): Promise<string> {
    const completedAt = toSeconds(context.now())
    const response = envelope(asked.generates ? stateOf(output, completedAt) : preparedState(completedAt))
    const store = asked.store ? context.store : context.memory
    if (store !== undefined) {
      const input = asked.input.map((item) => named(item, context.createId))
      const { items } = output
      const kept = output.kept()
      const isUnseen = kept !== undefined && !manner.isSealed
      const unseen = isUnseen
        ? { type: 'reasoning', summary: [], encrypted_content: seal({ thoughts: '', ...kept }) }
        : undefined
      await keepResponse(store, id, { response, input, output: items, unseen })
    }
    return response
  }

  const { prompt_cache_key: conversation } = asked.body
  return {
    model: asked.request.model,
    streaming: asked.stream,
    reportsUsage: true,
    requests: asked.generates ? [asked.request] : [],
    ...(typeof conversation === 'string' && conversation !== '' && { conversation }),
    createStream: () => createStream({ manner, envelope, conclude }),
    async printBody([events = []]) {
      const output = createOutput(manner, silentWire)
      output.push(events)
      return await conclude(output)
    },
  }
}

function mannerOf({ table, include, body }: ResponsesRequest, { createId, header }: DoorContext): Manner {
  const { reasoning } = body as { readonly reasoning?: JsonObject | null }
  return {
    createId,
    calledBy: (name) => table.entryOf(name) ?? { kind: 'function', name },
    plainRefusals: /^codex/i.test(header('user-agent') ?? ''),
    isShown: reasoning?.['summary'] !== 'none',
    isSealed: include.has('reasoning.encrypted_content'),
  }
}

const prefixes: Readonly<Record<string, string>> = {
  function_call: 'fc_',
  function_call_output: 'fco_',
  custom_tool_call: 'ctc_',
  custom_tool_call_output: 'ctco_',
  reasoning: 'rs_',
}

/** An item as it is kept: each can be named. */
function named(item: JsonObject, createId: (prefix: string) => string): JsonObject {
  if (idOf(item) !== '') return item
  const type = typeOf(item)
  return { id: createId(Object.hasOwn(prefixes, type) ? (prefixes[type] ?? 'msg_') : 'msg_'), type, ...item }
}

async function countTokens(context: DoorContext): Promise<Reply> {
  const { request } = await readRequest(await context.body(), context)
  return reply(JSON.stringify({ object: 'response.input_tokens', input_tokens: await context.countTokens(request) }))
}

function isSocket({ header }: Pick<DoorContext, 'header'>): boolean {
  return header('upgrade')?.toLowerCase() === 'websocket'
}

/** Where there are no sockets. Clients fall back to HTTP at once when they are refused like this. */
function refuseSocket(): Reply {
  const message = 'Responses are not served over WebSocket here. Use POST.'
  const error = { message, type: 'invalid_request_error', param: null, code: 'websocket_unsupported' }
  return { ...reply(JSON.stringify({ error }), 426), headers: { upgrade: 'HTTP/1.1', connection: 'upgrade' } }
}

function toSeconds(milliseconds: number): number {
  return Math.floor(milliseconds / 1000)
}
