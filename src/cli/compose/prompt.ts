import { defaultSettings } from '../../turn/settings.ts'
import type { Turns } from '../../turn/turn.ts'
import { createTurns } from '../../turn/turns.ts'
import { toOpenAiBody } from '../../upstreams/openai/body.ts'
import type { Upstream, UpstreamRequest } from '../../upstreams/upstream.ts'

/**
 * The messages a request becomes in prompt mode, as an OpenAI-compatible upstream gets them: a real turn is begun, with
 * an upstream that only remembers what it was asked.
 */
export async function preparePrompt(request: Parameters<Turns['start']>[0], dialect: string): Promise<unknown> {
  let asked: UpstreamRequest | undefined
  const upstream: Upstream = {
    name: 'prompt',
    kind: 'prompt',
    async *chat(question) {
      asked = question
      yield [{ type: 'finish', reason: 'stop' }]
    },
    models: async () => [],
    probe: async () => ({ nativeTools: 'no' }),
    close: async () => undefined,
  }
  const settings = { ...defaultSettings(request.model, [upstream.name]), tools: 'prompt' as const, dialect }
  const turns = createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: [settings],
    newId: () => 'call_1',
  })
  const turn = await turns.start(request, { signal: new AbortController().signal })
  for await (const _events of turn.events);
  return asked === undefined ? [] : toOpenAiBody(asked)['messages']
}
