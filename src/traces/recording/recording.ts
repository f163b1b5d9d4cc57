import { toGatewayError } from '../../errors.ts'
import type { Event, FinishReason, Note, Usage } from '../../protocol/event.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { textOf } from '../../protocol/message.ts'
import type { NoteKind } from '../../protocol/note.ts'
import type { Plan } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import type { Change } from '../../protocol/trace/change.ts'
import { addUsage } from '../../protocol/usage.ts'
import type { Writable } from '../../protocol/writable.ts'
import type { Asking, Question, TurnObserver, UpstreamObserver } from '../../turn/observer.ts'
import type { Beat, Failure, GotCall, Header, State } from '../exchange.ts'

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

/** The place of a text among all texts of a recording. */
type TextRef = number

/** What one service was asked and said, as it was said. */
export interface UpstreamRecording {
  readonly asking: Asking
  /** Where the turn took another than the client's. */
  request?: Request | undefined
  corrected?: Question['corrected']
  /** Those the service got as its own. */
  tools: readonly string[]
  readonly choice: number
  readonly atMs: number
  /** The last body that was sent. */
  readonly body: TextRef
  readonly text: TextRef
  readonly thoughts: TextRef
  readonly calls: { readonly index?: number; readonly id?: string; name: string; readonly json: TextRef }[]
  readonly beats: Beat[]
  /** Of all that was said: text, thoughts and calls. */
  length: number
  /** How much of the text had been said when the first native call came. */
  calledAt?: number
  finish?: FinishReason
  failure?: Failure
}

/** All that is known of an exchange: plain data, so that it can be put away as JSON. Texts stand apart. */
export type Recorded = {
  readonly [Key in keyof Recording as Recording[Key] extends (...given: never[]) => unknown
    ? never
    : Key]: Recording[Key]
}

/**
 * One exchange being recorded. It only keeps what goes by, so that recording stays cheap; `exchange-view.ts` makes sense of it on
 * demand.
 */
export class Recording {
  readonly beginning: Beginning
  hasBodies: boolean
  asked: AskedFor = { model: undefined, streaming: false, requests: [] }
  tools: readonly string[] = []
  /** The first words of the last thing the user said. */
  gist: string | undefined
  readonly texts: KeptText[] = []
  readonly askedBody = this.#newText()
  /** Undefined until the request is read. */
  conversation: string | undefined
  plan: Plan | undefined
  readonly attempts: UpstreamRecording[] = []
  readonly gotBody = this.#newText()
  readonly gotText = this.#newText()
  readonly gotThoughts = this.#newText()
  readonly gotCalls: (Omit<Writable<GotCall>, 'arguments'> & { readonly json: TextRef })[] = []
  readonly gotBeats: Beat[] = []
  notes: Note[] = []
  usage: Usage | undefined
  finish: FinishReason | undefined
  firstByteMs: number | undefined
  contentType: string | undefined
  ending: (Omit<Ending, 'notes'> & { readonly notes: readonly NoteKind[] }) | undefined
  readonly #options: RecordingOptions

  constructor(beginning: Beginning, options: RecordingOptions) {
    this.beginning = beginning
    this.hasBodies = options.hasBodies
    this.#options = options
  }

