import { GatewayError } from '../../errors.ts'
import type { Tool } from '../../protocol/tool.ts'
import type { Upstream } from '../../upstreams/upstream.ts'
import type { TurnContext } from '../turn.ts'

const tool: Tool = {
  kind: 'function',
  name: 'get_time',
  description: 'Tells the time of day in a place.',
  parameters: { type: 'object', properties: { place: { type: 'string' } }, required: ['place'] },
}

/** A template that prints the tool above adds at least its name, its description and its parameter. */
const leastGrowth = 15

/**
 * Whether a prompt grows when tools are sent for the chat template to tell. Undefined: the service could not be asked, or
 * gives no figures. Costs two answers of one token.
 */
export async function growsWithTools(
  upstream: Upstream,
  model: string,
  context: Pick<TurnContext, 'signal' | 'clientKey'>,
): Promise<boolean | undefined> {
  try {
    const plain = await promptTokens(upstream, model, [], context)
    const told = await promptTokens(upstream, model, [tool], context)
    return plain === undefined || told === undefined ? undefined : told - plain >= leastGrowth
  } catch (thrown) {
    if (context.signal.aborted) throw thrown
    // Refused because of the tools, or away: the next request finds out.
    return thrown instanceof GatewayError && thrown.code === 'upstream_rejected' ? false : undefined
  }
}

async function promptTokens(
  upstream: Upstream,
  model: string,
  tools: readonly Tool[],
  { signal, clientKey }: Pick<TurnContext, 'signal' | 'clientKey'>,
): Promise<number | undefined> {
  const request = {
    model,
    messages: [{ role: 'user', content: 'Hi' }],
    tools,
    toolsByTemplate: true,
    sampling: { temperature: 0 },
    maxTokens: 1,
    extra: {},
    ...(clientKey !== undefined && { clientKey }),
  } as const
  let tokens: number | undefined
  for await (const events of upstream.chat(request, signal)) {
    for (const event of events) if (event.type === 'usage') tokens = event.promptTokens
  }
  return tokens
}
