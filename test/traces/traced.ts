import { createRandomId } from '../../src/random-id.ts'
import { createGateway } from '../../src/server/gateway.ts'
import type { Gateway, GatewayOptions } from '../../src/server/gateway-options.ts'
import { createToken, type Token } from '../../src/server/inspector/token.ts'
import type { Page } from '../../src/traces/api.ts'
import type { Exchange } from '../../src/traces/exchange.ts'
import { createRecorder, type Recorder, type TraceSettings } from '../../src/traces/recorder.ts'
import { defaultSettings, type ModelSettings } from '../../src/turn/settings.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../../src/upstreams/upstream.ts'
import { ask, createManualClock, type ManualClock } from '../server/scripted.ts'

/** What a scripted service says to the nth question: reads, or a failure. */
export type Script = (request: UpstreamRequest, nth: number) => AsyncIterable<readonly UpstreamEvent[]>

export async function* reads(...all: readonly (readonly UpstreamEvent[])[]): AsyncGenerator<readonly UpstreamEvent[]> {
  yield* all
}

/** A text said in pieces, and the end. */
export function saying(text: string, length = 7): AsyncGenerator<readonly UpstreamEvent[]> {
  const pieces = text.match(new RegExp(`[^]{1,${length}}`, 'g')) ?? []
  return reads(...pieces.map((piece) => [{ type: 'text', text: piece } as const]), [
    { type: 'usage', promptTokens: 11, completionTokens: 5 },
    { type: 'finish', reason: 'stop' },
  ])
}

interface TracedOptions {
  readonly script: Script
  readonly model?: Partial<ModelSettings>
  readonly traces?: Partial<TraceSettings>
  readonly gateway?: Partial<GatewayOptions>
  readonly native?: boolean
  /** The folder of the built page. */
  readonly page?: string
}

export interface Traced {
  readonly gateway: Gateway
  readonly port: number
  readonly recorder: Recorder
  readonly token: Token
  readonly clock: ManualClock
  /** JSON of the inspector's API. */
  get<T>(path: string): Promise<T>
  /** The newest exchange, once it is over. */
  last(): Promise<Exchange>
}

/** A gateway in front of a scripted service, with all that is real between them. */
export async function runTraced(options: TracedOptions): Promise<Traced> {
  const clock = createManualClock()
  let asked = 0
  let ids = 0
  const upstream: Upstream = {
    name: 'local',
    kind: 'scripted',
    chat: (request) => options.script(request, asked++),
    models: async () => [{ id: 'm' }],
    probe: async () => ({ nativeTools: options.native === true ? 'yes' : 'no' }),
    close: async () => undefined,
  }
  const turns = createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: [{ ...defaultSettings('m', ['local']), dialect: 'hermes', ...options.model }],
    newId: () => `call_${ids++}`,
    now: clock.now,
  })
  const token = createToken()
  const settings: TraceSettings = {
    store: 'memory',
    file: '',
    entries: 100,
    bytes: 10_000_000,
    bodies: true,
    ...options.traces,
  }
  const recorder = createRecorder({ settings, clock, createId: createRandomId })
  const gateway = createGateway({
    turns,
    host: '127.0.0.1',
    port: 0,
    timeouts: { drainMs: 0 },
    clock,
    createId: (prefix) => `${prefix}${ids++}`,
    traces: { recorder, token, folder: options.page ?? '/nowhere' },
    ...options.gateway,
  })
  const { port } = await gateway.listen()
  const get = async <T>(path: string): Promise<T> => (await ask(port, { method: 'GET', path })).json
  return {
    gateway,
    port,
    recorder,
    token,
    clock,
    get,
    async last() {
      for (;;) {
        const { exchanges } = await get<Page>('/inspector/api/exchanges?limit=1')
        const [newest] = exchanges
        if (newest !== undefined && newest.state !== 'open') return await get(`/inspector/api/exchanges/${newest.id}`)
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

const parameters = {
  type: 'object',
  required: ['path'],
  properties: { path: { type: 'string' }, lines: { type: 'integer' } },
}

export const readFile = { type: 'function', function: { name: 'read_file', description: 'Read a file', parameters } }

/** The same request at each door. */
export function requestsAt(text: string, stream: boolean): Readonly<Record<string, { path: string; body: object }>> {
  const messages = [{ role: 'user', content: text }]
  const flat = { name: 'read_file', description: 'Read a file' }
  return {
    chat: { path: '/v1/chat/completions', body: { model: 'm', stream, messages, tools: [readFile] } },
    responses: {
      path: '/v1/responses',
      body: { model: 'm', stream, store: false, input: text, tools: [{ type: 'function', ...flat, parameters }] },
    },
    messages: {
      path: '/v1/messages',
      body: { model: 'm', stream, max_tokens: 1000, messages, tools: [{ ...flat, input_schema: parameters }] },
    },
    ollama: { path: '/api/chat', body: { model: 'm', stream, messages, tools: [readFile] } },
  }
}
