import type { Event, FinishReason, Note, Usage } from '../../protocol/event.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { textOf } from '../../protocol/message.ts'
import type { NoteKind } from '../../protocol/note.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import type { Change } from '../../protocol/trace/change.ts'
import { addUsage } from '../../protocol/usage.ts'
import type { Asking, Hearing, Question, Witness } from '../../turn/witness.ts'
import type { Failure, Header, State } from '../exchange.ts'
import { Hearsay } from './hearsay.ts'
import { Beats, Tape } from './tape.ts'

/** What is known of an exchange before its body is read. Secrets are hidden already. */
export interface Beginning {
  readonly id: string
  readonly requestId: string
  readonly at: number
  readonly client: string
  readonly keyName?: string | undefined
  readonly door: string
  readonly method: string
  readonly path: string
  readonly url: string
  readonly headers: readonly Header[]
  /** What must not be seen, wherever it is said. */
  readonly secrets: readonly string[]
}

/** What a door made of the body. */
export interface AskedFor {
  /** Undefined where the body named none, or could not be read. */
  readonly model: string | undefined
  readonly streaming: boolean
  readonly requests: readonly Request[]
  /** The client's own name for the conversation. */
  readonly conversation?: string | undefined
}

export interface Ending {
  readonly state: Exclude<State, 'open'>
  readonly status: number
  readonly error?: Failure | undefined
  readonly calls: number
  readonly notes: Iterable<NoteKind>
  readonly changes: readonly Change[]
  readonly firstByteMs?: number | undefined
  readonly totalMs: number
}

export interface RecordingOptions {
  readonly now: () => number
  readonly hasBodies: boolean
  /** The most of one payload that is kept. */
  readonly mostLength: number
  readonly conversationOf: (asked: AskedFor, recording: Beginning) => string
  /** Something is to be seen that was not. */
  readonly onChange: (recording: Recording) => void
  readonly onEnd: (recording: Recording) => void
}

export interface GotCallDraft {
  readonly choice: number
  readonly index: number
  readonly id: string
  readonly name: string
  readonly json: Tape
  isComplete: boolean
}

/**
 * One exchange being recorded. It only keeps what goes by, as it goes by, because somebody waits for the answer; what it
 * means is made of it when somebody looks (`tell.ts`).
 */
export class Recording {
  readonly beginning: Beginning
  hasBodies: boolean
  asked: AskedFor = { model: undefined, streaming: false, requests: [] }
  tools: readonly string[] = []
  /** The first words of the last thing the user said. */
  gist: string | undefined
  readonly askedBody: Tape
  /** Undefined until the request is read. */
  conversation: string | undefined
  plan: Plan | undefined
  readonly hearsays: Hearsay[] = []
  readonly gotBody: Tape
  readonly gotText: Tape
  readonly gotThoughts: Tape
  readonly gotCalls: GotCallDraft[] = []
  gotBeats = new Beats()
  notes: Note[] = []
  usage: Usage | undefined
  finish: FinishReason | undefined
  firstByteMs: number | undefined
  contentType: string | undefined
  ending: Ending | undefined
  readonly #options: RecordingOptions

  constructor(beginning: Beginning, options: RecordingOptions) {
    this.beginning = beginning
    this.hasBodies = options.hasBodies
    this.#options = options
    this.askedBody = this.#newTape()
    this.gotBody = this.#newTape()
    this.gotText = this.#newTape()
    this.gotThoughts = this.#newTape()
  }

