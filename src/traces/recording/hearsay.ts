import { toGatewayError } from '../../errors.ts'
import type { FinishReason } from '../../protocol/event.ts'
import type { Asking, Heard, Hearing, Look, Question, Reread } from '../../turn/witness.ts'
import type { Failure } from '../exchange.ts'
import { Beats, Tape } from './tape.ts'

export interface HearsayOptions {
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
  readonly asking: Asking
  /** Absent where nothing that was said may be kept. */
  question: Question | undefined
  /** Those the service got as its own. */
  tools: readonly string[]
  readonly choice: number
  atMs: number
  readonly text: Tape
  readonly thoughts: Tape
  readonly calls: CallDraft[] = []
  beats = new Beats()
  /** The last body that was sent. */
  readonly body: Tape
  /** All that was said: text, thoughts and calls. */
  length = 0
  /** How much of the text had been said when the first native call came. */
  calledAt: number | undefined
  finish: FinishReason | undefined
  failure: Failure | undefined
  #look: Look | undefined
  #known: { readonly ending: Heard['ending']; readonly length: number; readonly told: Reread } | undefined
  readonly #options: HearsayOptions

  constructor(asking: Asking, question: Question | undefined, choice: number, options: HearsayOptions) {
    this.asking = asking
    this.question = options.hasBodies ? withoutKey(question) : undefined
    this.tools = asking.plan.mode === 'native' ? (question?.request.tools.map(({ name }) => name) ?? []) : []
    this.choice = choice
    this.atMs = options.now() - options.begun
    this.#options = options
    this.text = this.#newTape()
    this.thoughts = this.#newTape()
    this.body = this.#newTape()
  }

  get #most(): number {
    return this.#options.hasBodies ? this.#options.mostLength : 0
  }

  #newTape(): Tape {
    return new Tape(this.#most)
  }

  readonly sent = (body: string | Uint8Array): void => this.body.put(body)

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
    const call = goesOn ? last : this.addCall(index, id)
    call.name += name
    call.json.push(json)
    return name.length + json.length
  }

  addCall(index: number | undefined, id: string | undefined): CallDraft {
    const call = { index, id, name: '', json: this.#newTape() }
    this.calls.push(call)
    return call
  }

  /** What was made of the question; undefined where that is not kept. */
  look(): Look | undefined {
    this.#look ??= this.question && this.asking.look(this.question)
    return this.#look
  }

  /** What became of each part of the answer. Whoever asks twice gets what was found out the first time. */
  reread(ending: Heard['ending']): Reread {
    const text = this.text.text
    if (this.#known?.ending !== ending || this.#known.length !== text.length) {
      const told = this.look()?.reread({ text, calledAt: this.calledAt, ending }) ?? { spans: [] }
      this.#known = { ending, length: text.length, told }
    }
    return this.#known.told
  }

  /** Keeps nothing of what was asked. */
  forget(): void {
    this.question = undefined
    this.#look = undefined
    this.#known = undefined
  }

  addTapes(tapes: Tape[]): void {
    tapes.push(this.body, this.text, this.thoughts)
    for (const { json } of this.calls) tapes.push(json)
  }
}

/** The client's key goes to the service; it is not kept. */
function withoutKey(question: Question | undefined): Question | undefined {
  if (question?.corrected?.clientKey === undefined) return question
  const { clientKey: _, ...corrected } = question.corrected
  return { ...question, corrected }
}