  #newText(): TextRef {
    return this.texts.push({ text: '', length: 0 }) - 1
  }

  get #most(): number {
    return this.#options.hasBodies ? this.#options.mostLength : 0
  }

  #append(ref: TextRef, piece: string): void {
    const kept = this.texts[ref]
    if (kept !== undefined) append(kept, piece, this.#most)
  }

  #elapsed(): number {
    return this.#options.now() - this.beginning.at
  }

  /** The body of the request, as it was written. */
  receive(body: string | Uint8Array): void {
    if (this.hasBodies) this.texts[this.askedBody] = toKept(body, this.#most)
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

  /** Observes one of the answers the client wants. */
  observer(choice: number): TurnObserver {
    return {
      ask: (asking, question) => {
        const observer = this.#observeAttempt(asking, question, choice)
        this.plan ??= asking.plan
        this.#options.onChange(this)
        return observer
      },
    }
  }

  #observeAttempt(asking: Asking, { request, corrected }: Question, choice: number): UpstreamObserver {
    const attempt: UpstreamRecording = {
      asking,
      ...(this.hasBodies && {
        ...(request !== this.asked.requests[choice] && { request }),
        ...(corrected !== undefined && { corrected: withoutKey(corrected) }),
      }),
      tools: asking.plan.mode === 'native' ? request.tools.map(({ name }) => name) : [],
      choice,
      atMs: this.#elapsed(),
      body: this.#newText(),
      text: this.#newText(),
      thoughts: this.#newText(),
      calls: [],
      beats: [],
      length: 0,
    }
    let hasBegun = false
    this.attempts.push(attempt)
    return {
      sent: (body) => {
        this.texts[attempt.body] = toKept(body, this.#most)
      },
      said: (events) => {
        hasBegun = true
        const length = events.reduce((sum, event) => sum + this.#saidOne(attempt, event), 0)
        attempt.length += length
        addBeat(attempt.beats, this.#elapsed(), length)
      },
      ended(thrown) {
        if (thrown === undefined || hasBegun) return
        const { code, message } = toGatewayError(thrown)
        attempt.failure = { code, message }
      },
    }
  }

  #saidOne(attempt: UpstreamRecording, event: Parameters<UpstreamObserver['said']>[0][number]): number {
    switch (event.type) {
      case 'text':
      case 'refusal':
        this.#append(attempt.text, event.text)
        return event.text.length
      case 'reasoning':
        this.#append(attempt.thoughts, event.text)
        return event.text.length
      case 'call': {
        const { index, id, name = '', json = '' } = event
        attempt.calledAt ??= this.texts[attempt.text]?.length ?? 0
        let call = attempt.calls.at(-1)
        if (call === undefined || call.index !== index || (id !== undefined && call.id !== id)) {
          const known = { ...(index !== undefined && { index }), ...(id !== undefined && { id }) }
          call = { ...known, name: '', json: this.#newText() }
          attempt.calls.push(call)
        }
        call.name += name
        this.#append(call.json, json)
        return name.length + json.length
      }
      case 'finish':
        attempt.finish = event.reason
        return 0
      default:
        return 0
    }
  }

  /** A service has begun to answer. */
  start(plan: Plan | undefined): void {
    this.plan = plan
    this.#options.onChange(this)
  }

  /** What the client gets, before it is printed in its protocol. */
  observe(choice: number, events: readonly Event[]): void {
    const isFirst = this.firstByteMs === undefined
    for (const event of events) this.#observeOne(choice, event)
    if (isFirst && this.firstByteMs !== undefined) this.#options.onChange(this)
  }

  #observeOne(choice: number, event: Event): void {
    if (event.type === 'note') {
      this.notes.push(event)
      return
    }
    this.firstByteMs ??= this.#elapsed()
    switch (event.type) {
      case 'text-delta':
      case 'refusal-delta':
        return this.#append(this.gotText, event.text)
      case 'reasoning-delta':
        return this.#append(this.gotThoughts, event.text)
      case 'call-start': {
        const { index, id, name } = event
        this.gotCalls.push({ choice, index, id, name, json: this.#newText(), isComplete: false })
        return
      }
      case 'call-delta':
      case 'call-end': {
        const call = this.gotCalls.findLast((one) => one.index === event.index && one.choice === choice)
        if (call === undefined) return
        if (event.type === 'call-delta') this.#append(call.json, event.json)
        else call.isComplete = true
        return
      }
      case 'usage':
        this.usage = this.usage === undefined ? event : addUsage(this.usage, event)
        return
      case 'finish':
        this.finish = event.reason
    }
  }

  /** The client is being answered. */
  answer(contentType: string): void {
    this.contentType = contentType
  }

  /** What goes to the client, as it goes. */
  write(text: string): void {
    this.#append(this.gotBody, text)
    addBeat(this.gotBeats, this.#elapsed(), text.length)
  }

  end({ notes, error, ...ending }: Ending): void {
    if (this.ending !== undefined) return
    const failure = error && { error: { code: error.code, message: error.message } }
    this.ending = { ...ending, ...failure, notes: [...notes] }
    this.#options.onEnd(this)
  }

  /** Keeps nothing of what was said, only that it was. */
  forget(): void {
    this.hasBodies = false
    this.asked = { ...this.asked, requests: [] }
    this.gist = undefined
    for (const kept of this.texts) kept.text = ''
    for (const attempt of this.attempts) {
      attempt.request = undefined
      attempt.corrected = undefined
    }
  }
}

/** The client's key goes to the service; it is not kept. */
function withoutKey({ clientKey: _, ...request }: NonNullable<Question['corrected']>): Question['corrected'] {
  return request
}

/** More than is shown, so that a secret at the end of what is shown is still known as one. */
const gistLength = 480

function gistOf({ requests }: AskedFor): string | undefined {
  const said = requests[0]?.messages.findLast(({ role }) => role === 'user')
  if (said === undefined) return undefined
  const words = textOf(said.content)
    .slice(0, gistLength * 2)
    .replace(/\s+/g, ' ')
    .trim()
  return words === '' ? undefined : words.slice(0, gistLength)
}

/** A text of which the beginning is kept; `length` is that of all of it. */
export interface KeptText {
  text: string
  length: number
}

export const isTruncated = ({ text, length }: KeptText): boolean => length > text.length

export function append(kept: KeptText, piece: string, most: number): void {
  const room = most - kept.text.length
  kept.length += piece.length
  if (room > 0) kept.text += piece.slice(0, room)
}

/** A whole body. Of bytes that are cut the length is told in bytes, which are about as many. */
export function toKept(body: string | Uint8Array, most: number): KeptText {
  if (typeof body === 'string') return { text: body.slice(0, most), length: body.length }
  // A character that the limit cuts in two is left out.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
  const text = decoder.decode(body.subarray(0, most), { stream: true })
  return { text, length: body.length > most ? body.length : text.length }
}

/** More than this a picture cannot show. */
const mostBeats = 4096

/** What came when. What came in one millisecond is one beat; once there are too many, neighbours become one. */
export function addBeat(beats: Beat[], ms: number, length: number): void {
  if (length === 0) return
  const last = beats.at(-1)
  if (last !== undefined && last[0] >= ms) beats[beats.length - 1] = [last[0], last[1] + length]
  else beats.push([ms, length])
  if (beats.length < mostBeats) return
  const halved = beats.flatMap(([at, own], nth) =>
    nth % 2 === 0 ? [[at, own + (beats[nth + 1]?.[1] ?? 0)] as const] : [],
  )
  beats.splice(0, beats.length, ...halved)
}
