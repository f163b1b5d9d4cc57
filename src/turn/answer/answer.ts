import { Pieces } from '../../engine/text/pieces.ts'
import { GatewayError } from '../../errors.ts'
import type { Event, FinishReason, Usage } from '../../protocol/event.ts'
import { joinKeepsakes, type Keepsake } from '../../protocol/keepsake.ts'
import type { Request } from '../../protocol/request.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import type { Approach } from '../plan.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { endingEvents } from './ending.ts'
import { createLedger } from './events/ledger.ts'
import { createOrder } from './events/order.ts'
import { joinPieces } from './events/pieces.ts'
import { isBlank, isSpoken } from './events/spoken.ts'
import { Halves } from './halves.ts'
import type { NativeHalf } from './native/half.ts'
import type { TextHalf } from './text/half.ts'
import { createRetelling, withoutTakenBack } from './text/retelling.ts'
import { estimateUsage } from './usage/usage.ts'

/** One answer being heard: what a service says goes in, events come out, in order, without waiting. */
export interface Answer {
  take(said: readonly UpstreamEvent[]): readonly Event[]
  /** The last events of an answer that ended; a finish is the very last. */
  end(): readonly Event[]
  /** What is left to say of an answer that broke off. No finish: whoever asked must learn of the failure. */
  die(): readonly Event[]
  /** Nothing further can matter. */
  readonly done: boolean
  /** It was ended before the model had. */
  readonly stopped: boolean
  /** The model's text as it came, marks and all. */
  readonly said: string
  /** Everything the model produced, to be counted. */
  readonly produced: string
}

export function createAnswer(request: Request, approach: Approach, prepared: Prepared, newId: () => string): Answer {
  return new Heard(request, approach, prepared, newId)
}

const nothing: readonly Event[] = []

class Heard implements Answer {
  /** Words that come now are words, and leave as they are: nothing waits, is open or is looked for. */
  #isPlain = false
  readonly #text = new Pieces()
  readonly #halves: Halves
  #half: TextHalf
  /** For calls the service makes itself; in prompt mode it mostly makes none. */
  #native: NativeHalf | undefined
  readonly #ledger = createLedger()
  readonly #retelling = createRetelling()
  /** The characters of text that have left on the plain way. */
  #plainly = 0
  readonly #order = createOrder()
  readonly #others = new Pieces()
  readonly #mode: Approach['mode']
  readonly #request: Request
  readonly #prepared: Prepared
  #hasWords = false
  #usage: Usage | undefined
  #reason: FinishReason | undefined
  /** What is known before the first word, told with it. */
  #opening: readonly Event[]
  #keepsake: Keepsake | undefined
  #lastSpoken: UpstreamEvent['type'] | undefined

  constructor(request: Request, approach: Approach, prepared: Prepared, newId: () => string) {
    const { mode } = approach
    this.#mode = mode
    this.#request = request
    this.#prepared = prepared
    this.#halves = new Halves(request, approach, prepared, newId)
    this.#half = this.#halves.forText()
    const { known } = this.#halves
    this.#opening = [...prepared.notes, ...(known === undefined || mode === 'none' ? [] : [known])]
  }

  get done(): boolean {
    return this.#half.reader?.done === true || this.#native?.calls.done === true || (!this.#isPlain && this.stopped)
  }

  get stopped(): boolean {
    return this.#half.stop.isCut || this.#half.watch.isOver || this.#native?.watch.isOver === true
  }

  get said(): string {
    return this.#text.toString()
  }

  get produced(): string {
    return this.#text.toString() + this.#others.toString()
  }

