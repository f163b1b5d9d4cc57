import { GatewayError } from '../../../errors.ts'
import type { Message } from '../../../protocol/message.ts'
import { callsOf, textOf, wordsOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { DoorContext } from '../../door.ts'
import { overflow } from '../errors.ts'

interface Fitted {
  readonly request: Request
  /** The context has no room for as much as the client allows. */
  readonly isFull: boolean
}

/**
 * A request that asks for no more than its model has room for. Clients of this protocol must name a limit, do not know the
 * model's, and cannot go on from a refusal. Where the prompt alone is too long, they can: by these words.
 */
export async function fitToContext(
  request: Request,
  context: Pick<DoorContext, 'models' | 'countTokens'>,
): Promise<Fitted> {
  const { maxTokens = 0 } = request
  const card = (await context.models()).find(({ id }) => id === request.model)
  const { contextLength = Infinity, outputLimit = Infinity } = card ?? {}
  const bounded = Math.min(maxTokens, outputLimit)
  if (bounded + mostTokens(request) <= contextLength) return { request: lowered(request, bounded), isFull: false }
  const prompt = await context.countTokens(request)
  if (prompt > contextLength) {
    throw new GatewayError('context_length_exceeded', overflow(prompt, contextLength), { param: 'messages' })
  }
  const room = Math.max(1, contextLength - prompt)
  return { request: lowered(request, Math.min(bounded, room)), isFull: room < bounded }
}

function lowered(request: Request, maxTokens: number): Request {
  if (maxTokens === request.maxTokens) return request
  const detail = `max_tokens ${request.maxTokens} to ${maxTokens}`
  return { ...request, maxTokens, notes: [...(request.notes ?? []), { type: 'note', kind: 'limit_lowered', detail }] }
}

/** What is put around messages and tools, and what an image may come to. */
const framing = 2_000
const perImage = 4_000

/** No prompt of this request can have more tokens: every character would have to be one, and every tool be told twice. */
function mostTokens({ messages, tools }: Request): number {
  return messages.reduce((sum, message) => sum + lengthOf(message), framing) + toolsLength(tools)
}

function lengthOf(message: Message): number {
  const { content } = message
  const words = wordsOf(message)
  const images = typeof words === 'string' ? 0 : words.filter(({ type }) => type !== 'text').length
  const called = callsOf(message).reduce(
    (sum, call) => sum + call.name.length + call.arguments.length + framing / 40,
    0,
  )
  return textOf(content).length + images * perImage + called
}

function toolsLength(tools: Request['tools']): number {
  return tools.length === 0 ? 0 : JSON.stringify(tools).length * 2
}
