import { toGatewayError } from '../errors.ts'
import type { FinishReason } from '../protocol/event.ts'
import { textOf } from '../protocol/message.ts'
import type { Asking, Heard, Hearing, Reread } from '../turn/witness.ts'
import type { Failure } from './exchange.ts'
import { Beats, Tape } from './tape.ts'

interface HearsayOptions {
  /** When the exchange began. */
  readonly begun: number
  readonly now: () => number
  readonly hasBodies: boolean
  readonly mostLength: number
}

type Said = Parameters<Hearing['hear']>[0][number]

interface CallDraft {
  readonly index: number | undefined
  id: string | undefined
  name: string
  readonly json: Tape
}

/** What one service was asked and said, as it was said. */
export class Hearsay implements Hearing {
  asking: Asking
  readonly choice: number
  readonly atMs: number
  readonly text: Tape
  readonly thoughts: Tape
  readonly calls: CallDraft[] = []
  readonly beats = new Beats()
  /** The last body that was sent. */
  readonly body: Tape
  /** All that was said: text, thoughts and calls. */
  length = 0
  /** How much of the text had been said when the first native call came. */
  calledAt: number | undefined
  finish: FinishReason | undefined
  failure: Failure | undefined
  #known: { readonly ending: Heard['ending']; readonly length: number; readonly told: Reread } | undefined
  readonly #options: HearsayOptions

  constructor(asking: Asking, choice: number, options: HearsayOptions) {
    this.asking = options.hasBodies ? asking : withoutWords(asking)
    this.choice = choice
    this.atMs = options.now() - options.begun
    this.#options = options
    this.text = this.#newTape()
    this.thoughts = this.#newTape()
    this.body = this.#newTape()
  }

  #newTape(): Tape {
    return new Tape(this.#options.hasBodies ? this.#options.mostLength : 0)
  }

  readonly sent = (body: string): void => {
    this.body.clear()
    this.body.push(body)
  }

  readonly hear = (events: readonly Said[]): void => {
    let length = 0
    for (const event of events) length += this.#hearOne(event)
    this.length += length
    this.beats.add(this.#options.now() - this.#options.begun, length)
  }

  readonly fail = (thrown: unknown): void => {
    const { code, message } = toGatewayError(thrown)
    this.failure = { code, message }
  }

  #hearOne(event: Said): number {
    switch (event.type) {
      case 'text':
      case 'refusal':
        this.text.push(event.text)
        return event.text.length
      case 'reasoning':
        this.thoughts.push(event.text)
        return event.text.length
      case 'replace':
        this.text.clear()
        this.text.push(event.text)
        return event.text.length
      case 'call':
        return this.#hearCall(event)
      case 'finish':
        this.finish = event.reason
        return 0
      default:
        return 0
    }
  }

  #hearCall({ index, id, name = '', json = '' }: Extract<Said, { type: 'call' }>): number {
    this.calledAt ??= this.text.length
    const last = this.calls.at(-1)
    const goesOn = last !== undefined && last.index === index && (id === undefined || last.id === id)
    const call = goesOn ? last : { index, id, name: '', json: this.#newTape() }
    if (!goesOn) this.calls.push(call)
    call.name += name
    call.json.push(json)
    return name.length + json.length
  }

  /** What became of each part of the answer. Whoever asks twice gets what was found out the first time. */
  reread(ending: Heard['ending']): Reread {
    const text = this.text.text
    if (this.#known?.ending !== ending || this.#known.length !== text.length) {
      const told = this.asking.reread({ text, calledAt: this.calledAt, ending })
      this.#known = { ending, length: text.length, told }
    }
    return this.#known.told
  }

  /** Keeps nothing of what was asked. */
  forget(): void {
    this.asking = withoutWords(this.asking)
    this.#known = undefined
  }

  addTapes(tapes: Tape[]): void {
    tapes.push(this.text, this.thoughts, this.body)
    for (const { json } of this.calls) tapes.push(json)
  }

  /** About how much memory it takes beside its tapes. */
  get size(): number {
    let size = 1024 + this.beats.size
    for (const { content } of this.asking.request.messages) size += textOf(content).length
    return size
  }
}

/** What may be known where nothing that was said may be kept. */
function withoutWords({ plan, rung, request }: Asking): Asking {
  const { tools, model } = request
  return {
    plan,
    rung,
    request: { model, tools, messages: [], sampling: {}, extra: {} },
    taught: () => '',
    reread: () => ({ spans: [] }),
  }
}