  // What the service says of its own accord after the answer is over (its usage, its finish) still counts.
  take(said: readonly UpstreamEvent[]): readonly Event[] {
    const [first] = said
    if (this.#isPlain && said.length === 1 && first?.type === 'text') return this.#takePlainly(first.text)
    const pieces = joinPieces(withoutTakenBack(said))
    const [only] = pieces
    let events: readonly Event[]
    if (pieces.length === 1 && only !== undefined) events = this.stopped && isSpoken(only) ? nothing : this.#hear(only)
    else {
      const all: Event[] = []
      for (const piece of pieces)
        if (!this.stopped || !isSpoken(piece)) for (const event of this.#hear(piece)) all.push(event)
      events = all
    }
    const opened = this.#opened(events)
    this.#isPlain = this.#mayBePlain()
    return opened
  }

  /** Words on a way that is known to be clear. Most of what a model says goes here (`bench/gateway`: one event a read). */
  #takePlainly(piece: string): readonly Event[] {
    if (piece === '') return nothing
    this.#text.push(piece)
    const events: readonly Event[] = this.#half.reader?.push(piece) ?? [{ type: 'text-delta', text: piece }]
    if (events.length === 0) return events
    const [first] = events
    if (events.length === 1 && first?.type === 'text-delta' && first.text !== '') {
      this.#plainly += first.text.length
      return events
    }
    const opened = this.#opened(this.#fromText(events))
    this.#isPlain = this.#mayBePlain()
    return opened
  }

  #mayBePlain(): boolean {
    return (
      this.#native === undefined &&
      this.#hasWords &&
      this.#lastSpoken === 'text' &&
      this.#retelling.isIdle &&
      this.#order.isIdle() &&
      this.#half.isClear()
    )
  }

  end(): readonly Event[] {
    const said = this.#reason ?? (this.done ? 'stop' : undefined)
    if (said === undefined)
      throw new GatewayError('upstream_truncated', 'The model server ended its response without a finish reason.')
    const { prefill, stop } = this.#half
    const waited = this.#readOn(prefill.end())
    const tail = this.#half.reader?.end(said) ?? []
    const end = tail.at(-1)
    const read = end?.type === 'finish' ? end.reason : said
    const { ended } = this.#ledger
    const events = [
      ...waited,
      ...this.#liftCalls(said),
      ...this.#fromText(end?.type === 'finish' ? tail.slice(0, -1) : tail),
      ...this.#endNative(said),
      ...this.#endCalls(),
      ...this.#tell(stop.end()),
    ]
    // An answer must not come out empty because all it held was a call that may not be made.
    const leftOut = this.#native?.calls.leftOut() ?? ''
    if (leftOut !== '' && ended.length === 0 && this.#text.toString().trim() === '') {
      events.push({ type: 'text-delta', text: leftOut })
    }
    this.#retelling.end()
    events.push(
      ...endingEvents({
        request: this.#request,
        mode: this.#mode,
        said,
        read,
        calls: ended,
        endsWithCall: this.#lastSpoken === 'call' && this.#native?.leftovers === 0 && ended.length > 0,
        stop,
        isPrefillRepeated: prefill.isRepeated,
        keepsake: this.#keepsake,
        usage: this.#usage,
        estimate: () => estimateUsage(this.#prepared.request, this.#text.length + this.#others.length),
      }),
    )
    return this.#opened(events)
  }

  /** Calls at the end of thoughts that nothing followed: the model forgot to end them, and the service took all for one. */
  #liftCalls(how: FinishReason): readonly Event[] {
    const isOpen = this.#lastSpoken === 'reasoning' && !this.#hasWords && this.#native === undefined
    if (!isOpen || this.#mode === 'none' || (how !== 'stop' && how !== 'tool_calls')) return nothing
    const reader = this.#halves.forThoughts()
    const read = [...reader.push(this.#others.toString()), ...reader.end('stop')]
    const isCall = read.some(({ type }) => type === 'call-end')
    const isLast = read.every((event) => event.type !== 'text-delta' && event.type !== 'call-error')
    return isCall && isLast
      ? this.#fromText(read.filter(({ type }) => type !== 'reasoning-delta' && type !== 'finish'))
      : nothing
  }

  die(): readonly Event[] {
    return this.#opened([
      ...this.#readOn(this.#half.prefill.end()),
      ...this.#fromText(this.#half.reader?.end('died') ?? []),
      ...this.#endNative('died'),
      ...this.#endCalls(),
      ...this.#tell(this.#half.stop.end()),
    ])
  }

  #fromText(events: readonly Event[]): readonly Event[] {
    return events.length === 0 ? events : this.#tell(this.#half.pass(events))
  }

