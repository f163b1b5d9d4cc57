import { Pieces } from '../../engine/text/pieces.ts'
import { GatewayError } from '../../errors.ts'
import { asFunctions, customNames, fromCustomArguments } from '../../protocol/custom.ts'
import type { Event, FinishReason, Usage } from '../../protocol/event.ts'
import { finishReason } from '../../protocol/finish.ts'
import { joinKeepsakes, type Keepsake } from '../../protocol/keepsake.ts'
import type { Request } from '../../protocol/request.ts'
import type { UpstreamEvent } from '../../upstreams/upstream.ts'
import type { Approach } from '../plan.ts'
import { callableTools } from '../prompt/force.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { createHold } from './events/hold.ts'
import { createLedger } from './events/ledger.ts'
import { createOrder } from './events/order.ts'
import { joinPieces } from './events/pieces.ts'
import { NativeHalf } from './native/half.ts'
import { createNativeCalls, nativeOptions } from './native/native.ts'
import { createQuotedCalls, type QuotedCalls } from './quoted/quoted.ts'
import { TextHalf } from './text/half.ts'
import { createPrefill } from './text/prefill.ts'
import { createThoughtReader, createTurnReader } from './text/reader.ts'
import { createRetelling, withoutTakenBack } from './text/retelling.ts'
import { createStopCut } from './text/stop.ts'
import { estimateUsage } from './usage/usage.ts'
import { isChoiceMet } from './watch/choice.ts'
import { createLoop, type Loop } from './watch/loop.ts'
import { type CallWatch, createCallWatch } from './watch/watch.ts'

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
  readonly #approach: Approach
  readonly #prepared: Prepared
  readonly #newId: () => string
  readonly #loop: Loop
  readonly #quoted: QuotedCalls
  readonly #custom: ReadonlySet<string>
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
    this.#approach = approach
    this.#prepared = prepared
    this.#newId = newId
    this.#quoted = createQuotedCalls(request, asFunctions(callableTools(request)))
    this.#custom = customNames(mode === 'prompt' ? request.tools : [])
    this.#loop = createLoop(request.messages)
    this.#half = this.#createHalf()
    const known = this.#loop.known
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
    if (stop.isCut) events.push({ type: 'note', kind: 'stop_cut' })
    if (prefill.isRepeated) events.push({ type: 'note', kind: 'prefill_repeated' })
    this.#retelling.end()
    // Cut off after its last call had ended, an answer has lost nothing that anyone could miss.
    const isCut =
      read === 'length' && !(this.#lastSpoken === 'call' && this.#native?.leftovers === 0 && ended.length > 0)
    if (this.#mode === 'native' && (said === 'tool_calls') !== ended.length > 0 && !isCut) {
      events.push({ type: 'note', kind: 'finish_corrected', detail: said })
    }
    if (this.#mode !== 'none' && !isChoiceMet(this.#request, ended))
      events.push({ type: 'note', kind: 'tool_choice_unmet' })
    // It goes with native calls; a history in words has no place for it.
    if (this.#keepsake !== undefined && this.#mode !== 'prompt')
      events.push({ type: 'keepsake', fields: this.#keepsake })
    if (this.#usage === undefined) events.push({ type: 'note', kind: 'usage_estimated' })
    events.push({
      type: 'usage',
      ...(this.#usage ?? estimateUsage(this.#prepared.request, this.#text.length + this.#others.length)),
    })
    events.push({
      type: 'finish',
      reason: finishReason(read, ended.length, isCut),
      ...(stop.found !== undefined && { stop: stop.found }),
    })
    return this.#opened(events)
  }

  /** Calls at the end of thoughts that nothing followed: the model forgot to end them, and the service took all for one. */
  #liftCalls(how: FinishReason): readonly Event[] {
    const isOpen = this.#lastSpoken === 'reasoning' && !this.#hasWords && this.#native === undefined
    if (!isOpen || this.#mode === 'none' || (how !== 'stop' && how !== 'tool_calls')) return nothing
    const reader = createThoughtReader(this.#request, this.#approach, this.#newId, this.#quoted)
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

  #createHalf(): TextHalf {
    const { guard, request } = this.#prepared
    const isPrompt = this.#mode === 'prompt'
    return new TextHalf({
      reader: isPrompt ? createTurnReader(this.#request, this.#approach, this.#newId, this.#quoted) : undefined,
      restore: guard.createRestore(),
      pipe: createHold(
        (name) => this.#isWhole(name),
        (name, json) => (this.#custom.has(name) ? fromCustomArguments(json) : json),
      ),
      watch: this.#createWatch(),
      stop: createStopCut(this.#request.stop ?? []),
      prefill: createPrefill(request.prefill ?? ''),
    })
  }

  #createWatch(): CallWatch {
    return createCallWatch(this.#request, this.#loop, this.#approach.settings.loop)
  }

  #isWhole(name: string): boolean {
    return this.#approach.settings.arguments === 'whole' || this.#custom.has(name)
  }

  #natively(): NativeHalf {
    this.#native ??= new NativeHalf({
      calls: createNativeCalls(nativeOptions(this.#request, this.#newId)),
      restore: this.#prepared.guard.createRestore(),
      watch: this.#createWatch(),
      pipe: createHold(
        (name) => this.#isWhole(name),
        (_, json) => json,
      ),
    })
    return this.#native
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
    this.#retelling.restart(this.#plainly, () => this.#createHalf().wordsOf(said))
    this.#plainly = 0
    this.#half = this.#createHalf()
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
        const half = this.#natively()
        return this.#fromNative(half, half.calls.push(event))
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

function isSpoken({ type }: UpstreamEvent): boolean {
  return type === 'text' || type === 'refusal' || type === 'replace' || type === 'reasoning' || type === 'call'
}

function isBlank(event: UpstreamEvent): boolean {
  return 'text' in event && !/\S/.test(event.text)
}
