import { Pieces } from '../../engine/text/pieces.ts'
import { asFunctions } from '../../protocol/custom.ts'
import type { Event, FinishReason } from '../../protocol/event.ts'
import { readsText } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import { callableTools } from '../../protocol/tool.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { type Approach, dialectOf } from '../plan.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { isBlank, isSpoken } from './events/pieces.ts'
import { createNativeCalls, type NativeCalls, nativeOptions } from './native/native.ts'
import { createQuotedCalls } from './quoted/quoted.ts'
import { createPrefill, type Prefill } from './text/prefill.ts'
import { createThoughtReader, createTurnReader } from './text/reader.ts'
import { createInventedResults } from './text/results.ts'

type Spoken = Exclude<UpstreamEvent, { type: 'usage' | 'finish' | 'provider-metadata' }>

const nothing: readonly Event[] = []

/**
 * Reads what a service says: in prompt mode its text, by the engine, and the calls it makes itself in any mode. Calls of
 * the text have even numbers and native ones odd ones, until the last stage numbers those that leave.
 */
export class AnswerReader {
  readonly text = new Pieces()
  /** What else the model produced: its thoughts and native calls. */
  readonly others = new Pieces()
  /** The beginning that was decided for the model: the engine must see it, once. */
  readonly prefill: Prefill
  /** Why the answer ended, by what was read of it. */
  reason: FinishReason | undefined
  /** How many native calls came to nothing and left words. */
  leftovers = 0
  lastSpoken: UpstreamEvent['type'] | undefined
  readonly #reader: ReturnType<typeof createTurnReader> | undefined
  readonly #forThoughts: () => ReturnType<typeof createThoughtReader>
  readonly #forNative: () => NativeCalls
  #native: NativeCalls | undefined
  #hasWords = false
  readonly #mode: Approach['mode']
  readonly #settings: Approach['settings']

  constructor(request: Request, approach: Approach, prepared: Prepared, newId: () => string) {
    const quoted = createQuotedCalls(request, asFunctions(callableTools(request)), approach.cache?.readings)
    this.#mode = approach.mode
    this.#settings = approach.settings
    this.prefill = createPrefill(prepared.request.prefill ?? '')
    this.#reader = readsText(approach.mode) ? createTurnReader(request, approach, newId, quoted) : undefined
    this.#forThoughts = () => createThoughtReader(request, approach, newId, quoted)
    this.#forNative = () => createNativeCalls(nativeOptions(request, newId))
  }

  /** Nothing further can matter. */
  get done(): boolean {
    return this.#reader?.done === true || this.#native?.done === true
  }

  push(event: Spoken): readonly Event[] {
    if (isSpoken(event) && !isBlank(event)) this.lastSpoken = event.type
    switch (event.type) {
      case 'text':
        return this.#pushText(event.text)
      case 'reasoning':
        this.others.push(event.text)
        return event.text === '' ? nothing : [{ type: 'reasoning-delta', text: event.text }]
      case 'refusal':
        this.others.push(event.text)
        return [{ type: 'refusal-delta', text: event.text }]
      case 'call':
        this.others.push(event.name ?? '')
        this.others.push(event.json ?? '')
        this.#native ??= this.#forNative()
        return this.#fromNative(this.#native.push(event))
      case 'logprobs':
        // In prompt mode the tokens are those of the calls' marks, too.
        return readsText(this.#mode) ? nothing : [event]
      case 'note':
      case 'remarks':
        return [event]
    }
  }

  end(how: FinishReason | 'died'): readonly Event[] {
    const waited = this.#readOn(this.prefill.end())
    const tail = this.#reader?.end(how) ?? nothing
    const finish = tail.at(-1)
    if (finish?.type === 'finish') this.reason = finish.reason
    return [
      ...waited,
      ...this.#liftCalls(how),
      ...withIndexes(
        tail.filter(({ type }) => type !== 'finish'),
        0,
      ),
      ...this.#fromNative(this.#native?.end(how) ?? nothing),
    ]
  }

  /** The native calls that may not be made, in words. */
  leftOut(): string {
    return this.#native?.leftOut() ?? ''
  }

  #pushText(piece: string): readonly Event[] {
    this.text.push(piece)
    this.#hasWords ||= piece.trim() !== ''
    if (this.#reader !== undefined) return this.#readOn(this.prefill.push(piece))
    return piece === '' ? nothing : [{ type: 'text-delta', text: piece }]
  }

  #readOn(text: string): readonly Event[] {
    return text === '' || this.#reader === undefined ? nothing : withIndexes(this.#reader.push(text), 0)
  }

  /** What is left of a native call is a paragraph of its own: the words around it end where they end. */
  #fromNative(events: readonly Event[]): readonly Event[] {
    return withIndexes(events, 1).map((event) => {
      if (event.type !== 'call-error' && event.type !== 'text-delta') return event
      const gap = this.#hasWords || this.leftovers > 0 ? '\n\n' : ''
      this.leftovers += 1
      return event.type === 'text-delta' ? { ...event, text: gap + event.text } : { ...event, raw: gap + event.raw }
    })
  }

  /** Calls at the end of thoughts that nothing followed: the model forgot to end them, and the service took all for one. */
  #liftCalls(how: FinishReason | 'died'): readonly Event[] {
    const isOpen = this.lastSpoken === 'reasoning' && !this.#hasWords && this.#native === undefined
    if (!isOpen || this.#mode === 'none' || (how !== 'stop' && how !== 'tool_calls')) return nothing
    const reader = this.#forThoughts()
    const results = createInventedResults(dialectOf(this.#settings))
    const read = results.push([...reader.push(this.others.toString()), ...reader.end('stop')])
    const isCall = read.some(({ type }) => type === 'call-end')
    const isLast = read.every((event) => event.type !== 'text-delta' && event.type !== 'call-error')
    if (!isCall || !isLast) return nothing
    return withIndexes(
      read.filter(({ type }) => type !== 'reasoning-delta' && type !== 'finish'),
      0,
    )
  }
}

function withIndexes(events: readonly Event[], offset: 0 | 1): readonly Event[] {
  if (!events.some((event) => 'index' in event)) return events
  return events.map((event) =>
    'index' in event && event.index !== undefined ? { ...event, index: 2 * event.index + offset } : event,
  )
}
