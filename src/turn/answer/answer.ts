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
import { isChoiceMet } from './choice.ts'
import { createHold, type Hold } from './hold.ts'
import { createLedger } from './ledger.ts'
import { createLoop } from './loop.ts'
import { createNativeCalls, type NativeCalls, nativeOptions } from './native.ts'
import { createOrder } from './order.ts'
import { joinPieces } from './pieces.ts'
import { createPrefill } from './prefill.ts'
import { createQuotedCalls } from './quoted/quoted.ts'
import { createTurnReader } from './reader.ts'
import type { Restore } from './restore.ts'
import { createRetelling, withoutTakenBack } from './retelling.ts'
import { createStopCut } from './stop.ts'
import { estimateUsage } from './usage.ts'
import { type CallWatch, createCallWatch } from './watch.ts'

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

interface Parts extends Pick<Answer, 'take' | 'end' | 'die'> {
  isDone(): boolean
  isStopped(): boolean
  said(): string
  produced(): string
}

class Heard implements Answer {
  readonly take: Answer['take']
  readonly end: Answer['end']
  readonly die: Answer['die']
  readonly #parts: Parts

  constructor(parts: Parts) {
    this.take = parts.take
    this.end = parts.end
    this.die = parts.die
    this.#parts = parts
  }

  get done(): boolean {
    return this.#parts.isDone()
  }

  get stopped(): boolean {
    return this.#parts.isStopped()
  }

  get said(): string {
    return this.#parts.said()
  }

  get produced(): string {
    return this.#parts.produced()
  }
}

/** What native calls go through, beside what all events do. */
interface NativeHalf {
  readonly calls: NativeCalls
  readonly restore: Restore
  readonly watch: CallWatch
  readonly pipe: Hold
}

