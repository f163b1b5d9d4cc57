import type { Event } from '../../src/protocol/event.ts'
import type { Message } from '../../src/protocol/message.ts'
import type { Request } from '../../src/protocol/request.ts'
import { defaultSettings, type ModelSettings } from '../../src/turn/settings.ts'
import type { Turn, TurnContext, Turns } from '../../src/turn/turn.ts'
import { createTurns } from '../../src/turn/turns.ts'
import type {
  Capabilities,
  Upstream,
  UpstreamEvent,
  UpstreamModel,
  UpstreamRequest,
} from '../../src/upstreams/upstream.ts'

/** What a scripted service does on one call: reads to deliver, or a failure to throw, in order. */
export type Script = readonly (readonly UpstreamEvent[] | Error)[]

export interface Scripted extends Upstream {
  /** What it was asked, in order. */
  readonly asked: readonly UpstreamRequest[]
  /** Reads that were taken from it, over all answers. */
  readonly taken: number
  /** Signals of its answers. */
  readonly signals: readonly AbortSignal[]
}

export interface ScriptedOptions {
  readonly name?: string
  readonly models?: readonly UpstreamModel[]
  readonly nativeTools?: Capabilities['nativeTools']
}

/** A service that says what it is told to, one script an answer. */
export function createScripted(scripts: readonly Script[], options: ScriptedOptions = {}): Scripted {
  const asked: UpstreamRequest[] = []
  const signals: AbortSignal[] = []
  let taken = 0
  return {
    name: options.name ?? 'scripted',
    kind: 'scripted',
    asked,
    signals,
    get taken() {
      return taken
    },
    async *chat(request, signal) {
      const script = scripts[asked.length] ?? []
      asked.push(request)
      signals.push(signal)
      for (const read of script) {
        signal.throwIfAborted()
        taken++
        if (read instanceof Error) throw read
        yield read
      }
    },
    models: async () => options.models ?? [],
    probe: async () => ({ nativeTools: options.nativeTools ?? 'no' }),
    close: async () => undefined,
  }
}

/** A text answer, cut into reads of `size` characters. */
export function says(text: string, size = text.length): Script {
  const reads: UpstreamEvent[][] = []
  for (let at = 0; at < text.length; at += size) reads.push([{ type: 'text', text: text.slice(at, at + size) }])
  return [...reads, [{ type: 'finish', reason: 'stop' }]]
}

export function turnsOver(upstream: Upstream, settings: Partial<ModelSettings> = {}): Turns {
  let made = 0
  return createTurns({
    upstreams: new Map([[upstream.name, upstream]]),
    models: [{ ...defaultSettings('model', [upstream.name]), ...settings }],
    newId: () => `call_${++made}`,
    now: () => 0,
  })
}

export function toRequest(messages: readonly Message[] | string, request: Partial<Request> = {}): Request {
  return {
    model: 'model',
    messages: typeof messages === 'string' ? [{ role: 'user', content: messages }] : messages,
    tools: [],
    sampling: {},
    extra: {},
    ...request,
  }
}

export const context: TurnContext = { signal: new AbortController().signal }

export async function collect(turn: Turn): Promise<readonly Event[]> {
  const events: Event[] = []
  for await (const batch of turn.events) events.push(...batch)
  return events
}

/** The whole answer of a list of events: a plain fold. */
export function fold(events: readonly Event[]) {
  const calls: { id: string; name: string; arguments: string; ended: boolean }[] = []
  let text = ''
  let reasoning = ''
  for (const event of events) {
    if (event.type === 'text-delta') text += event.text
    if (event.type === 'reasoning-delta') reasoning += event.text
    if (event.type === 'call-start')
      calls[event.index] = { id: event.id, name: event.name, arguments: '', ended: false }
    const call = 'index' in event && event.index !== undefined ? calls[event.index] : undefined
    if (call !== undefined && event.type === 'call-delta') call.arguments += event.json
    if (call !== undefined && event.type === 'call-end') call.ended = true
  }
  const finish = events.findLast((event) => event.type === 'finish')?.reason
  return {
    text,
    reasoning,
    calls,
    finish,
    notes: events.flatMap((event) => (event.type === 'note' ? [event.kind] : [])),
  }
}
