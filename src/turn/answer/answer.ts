import { GatewayError } from '../../errors.ts'
import { customNames } from '../../protocol/custom.ts'
import type { Event, FinishReason, Usage } from '../../protocol/event.ts'
import { joinMetadata, type ProviderMetadata } from '../../protocol/provider-metadata.ts'
import type { Request } from '../../protocol/request.ts'
import { isForced } from '../../protocol/tool.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import { createInputChecks } from '../inputs/checks.ts'
import { type Approach, dialectOf } from '../plan.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { endingEvents } from './ending.ts'
import { createHold } from './events/hold.ts'
import { createInputMend, createInputTexts } from './events/input-text.ts'
import { createNumbering, createOrder } from './events/order.ts'
import { isSpoken, joinPieces } from './events/pieces.ts'
import { AnswerReader } from './read.ts'
import type { Stage } from './stage.ts'
import { createInventedResults, type InventedResults } from './text/results.ts'
import { createStopCut, type StopCut } from './text/stop.ts'
import { estimateUsage } from './usage/usage.ts'
import { createIdleWatch, type IdleWatch } from './watch/idle.ts'
import { createLoop } from './watch/loop.ts'
import { createRepeatedCalls, type RepeatedCalls } from './watch/repeats.ts'
import { createBar, findStuck } from './watch/stuck.ts'
import { type CallWatch, createCallWatch } from './watch/watch.ts'

/** One answer as it comes: what a service says goes in, events come out, in order, without waiting. */
export interface Answer {
  take(said: readonly UpstreamEvent[]): readonly Event[]
  /** The last events of an answer that ended; a finish is the very last. */
  end(): readonly Event[]
  /** The rest of an answer that broke off, without a finish: the failure is thrown. */
  die(): readonly Event[]
  /** Nothing further can matter. */
  readonly done: boolean
  /** The model's text as it came, marks and all. */
  readonly said: string
  /** Everything the model produced, to be counted. */
  readonly produced: string
  /** The service was told to stop where the model would write a tool's result. */
  readonly stopsAtResults: boolean
}

export function createAnswer(request: Request, approach: Approach, prepared: Prepared, newId: () => string): Answer {
  return new AnswerPipeline(request, approach, prepared, newId)
}

/** read → results → restore → input texts → hold → mend → repeats → watch → stop → number → idle → order */
class AnswerPipeline implements Answer {
  readonly #reader: AnswerReader
  readonly #results: InventedResults
  readonly #repeats: RepeatedCalls
  readonly #watch: CallWatch
  readonly #stop: StopCut
  readonly #numbering = createNumbering()
  readonly #idle: IdleWatch
  readonly #stages: readonly Stage[]
  readonly #order = createOrder()
  readonly #request: Request
  readonly #prepared: Prepared
  readonly #mode: Approach['mode']
  /** What is known before the first word, told with it. */
  #opening: readonly Event[]
  #usage: Usage | undefined
  #reason: FinishReason | undefined
  #metadata: ProviderMetadata | undefined

