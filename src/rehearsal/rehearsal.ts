import type { Usage } from '../protocol/event.ts'
import { textOf } from '../protocol/message.ts'
import type { Upstream, UpstreamEvent, UpstreamRequest } from '../upstreams/upstream.ts'
import { cutText, type Delivery, pace, pieceSizes } from './cut.ts'
import { type Habits, improvise, type Line } from './improvise.ts'
import type { Voice } from './voice.ts'

const CHARACTERS_PER_TOKEN = 4

export interface RehearsalSettings extends Delivery, Habits {
  /** Answers to give word for word, the n-th to the n-th request, then from the start again. */
  readonly script?: readonly string[]
  /** Whether it reports usage, estimated from lengths. Default true. */
  readonly usage?: boolean
}

export interface RehearsalOptions extends RehearsalSettings {
  readonly name: string
  /** Without one it knows native tools only. */
  readonly voice?: Voice | undefined
}

/**
 * A stand-in for a model, for demonstrations and tests: it understands no language, it matches words. The same request
 * gets the same answer, and its answers say what it is.
 */
export function createRehearsalUpstream(options: RehearsalOptions): Upstream {
  const { name, voice, script = [], usage = true } = options
  let played = 0

  function nextLine(request: UpstreamRequest): Line {
    const scripted = script[played % script.length]
    played += 1
    return scripted === undefined ? improvise(request, voice, options) : { text: scripted, calls: [] }
  }

  return {
    name,
    kind: 'rehearsal',
    about: () => ({ product: 'a scripted stand-in, not a language model', embedded: true }),

    async *chat(request, signal) {
      signal.throwIfAborted()
      const line = nextLine(request)
      const spoken = { characters: 0, isCutOff: false }
      const events = within(budgetOf(request), say(line, request.stop ?? [], options), spoken)
      yield* pace(events, options, signal)
      const reason = spoken.isCutOff ? 'length' : line.calls.length > 0 ? 'tool_calls' : 'stop'
      const finish: UpstreamEvent = { type: 'finish', reason }
      yield usage ? [{ type: 'usage', ...estimate(request, spoken.characters) }, finish] : [finish]
    },

    async models() {
      return [{ id: 'rehearsal' }]
    },

    // It has native tools too, for who insists on them; left to choose, the gateway shows its own work.
    async probe() {
      return { nativeTools: 'no' }
    },

    async close() {
      // There is nothing to close.
    },
  }
}

function* say(line: Line, stops: readonly string[], delivery: Delivery): Generator<UpstreamEvent> {
  const sizes = pieceSizes(delivery)
  for (const text of cutText(line.reasoning ?? '', sizes)) yield { type: 'reasoning', text }
  for (const text of cutText(beforeStop(line.text, stops), sizes)) yield { type: 'text', text }
  for (const [index, call] of line.calls.entries()) {
    yield { type: 'call', index, id: call.id, name: call.name }
    for (const json of cutText(call.arguments, sizes)) yield { type: 'call', index, json }
  }
}

function beforeStop(text: string, stops: readonly string[]): string {
  const found = stops.filter((stop) => stop !== '').map((stop) => text.indexOf(stop))
  return text.slice(0, Math.min(text.length, ...found.filter((at) => at >= 0)))
}

function budgetOf(request: UpstreamRequest): number {
  return (request.maxTokens ?? Number.POSITIVE_INFINITY) * CHARACTERS_PER_TOKEN
}

/** As many of the events as the budget allows, keeping count in `spoken`. */
function* within(
  budget: number,
  events: Iterable<UpstreamEvent>,
  spoken: { characters: number; isCutOff: boolean },
): Generator<UpstreamEvent> {
  for (const event of events) {
    const length = 'text' in event ? event.text.length : event.type === 'call' ? (event.json?.length ?? 0) : 0
    if (spoken.characters + length > budget) {
      spoken.isCutOff = true
      return
    }
    spoken.characters += length
    yield event
  }
}

function estimate(request: UpstreamRequest, characters: number): Usage {
  const read = request.messages.reduce((sum, message) => sum + textOf(message.content).length, 0)
  const offered = request.tools.length > 0 ? JSON.stringify(request.tools).length : 0
  return {
    promptTokens: Math.ceil((read + offered) / CHARACTERS_PER_TOKEN),
    completionTokens: Math.ceil(characters / CHARACTERS_PER_TOKEN),
    estimated: true,
  }
}
