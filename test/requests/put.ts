import { openaiChat } from '../../src/doors/openai-chat/door.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'
import type { UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { readAt } from '../doors/visit.ts'
import { context, createScripted, type Script, says, turnsOver } from '../turn/scripted.ts'

/** Told, so that nobody has to count. */
const usage: UpstreamEvent = { type: 'usage', promptTokens: 1, completionTokens: 1 }

/**
 * Puts a body in at the door as the server would; what the service is asked is added to `asked` as it is asked. Throws
 * what the client would be told.
 */
export async function put(
  body: object,
  settings: Partial<ModelSettings> = {},
  asked: UpstreamRequest[] = [],
): Promise<readonly UpstreamRequest[]> {
  const exchange = await readAt(openaiChat, '/v1/chat/completions', body)
  const upstream = createScripted(exchange.requests.map((): Script => [[usage], ...says('Hello.')]))
  const turns = turnsOver(upstream, settings)
  try {
    for (const request of exchange.requests) {
      const turn = await turns.start({ ...request, model: 'model' }, context)
      for await (const _events of turn.events);
    }
  } finally {
    asked.push(...upstream.asked)
  }
  return asked
}