  #tell(events: readonly Event[]): readonly Event[] {
    return this.#retelling.pass(this.#ledger.enter('text', events))
  }

  #fromNative(half: NativeHalf, events: readonly Event[]): readonly Event[] {
    return this.#ledger.enter('native', this.#half.stop.pass(half.pass(events, this.#hasWords)))
  }

  #endNative(how: FinishReason | 'died'): readonly Event[] {
    return this.#native === undefined ? [] : this.#fromNative(this.#native, this.#native.calls.end(how))
  }

  #readOn(said: string): readonly Event[] {
    return said === '' || this.#half.reader === undefined ? nothing : this.#fromText(this.#half.reader.push(said))
  }

  /** Calls come out of the text or natively, never both: what they are together, one of the two knows. */
  #endCalls(): readonly Event[] {
    const { stop, watch } = this.#half
    const fromWords = this.#tell(stop.pass(watch.end()))
    if (this.#native === undefined) return fromWords
    return [...fromWords, ...this.#ledger.enter('native', stop.pass(this.#native.watch.end()))]
  }

  #hearText(piece: string): readonly Event[] {
    this.#text.push(piece)
    this.#hasWords ||= piece.trim() !== ''
    const { prefill, stop } = this.#half
    if (this.#half.reader !== undefined) return this.#readOn(prefill.push(piece))
    return piece === '' ? nothing : this.#retelling.pass(stop.pass([{ type: 'text-delta', text: piece }]))
  }

  /** What a service takes back is read anew from the beginning, unless it only goes on from there. */
  #hearReplacement(whole: string): readonly Event[] {
    const said = this.#text.toString()
    if (whole.startsWith(said)) return this.#hearText(whole.slice(said.length))
    this.#retelling.restart(this.#plainly, () => this.#halves.forText().wordsOf(said))
    this.#plainly = 0
    this.#half = this.#halves.forText()
    this.#text.clear()
    return [{ type: 'note', kind: 'text_replaced' }, ...this.#hearText(whole)]
  }

  #hear(event: UpstreamEvent): readonly Event[] {
    if (isSpoken(event) && !isBlank(event)) this.#lastSpoken = event.type
    switch (event.type) {
      case 'text':
        return this.#hearText(event.text)
      case 'replace':
        return this.#hearReplacement(event.text)
      case 'reasoning':
        this.#others.push(event.text)
        return event.text === '' ? nothing : this.#half.restore([{ type: 'reasoning-delta', text: event.text }])
      case 'refusal':
        this.#others.push(event.text)
        return [{ type: 'refusal-delta', text: event.text }]
      case 'call': {
        this.#others.push(event.name ?? '')
        this.#others.push(event.json ?? '')
        this.#native ??= this.#halves.forNative()
        return this.#fromNative(this.#native, this.#native.calls.push(event))
      }
      case 'note':
      case 'remarks':
        return [event]
      case 'keepsake':
        // Told once, whole: many clients put the pieces of a list together by keeping the last.
        this.#keepsake = joinKeepsakes(this.#keepsake, event.fields)
        return nothing
      case 'logprobs':
        // In prompt mode the tokens are those of the calls' marks, too.
        return this.#mode === 'prompt' ? nothing : [event]
      case 'usage': {
        const { type: _, ...figures } = event
        this.#usage = figures
        return nothing
      }
      case 'finish':
        this.#reason = event.reason
        return event.assumed === true ? [{ type: 'note', kind: 'finish_assumed' }] : nothing
    }
  }

  #opened(events: readonly Event[]): readonly Event[] {
    const all = this.#order.pass(this.#opening.length === 0 ? events : [...this.#opening, ...events])
    this.#opening = nothing
    return all
  }
}
