import { GatewayError } from '../../errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Request } from '../../protocol/request.ts'
import type { ModelCard } from '../../turn/turn.ts'
import { cardsFor, type Door, type DoorContext, type Exchange, type Reply, reply } from '../door.ts'
import { createMessage, type Identity, type Manner, type Message, printMessage, silentWire } from './answer/message.ts'
import { createStream } from './answer/stream.ts'
import { printError } from './errors.ts'
import { createCallMetadata, restoreMetadata } from './kept/call-metadata.ts'
import { openThread } from './kept/thread.ts'
import { type Edited, editContext } from './request/context-edits.ts'
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
  const { body: edited, applied } = await edit(thread?.body ?? body, context)
  const asked = readRequest(edited, { toolsLimit: context.limits.tools })
  const { stream, showsThoughts, names, session } = asked
  const messages = await restoreMetadata(asked.request.messages, context.store)
  const { request, isFull } = await fitToContext({ ...asked.request, messages }, context)
  const identity: Identity = { id: context.createId('msg_'), model: request.model }
  const callMetadata = createCallMetadata(context.createId)
  const manner: Manner = { showsThoughts, isFull, names, callMetadata, appliedEdits: applied }
  const conversation = context.header('x-claude-code-session-id') ?? session
  /** What the next request needs, which may come at once. */
  async function keep(message: Message): Promise<void> {
    if (thread !== undefined) await thread.keep(identity.id, message.content())
    if (!callMetadata.isEmpty()) await callMetadata.save(context.store)
  }
  return {
    model: request.model,
    streaming: stream,
    reportsUsage: true,
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

/** Without what the client wants cleared. A body that cannot be read is told by what reads all of it. */
async function edit(body: unknown, context: DoorContext): Promise<Omit<Edited, 'body'> & { readonly body: unknown }> {
  if (!isJsonObject(body)) return { body }
  return await editContext(body, (counted) => context.countTokens(toCounted(counted, context)))
}

function toCounted(body: unknown, { limits }: DoorContext): Request {
  return readRequest(body, { toolsLimit: limits.tools, isCounted: true }).request
}

async function count(context: DoorContext): Promise<Reply> {
  const { body, applied, originalTokens } = await edit(await context.body(), context)
  const tokens = await context.countTokens(toCounted(body, context))
  const management = applied && { context_management: { original_input_tokens: originalTokens ?? tokens } }
  return reply(JSON.stringify({ input_tokens: tokens, ...management }))
}

function toModel({ id, contextLength }: ModelCard, started: number): JsonObject {
  return {
    type: 'model',
    id,
    display_name: id,
    created_at: new Date(started).toISOString(),
    ...(contextLength !== undefined && { max_input_tokens: contextLength }),
  }
}

/** All there are, on one page. */
function printModels(cards: readonly ModelCard[], started: number): string {
  return JSON.stringify({
    data: cards.map((card) => toModel(card, started)),
    has_more: false,
    first_id: cards[0]?.id ?? null,
    last_id: cards.at(-1)?.id ?? null,
  })
}

function printModel(id: string, cards: readonly ModelCard[], started: number): string {
  const card = cards.find((each) => each.id === id)
  if (card === undefined) throw new GatewayError('model_not_found', `The model '${id}' does not exist.`)
  return JSON.stringify(toModel(card, started))
}