export function createAnswer(request: Request, approach: Approach, prepared: Prepared, newId: () => string): Answer {
  const { mode, settings } = approach
  const quoted = createQuotedCalls(request, asFunctions(callableTools(request)))
  const createTextReader = () => (mode === 'prompt' ? createTurnReader(request, approach, newId, quoted) : undefined)
  let reader = createTextReader()
  let restore = prepared.guard.createRestore()
  const custom = customNames(mode === 'prompt' ? request.tools : [])
  const finishArguments = (name: string, json: string) => (custom.has(name) ? fromCustomArguments(json) : json)
  const isWhole = (name: string) => settings.arguments === 'whole' || custom.has(name)
  const loop = createLoop(request.messages)
  const createWatch = () => createCallWatch(request, loop, settings.loop)
  let watch = createWatch()
  const createPipe = () => createHold(isWhole, finishArguments)
  let pipe = createPipe()
  /** For calls the service makes itself; in prompt mode it mostly makes none. */
  let native: NativeHalf | undefined
  const ledger = createLedger()
  const retelling = createRetelling()
  const order = createOrder()
  let stop = createStopCut(request.stop ?? [])
  const text = new Pieces()
  let hasWords = false
  /** The beginning that was decided for the model: the reader must see it, once. */
  let prefill = createPrefill(prepared.request.prefill ?? '')
  const others = new Pieces()
  let usage: Usage | undefined
  let reason: FinishReason | undefined
  /** What is known before the first word, told with it. */
  let opening: readonly Event[] = [
    ...prepared.notes,
    ...(loop.known === undefined || mode === 'none' ? [] : [loop.known]),
  ]
  let keepsake: Keepsake | undefined
  let leftovers = 0
  let lastSpoken: UpstreamEvent['type'] | undefined

  function fromText(events: readonly Event[]): readonly Event[] {
    if (events.length === 0) return events
    return tell(stop.pass(watch.pass(pipe.pass(restore(events)))))
  }

  function tell(events: readonly Event[]): readonly Event[] {
    return retelling.pass(ledger.enter('text', events))
  }

  function natively(): NativeHalf {
    native ??= {
      calls: createNativeCalls(nativeOptions(request, newId)),
      restore: prepared.guard.createRestore(),
      watch: createWatch(),
      pipe: createHold(isWhole, (_, json) => json),
    }
    return native
  }

  function fromNative(half: NativeHalf, events: readonly Event[]): readonly Event[] {
    const restored = half.restore(events)
    const apart = restored.some(isLeft) ? restored.map(setApart) : restored
    return ledger.enter('native', stop.pass(half.watch.pass(half.pipe.pass(apart))))
  }

  function endNative(how: FinishReason | 'died'): readonly Event[] {
    return native === undefined ? [] : fromNative(native, native.calls.end(how))
  }

  function readOn(said: string): readonly Event[] {
    return said === '' || reader === undefined ? [] : fromText(reader.push(said))
  }

  /** Calls come out of the text or natively, never both: what they are together, one of the two knows. */
  function endCalls(): readonly Event[] {
    const fromWords = tell(stop.pass(watch.end()))
    return native === undefined ? fromWords : [...fromWords, ...ledger.enter('native', stop.pass(native.watch.end()))]
  }

  /** What is left of a native call is a paragraph of its own: the words around it end where they end. */
  function setApart(event: Event): Event {
    if (!isLeft(event)) return event
    const gap = hasWords || leftovers > 0 ? '\n\n' : ''
    leftovers += 1
    return event.type === 'text-delta' ? { ...event, text: gap + event.text } : { ...event, raw: gap + event.raw }
  }

  function hearText(piece: string): readonly Event[] {
    text.push(piece)
    hasWords ||= piece.trim() !== ''
    if (reader !== undefined) return readOn(prefill.push(piece))
    return piece === '' ? [] : retelling.pass(stop.pass([{ type: 'text-delta', text: piece }]))
  }

  /** What a service takes back is read anew from the beginning, unless it only goes on from there. */
  function hearReplacement(whole: string): readonly Event[] {
    if (whole.startsWith(text.toString())) return hearText(whole.slice(text.length))
    retelling.restart()
    reader = createTextReader()
    restore = prepared.guard.createRestore()
    pipe = createPipe()
    watch = createWatch()
    stop = createStopCut(request.stop ?? [])
    prefill = createPrefill(prepared.request.prefill ?? '')
    text.clear()
    return [{ type: 'note', kind: 'text_replaced' }, ...hearText(whole)]
  }

  function hear(event: UpstreamEvent): readonly Event[] {
    if (isSpoken(event) && !isBlank(event)) lastSpoken = event.type
    switch (event.type) {
      case 'text':
        return hearText(event.text)
      case 'replace':
        return hearReplacement(event.text)
      case 'reasoning':
        others.push(event.text)
        return event.text === '' ? [] : restore([{ type: 'reasoning-delta', text: event.text }])
      case 'refusal':
        others.push(event.text)
        return [{ type: 'refusal-delta', text: event.text }]
      case 'call':
        others.push(event.name ?? '')
        others.push(event.json ?? '')
        return fromNative(natively(), natively().calls.push(event))
      case 'note':
      case 'remarks':
        return [event]
      case 'keepsake':
        // Told once, whole: many clients put the pieces of a list together by keeping the last.
        keepsake = joinKeepsakes(keepsake, event.fields)
        return []
      case 'logprobs':
        // In prompt mode the tokens are those of the calls' marks, too.
        return mode === 'prompt' ? [] : [event]
      case 'usage': {
        const { type: _, ...figures } = event
        usage = figures
        return []
      }
      case 'finish':
        reason = event.reason
        return event.assumed === true ? [{ type: 'note', kind: 'finish_assumed' }] : []
    }
  }

  function opened(events: readonly Event[]): readonly Event[] {
    const all = order.pass(opening.length === 0 ? events : [...opening, ...events])
    opening = []
    return all
  }

  const isStopped = () => stop.isCut || watch.isOver || native?.watch.isOver === true
  const isDone = () => reader?.done === true || native?.calls.done === true || isStopped()

  return new Heard({
    // What the service says of its own accord after the answer is over (its usage, its finish) still counts.
    take(said) {
      const pieces = joinPieces(withoutTakenBack(said))
      const [only] = pieces
      if (pieces.length === 1 && only !== undefined) return opened(isStopped() && isSpoken(only) ? [] : hear(only))
      const events: Event[] = []
      for (const piece of pieces)
        if (!isStopped() || !isSpoken(piece)) for (const event of hear(piece)) events.push(event)
      return opened(events)
    },
    end() {
      const said = reason ?? (isDone() ? 'stop' : undefined)
      if (said === undefined)
        throw new GatewayError('upstream_truncated', 'The model server ended its response without a finish reason.')
      const waited = readOn(prefill.end())
      const tail = reader?.end(said) ?? []
      const end = tail.at(-1)
      const read = end?.type === 'finish' ? end.reason : said
      const events = [
        ...waited,
        ...fromText(end?.type === 'finish' ? tail.slice(0, -1) : tail),
        ...endNative(said),
        ...endCalls(),
        ...tell(stop.end()),
      ]
      // An answer must not come out empty because all it held was a call that may not be made.
      const leftOut = native?.calls.leftOut() ?? ''
      if (leftOut !== '' && ledger.ended.length === 0 && text.toString().trim() === '') {
        events.push({ type: 'text-delta', text: leftOut })
      }
      if (stop.isCut) events.push({ type: 'note', kind: 'stop_cut' })
      if (prefill.isRepeated) events.push({ type: 'note', kind: 'prefill_repeated' })
      retelling.end()
      // Cut off after its last call had ended, an answer has lost nothing that anyone could miss.
      const isCut = read === 'length' && !(lastSpoken === 'call' && leftovers === 0 && ledger.ended.length > 0)
      if (mode === 'native' && (said === 'tool_calls') !== ledger.ended.length > 0 && !isCut) {
        events.push({ type: 'note', kind: 'finish_corrected', detail: said })
      }
      if (mode !== 'none' && !isChoiceMet(request, ledger.ended))
        events.push({ type: 'note', kind: 'tool_choice_unmet' })
      // It goes with native calls; a history in words has no place for it.
      if (keepsake !== undefined && mode !== 'prompt') events.push({ type: 'keepsake', fields: keepsake })
      if (usage === undefined) events.push({ type: 'note', kind: 'usage_estimated' })
      events.push({
        type: 'usage',
        ...(usage ?? estimateUsage(prepared.request, text.length + others.length)),
      })
      events.push({
        type: 'finish',
        reason: finishReason(read, ledger.ended.length, isCut),
        ...(stop.found !== undefined && { stop: stop.found }),
      })
      return opened(events)
    },
    die() {
      return opened([
        ...readOn(prefill.end()),
        ...fromText(reader?.end('died') ?? []),
        ...endNative('died'),
        ...endCalls(),
        ...tell(stop.end()),
      ])
    },
    isDone,
    isStopped,
    said: () => text.toString(),
    produced: () => text.toString() + others.toString(),
  })
}

function isSpoken({ type }: UpstreamEvent): boolean {
  return type === 'text' || type === 'refusal' || type === 'replace' || type === 'reasoning' || type === 'call'
}

/** What is left of a call that came to nothing. */
function isLeft(event: Event): event is Extract<Event, { type: 'call-error' | 'text-delta' }> {
  return event.type === 'call-error' || event.type === 'text-delta'
}

function isBlank(event: UpstreamEvent): boolean {
  return 'text' in event && !/\S/.test(event.text)
}