  constructor(request: Request, approach: Approach, prepared: Prepared, newId: () => string) {
    const { mode, settings } = approach
    const checks = createInputChecks(request)
    const { barred } = settings.loop === 'steer' ? findStuck(request) : { barred: new Set<string>() }
    const loop = barred.size > 0 ? createBar(barred) : createLoop(request.messages)
    this.#mode = mode
    this.#request = request
    this.#prepared = prepared
    this.#reader = new AnswerReader(request, approach, prepared, newId)
    this.#results = createInventedResults(mode === 'none' ? undefined : (approach.dialect ?? dialectOf(settings)))
    this.#repeats = createRepeatedCalls(isForced(request.toolChoice))
    this.#watch = createCallWatch(request, loop, barred.size > 0 || settings.loop === 'stop', checks)
    this.#stop = createStopCut(request.stop ?? [])
    this.#idle = createIdleWatch(request)
    this.#stages = [
      this.#results,
      prepared.guard.createRestore(),
      createInputTexts(customNames(request.tools)),
      createHold((name) => settings.arguments === 'whole' || checks.of(name) !== undefined),
      createInputMend(checks),
      this.#repeats,
      this.#watch,
      this.#stop,
      this.#numbering,
      this.#idle,
    ]
    this.#opening = [...prepared.notes, ...(loop.known === undefined || mode === 'none' ? [] : [loop.known])]
  }

  get done(): boolean {
    return this.#reader.done || this.#isStopped
  }

  /** It was ended before the model had. */
  get #isStopped(): boolean {
    return this.#stop.isCut || this.#watch.isOver || this.#results.isCut || this.#repeats.isCut
  }

  get said(): string {
    return this.#reader.text.toString()
  }

  get stopsAtResults(): boolean {
    return (this.#prepared.request.stop?.length ?? 0) > (this.#request.stop?.length ?? 0)
  }

  get produced(): string {
    return this.#reader.text.toString() + this.#reader.others.toString()
  }

  // What the service says of its own accord after the answer is over (its usage, its finish) still counts.
  take(said: readonly UpstreamEvent[]): readonly Event[] {
    const events: Event[] = []
    for (const piece of joinPieces(said))
      if (!this.#isStopped || !isSpoken(piece)) for (const event of this.#pass(this.#read(piece))) events.push(event)
    return this.#ordered(events)
  }

  end(): readonly Event[] {
    const said = this.#reason ?? (this.done ? 'stop' : undefined)
    if (said === undefined)
      throw new GatewayError('upstream_truncated', 'The model server ended its response without a finish reason.')
    const reader = this.#reader
    const mode = this.#mode
    const { ended: calls } = this.#numbering
    const events = [...this.#flush(reader.end(said))]
    // An answer must not come out empty because all it held was a call that may not be made.
    const leftOut = reader.leftOut()
    if (leftOut !== '' && calls.length === 0 && this.said.trim() === '') {
      events.push({ type: 'text-delta', text: leftOut })
    }
    events.push(
      ...endingEvents({
        request: this.#request,
        mode,
        said,
        read: reader.reason ?? said,
        calls,
        idle: mode === 'none' || leftOut !== '' || this.#isStopped ? undefined : this.#idle,
        endsWithCall: reader.lastSpoken === 'call' && reader.leftovers === 0 && calls.length > 0,
        stop: this.#stop,
        isPrefillRepeated: reader.prefill.isRepeated,
        metadata: this.#metadata,
        usage: this.#usage,
        estimate: () => estimateUsage(this.#prepared.request, reader.text.length + reader.others.length),
      }),
    )
    return this.#ordered(events)
  }

  die(): readonly Event[] {
    return this.#ordered(this.#flush(this.#reader.end('died')))
  }

  #read(event: UpstreamEvent): readonly Event[] {
    switch (event.type) {
      case 'provider-metadata':
        // Told once, whole: many clients put the pieces of a list together by keeping the last.
        this.#metadata = joinMetadata(this.#metadata, event.fields)
        return []
      case 'usage':
        this.#usage = event
        return []
      case 'finish':
        this.#reason = event.reason
        return event.assumed === true ? [{ type: 'note', kind: 'finish_assumed' }] : []
      default:
        return this.#reader.push(event)
    }
  }

  #pass(events: readonly Event[]): readonly Event[] {
    let passed = events
    for (const stage of this.#stages) {
      if (passed.length === 0) return passed
      passed = stage.push(passed)
    }
    return passed
  }

  #flush(events: readonly Event[]): readonly Event[] {
    let passed = events
    for (const stage of this.#stages) passed = [...stage.push(passed), ...(stage.end?.() ?? [])]
    return passed
  }

  #ordered(events: readonly Event[]): readonly Event[] {
    const all = this.#opening.length === 0 ? events : [...this.#opening, ...events]
    this.#opening = []
    return this.#order.push(all)
  }
}
