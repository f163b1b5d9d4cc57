import { type IncomingHttpHeaders, request } from 'node:http'
import { connect } from 'node:net'
import type { Clock } from '../../src/clock.ts'
import { GatewayError } from '../../src/errors.ts'
import type { Event } from '../../src/protocol/event.ts'
import type { Plan } from '../../src/protocol/plan.ts'
import type { Request } from '../../src/protocol/request.ts'
import { createGateway } from '../../src/server/gateway.ts'
import type { Gateway, GatewayOptions } from '../../src/server/gateway-options.ts'
import type { ExchangeRecord } from '../../src/server/telemetry/log.ts'
import type { ModelCard, TurnContext, Turns } from '../../src/turn/turn.ts'
import { noEmbeddings } from '../../src/upstreams/upstream.ts'

type Batches = AsyncIterable<readonly Event[]>

export const say = (text: string): Event => ({ type: 'text-delta', text })
export const stop: Event = { type: 'finish', reason: 'stop' }
const plan: Plan = { mode: 'prompt', dialect: 'hermes', upstream: 'local', model: 'm' }

const card: ModelCard = { id: 'Qwen/Qwen3', ownedBy: 'local', tools: 'prompt', dialect: 'hermes' }

/** Turns that say what a script says. `starts` keeps what they were asked. */
export interface ScriptedTurns extends Turns {
  readonly starts: { readonly request: Request; readonly context: TurnContext }[]
}

export function scriptTurns(script: (context: TurnContext, nth: number) => Batches | Promise<Batches>): ScriptedTurns {
  const starts: ScriptedTurns['starts'] = []
  return {
    starts,
    async start(asked, context) {
      starts.push({ request: asked, context })
      return { plan, promptTokens: () => 3, events: await script(context, starts.length - 1) }
    },
    countTokens: async () => 3,
    async embed() {
      throw noEmbeddings()
    },
    models: async () => [card],
    async model(name) {
      if (name !== card.id && name !== `${card.id}:latest`)
        throw new GatewayError('model_not_found', `No ${name} here.`)
      return card
    },
  }
}

export async function* batches(...list: readonly (readonly Event[])[]): Batches {
  yield* list
}

/** Waits until the signal aborts, then throws its reason, as an upstream does. */
export function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true }))
}

export interface ManualClock extends Clock {
  advance(ms: number): void
}

export function createManualClock(): ManualClock {
  let now = 1_700_000_000_000
  let timers: { at: number; run: () => void }[] = []
  return {
    now: () => now,
    after(ms, run) {
      const timer = { at: now + ms, run }
      timers.push(timer)
      return () => {
        timers = timers.filter((each) => each !== timer)
      }
    },
    advance(ms) {
      const end = now + ms
      for (;;) {
        const due = timers.filter((each) => each.at <= end).sort((a, b) => a.at - b.at)[0]
        if (due === undefined) break
        timers = timers.filter((each) => each !== due)
        now = due.at
        due.run()
      }
      now = end
    },
  }
}

export interface Running {
  readonly gateway: Gateway
  readonly port: number
  readonly records: ExchangeRecord[]
  /** The record of the next exchange to end. */
  nextRecord(): Promise<ExchangeRecord>
}

export async function run(options: Partial<GatewayOptions> & { readonly turns: Turns }): Promise<Running> {
  const records: ExchangeRecord[] = []
  const waiting: ((record: ExchangeRecord) => void)[] = []
  const exchange = (record: ExchangeRecord): void => {
    records.push(record)
    waiting.shift()?.(record)
  }
  const gateway = createGateway({
    host: '127.0.0.1',
    port: 0,
    log: { exchange },
    ...options,
    timeouts: { drainMs: 0, ...options.timeouts },
  })
  const { port } = await gateway.listen()
  return { gateway, port, records, nextRecord: () => new Promise((resolve) => waiting.push(resolve)) }
}

export interface Reply {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came
  readonly json: any
}

export interface Asked {
  readonly method?: string
  readonly path?: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

export const chat = { model: 'm', messages: [{ role: 'user', content: 'hi' }] }

/** One request to the end of its answer. A string as body goes as it is; a body is said to be JSON unless the headers tell. */
export function ask(port: number, asked: Asked = {}): Promise<Reply> {
  const { method = 'POST', path = '/v1/chat/completions', body = method === 'POST' ? chat : undefined } = asked
  const headers = { ...(body !== undefined && { 'content-type': 'application/json' }), ...asked.headers }
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        const isJson = response.headers['content-type']?.startsWith('application/json') && text !== ''
        const json = isJson ? JSON.parse(text) : undefined
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json })
      })
    })
    sent.on('error', reject)
    sent.end(
      typeof body === 'string' || body instanceof Uint8Array ? body : body === undefined ? '' : JSON.stringify(body),
    )
  })
}

/** Bytes as they are, and all that comes back until the gateway closes the connection. */
export function askRaw(port: number, bytes: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(bytes))
    let text = ''
    socket.on('data', (chunk) => (text += chunk))
    socket.on('error', reject)
    socket.on('close', () => resolve(text))
  })
}
