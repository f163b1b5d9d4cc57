import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { type Door, type DoorContext, type Exchange, type Reply, reply } from '../door.ts'
import { cardsFor } from '../shared/models.ts'
import { createMessage, type Identity, type Manner, type Message, printMessage, silentWire } from './answer/message.ts'
import { createStream } from './answer/stream.ts'
import { printError } from './errors.ts'
import { createCallMetadata, restoreMetadata } from './kept/call-metadata.ts'
import { openThread } from './kept/thread.ts'
import { printModel, printModels } from './models.ts'
import { readRequest } from './request/request.ts'
import { fitToContext } from './request/room.ts'

const properties: JsonObject = {
  model: { type: 'string', minLength: 1 },
  messages: {
    type: 'array',
    minItems: 1,
    items: {
      type: 'object',
      required: ['role', 'content'],
      properties: { role: { type: 'string' }, content: { type: ['string', 'array'] } },
    },
  },
  system: { type: ['string', 'array'] },
  tools: { type: 'array', items: { type: 'object' } },
}

/** What is taken at `/v1/messages`, for `/openapi.json`. */
const messagesBody: JsonObject = {
  type: 'object',
  required: ['model', 'messages', 'max_tokens'],
  properties: { ...properties, max_tokens: { type: 'integer', minimum: 1 }, stream: { type: 'boolean' } },
}

const countBody: JsonObject = { type: 'object', required: ['model', 'messages'], properties }

/** Every client of this protocol says which version of it, and no other client does. */
const wants = ({ header }: Pick<DoorContext, 'header'>): boolean => header('anthropic-version') !== undefined

/** Anthropic's messages, as Claude Code and the SDKs speak them. */
export const anthropicMessages: Door = {
  name: 'messages',
  clients: { of: 'Anthropic', base: '' },
  routes: [
    { method: 'POST', path: '/v1/messages', body: messagesBody, read },
    { method: 'POST', path: '/v1/messages/count_tokens', body: countBody, answer: count },
    {
      method: 'GET',
      path: '/v1/models',
      wants,
      answer: async ({ models, started }) => reply(printModels(await models(), started)),
    },
    {
      method: 'GET',
      path: '/v1/models/',
      wants,
      answer: async (context) => reply(printModel(context.rest, await cardsFor(context), context.started)),
    },
    // Claude Code asks here whether anything answers at all.
    { method: 'GET', path: '/api/hello', answer: () => reply('{"message":"hello"}') },
  ],
  ignores: ['anthropic-beta'],
  owns: (path) => /^\/(?:v1\/)?messages(?:\/|$)/.test(path) || path === '/api/hello',
  printError,
  headers: (requestId) => ({ 'request-id': requestId }),
}

async function read(body: unknown, context: DoorContext): Promise<Exchange> {
  const thread = isJsonObject(body) ? await openThread(body, context.store) : undefined
  const {
    request: asked,
    stream,
    showsThoughts,
    names,
    session,
  } = readRequest(thread?.body ?? body, {
    toolsLimit: context.limits.tools,
  })
  const messages = await restoreMetadata(asked.messages, context.store)
  const { request, isFull } = await fitToContext({ ...asked, messages }, context)
  const identity: Identity = { id: context.createId('msg_'), model: request.model }
  const callMetadata = createCallMetadata(context.createId)
  const manner: Manner = { showsThoughts, isFull, names, callMetadata }
  const conversation = context.header('x-claude-code-session-id') ?? session
  /** What the next request needs, which may come at once. */
  async function keep(message: Message): Promise<void> {
    if (thread !== undefined) await thread.keep(identity.id, message.content())
    if (!callMetadata.isEmpty()) await callMetadata.save(context.store)
  }
  return {
    model: request.model,
    streaming: stream,
    tellsUsage: true,
    requests: [request],
    ...(conversation !== undefined && { conversation }),
    createStream: () => createStream(identity, manner, keep),
    async printBody([events = []]) {
      const message = createMessage(manner, silentWire)
      message.push(events)
      const printed = printMessage(identity, message)
      await keep(message)
      return printed
    },
  }
}

async function count(context: DoorContext): Promise<Reply> {
  const terms = { toolsLimit: context.limits.tools, isCounted: true }
  const { request } = readRequest(await context.body(), terms)
  return reply(JSON.stringify({ input_tokens: await context.countTokens(request) }))
}
