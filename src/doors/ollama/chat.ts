import type { Note } from '../../protocol/event.ts'
import type { Request } from '../../protocol/request.ts'
import type { DoorContext, Exchange } from '../door.ts'
import { defined } from '../shared/fields.ts'
import { chatShape } from './answer/lines.ts'
import { checkThinking, readFields, readModelName, readStream, toExchange, toLoad } from './exchange.ts'
import { readConversation } from './request/messages.ts'
import { noteUnknownFields, readWishes } from './request/options.ts'
import { readToolChoice, readTools } from './request/tools.ts'

/** `POST /api/chat` */
export async function readChat(body: unknown, context: DoorContext): Promise<Exchange> {
  const fields = readFields(body)
  const model = readModelName(fields)
  const streaming = readStream(fields)
  const offer = readTools(fields['tools'], context.limits.tools)
  const { messages, notes: healed } = readConversation(fields['messages'], offer.names)
  const telling = { model, shape: chatShape, names: offer.names, now: context.now }
  const unknown = noteUnknownFields(fields, 'chat')
  if (messages.length === 0) return await toLoad(fields, streaming, telling, context, unknown)
  const parallel = fields['parallel_tool_calls']
  const dropped = offer.dropped.map((detail): Note => ({ type: 'note', kind: 'tool_dropped', detail }))
  const notes = [...healed, ...dropped, ...unknown]
  const request: Request = defined({
    model,
    messages,
    tools: offer.tools,
    toolChoice: readToolChoice(fields['tool_choice'], offer),
    parallelCalls: typeof parallel === 'boolean' ? parallel : undefined,
    ...readWishes(fields),
    notes: notes.length === 0 ? undefined : notes,
  })
  await checkThinking(request, context)
  return toExchange(request, streaming, telling)
}