  get #most(): number {
    return this.#options.hasBodies ? this.#options.mostLength : 0
  }

  #newTape(): Tape {
    return new Tape(this.#most)
  }

  #elapsed(): number {
    return this.#options.now() - this.beginning.at
  }

  /** The body of the request, as it was written. */
  receive(body: string | Uint8Array): void {
    if (this.hasBodies) this.askedBody.put(body)
  }

  /** The JSON of the body, which the door may still refuse. */
  parse(body: unknown, conversation: string | undefined): void {
    const model = isJsonObject(body) ? body['model'] : undefined
    const asked = { ...this.asked, model: typeof model === 'string' && model !== '' ? model : undefined, conversation }
    this.asked = asked
    if (conversation !== undefined) this.conversation = this.#options.conversationOf(asked, this.beginning)
  }

  read(asked: AskedFor): void {
    this.asked = this.hasBodies ? asked : { ...asked, requests: [] }
    this.tools = asked.requests[0]?.tools.map(({ name }) => name) ?? []
    if (this.hasBodies) this.gist = gistOf(asked)
    this.conversation = this.#options.conversationOf(asked, this.beginning)
    this.#options.onChange(this)
  }

  /** Hears one of the answers the client wants. */
  witness(choice: number): Witness {
    return {
      ask: (asking: Asking, question: Question): Hearing => {
        const hearsay = this.addHearsay(asking, question, choice)
        this.plan ??= asking.plan
        this.#options.onChange(this)
        return hearsay
      },
    }
  }

  addHearsay(asking: Asking, question: Question | undefined, choice: number): Hearsay {
    const { now, hasBodies, mostLength } = this.#options
    const hearsay = new Hearsay(asking, question, choice, { begun: this.beginning.at, now, hasBodies, mostLength })
    this.hearsays.push(hearsay)
    return hearsay
  }

  /** Somebody answers. */
  start(plan: Plan | undefined): void {
    this.plan = plan
    this.#options.onChange(this)
  }

  /** What the client is told, before it is put into the words of its protocol. */
  hear(choice: number, events: readonly Event[]): void {
    const isFirst = this.firstByteMs === undefined
    for (const event of events) this.#hearOne(choice, event)
    if (isFirst && this.firstByteMs !== undefined) this.#options.onChange(this)
  }

  #hearOne(choice: number, event: Event): void {
    if (event.type === 'note') {
      this.notes.push(event)
      return
    }
    this.firstByteMs ??= this.#elapsed()
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.gotText.push(event.text)
      case 'reasoning-delta':
        return this.gotThoughts.push(event.text)
      case 'call-start': {
        const { index, id, name } = event
        this.addCall(choice, index, id, name)
        return
      }
      case 'call-delta':
        return this.#callOf(choice, event.index)?.json.push(event.json)
      case 'call-end': {
        const call = this.#callOf(choice, event.index)
        if (call !== undefined) call.isComplete = true
        return
      }
      case 'usage':
        this.usage = this.usage === undefined ? event : addUsage(this.usage, event)
        return
      case 'finish':
        this.finish = event.reason
    }
  }

  addCall(choice: number, index: number, id: string, name: string): GotCallDraft {
    const call = { choice, index, id, name, json: this.#newTape(), isComplete: false }
    this.gotCalls.push(call)
    return call
  }

  #callOf(choice: number, index: number): GotCallDraft | undefined {
    const last = this.gotCalls.at(-1)
    if (last?.index === index && last.choice === choice) return last
    return this.gotCalls.findLast((call) => call.index === index && call.choice === choice)
  }

  /** The client is being answered. */
  answer(contentType: string): void {
    this.contentType = contentType
  }

  /** What goes to the client, as it goes. */
  write(text: string): void {
    this.gotBody.push(text)
    this.gotBeats.add(this.#elapsed(), text.length)
  }

  end(ending: Ending): void {
    if (this.ending !== undefined) return
    this.ending = ending
    this.#options.onEnd(this)
  }

  /** Keeps nothing of what was said, only that it was. */
  forget(): void {
    this.hasBodies = false
    this.asked = { ...this.asked, requests: [] }
    this.gist = undefined
    for (const tape of this.tapes) tape.forget()
    for (const hearsay of this.hearsays) hearsay.forget()
  }

  get tapes(): readonly Tape[] {
    const tapes = [this.askedBody, this.gotBody, this.gotText, this.gotThoughts]
    for (const { json } of this.gotCalls) tapes.push(json)
    for (const hearsay of this.hearsays) hearsay.addTapes(tapes)
    return tapes
  }

  /** How one of the services ended its answer. One that was heard no further, because all was said, ended well. */
  endingOf({ finish }: Hearsay): 'stop' | 'length' | 'content_filter' | 'died' {
    if (finish === undefined) return this.ending?.state === 'done' ? 'stop' : 'died'
    return finish === 'tool_calls' ? 'stop' : finish
  }
}

const gistLength = 120

function gistOf({ requests }: AskedFor): string | undefined {
  const said = requests[0]?.messages.findLast(({ role }) => role === 'user')
  if (said === undefined) return undefined
  const words = textOf(said.content)
    .slice(0, gistLength * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? undefined : words.slice(0, gistLength)
}
