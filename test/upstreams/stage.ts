import { onTestFinished } from 'vitest'
import { createRandomId } from '../../src/random-id.ts'
import { defaultSettings, type ModelSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { OpenAiOptions } from '../../src/upstreams/openai/openai.ts'
import type { OpenAiDoubleOptions } from '../doubles/openai-compat.ts'
import { startBoth } from '../doubles/openai-upstream.ts'
import { ask as askGateway, type Reply, run } from '../server/scripted.ts'

export type Body = Readonly<Record<string, unknown>>

interface StageOptions {
  readonly model?: Partial<ModelSettings>
  /** Models of the same settings beside the first. */
  readonly others?: readonly string[]
  readonly upstream?: Partial<OpenAiOptions>
  readonly questions?: OpenAiDoubleOptions['questions']
}

export const weather = {
  type: 'function',
  function: {
    name: 'get_weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
  },
}

/** A client, the real gateway, and a scripted service behind it. */
export async function startStage(respond: OpenAiDoubleOptions['respond'], options: StageOptions = {}) {
  const { double, upstream } = await startBoth(respond, options.upstream, undefined, options.questions)
  const turns = createTurns({
    upstreams: new Map([['local', upstream]]),
    models: ['m', ...(options.others ?? [])].map((name) => ({
      ...defaultSettings(name, ['local']),
      ...options.model,
    })),
    newId: () => createRandomId('call_'),
  })
  const running = await run({ turns })
  onTestFinished(() => running.gateway.close())

  async function ask(body: Body = {}, headers: Record<string, string> = {}): Promise<Reply> {
    return await askGateway(running.port, {
      headers: { 'content-type': 'application/json', ...headers },
      body: { model: 'm', messages: [{ role: 'user', content: 'Hi' }], ...body },
    })
  }

  return {
    ...running,
    double,
    ask,
    /** What the service was asked, oldest first. */
    bodies: () => double.requests.filter(({ method }) => method === 'POST').map(({ body }) => body as Body),
  }
}

/** The events of a stream, `[DONE]` as a text. */
export function eventsOf({ text }: Reply): readonly (Body | string)[] {
  return text
    .split('\n\n')
    .filter((event) => event.startsWith('data: '))
    .map((event) => (event === 'data: [DONE]' ? '[DONE]' : (JSON.parse(event.slice(6)) as Body)))
}
