import type { FinishReason, Usage } from '../protocol/event.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Change } from '../protocol/trace/change.ts'
import type { Span } from '../protocol/trace/span.ts'

/** `open`: under way. `failed`: the client got an error. `aborted`: the client had gone before it was over. */
export type State = 'open' | 'done' | 'failed' | 'aborted'

/** How tools went to the model: as the service's own, in words, or not at all. */
export type Mode = 'native' | 'template' | 'prompt' | 'none'

export interface Failure {
  readonly code: string
  readonly message: string
}

/** One exchange as a row of the list. */
export interface Summary {
  readonly id: string
  /** The `x-request-id` the client got. Clients may choose it, so it need not be unique. */
  readonly requestId: string
  /** When it began, epoch ms. */
  readonly at: number
  /** Who asked, by its user agent: `opencode`. */
  readonly client: string
  /** The name of the key it came with, where keys are set. */
  readonly keyName?: string
  /** `chat`, `responses`, `messages`, `ollama`. */
  readonly door: string
  readonly path: string
  /** As the client calls it; absent where the request named none or could not be read. */
  readonly model?: string
  /** Who answers, as the configuration calls it, and what it calls the model. */
  readonly service?: string
  readonly upstreamModel?: string
  readonly mode?: Mode
  readonly dialect?: string
  readonly streamed: boolean
  readonly state: State
  readonly status?: number
  readonly error?: Failure
  /** From the request to the first thing the model said. */
  readonly firstByteMs?: number
  readonly totalMs?: number
  readonly usage?: Usage
  /** Complete calls the client got. */
  readonly calls: number
  /** Each once, in the order they came. */
  readonly notes: readonly NoteKind[]
  /** The first words of the last thing the user said, where bodies are kept. */
  readonly gist?: string
  /** The first words of the answer, or the names of its calls, where bodies are kept. */
  readonly reply?: string
  /** The same for all exchanges of one conversation; absent for a request that was refused before it could be told. */
  readonly conversation?: string
}

/** A payload as it was. Where it is longer than what is kept, `text` is its beginning and `length` that of the whole. */
export interface Payload {
  readonly text: string
  readonly length: number
  readonly isTruncated: boolean
}

export interface Header {
  readonly name: string
  readonly value: string
}

export interface Asked {
  readonly method: string
  /** With its query; secrets hidden. */
  readonly url: string
  /** In the order they came; secrets hidden. */
  readonly headers: readonly Header[]
  /** The JSON as the client wrote it. Absent where bodies are not kept, or there was none. */
  readonly body?: Payload
  /** Where Dragoman's words stand in the body's texts is told by `Sent.messages`. Names of the tools offered. */
  readonly tools: readonly string[]
}

/** Why a stretch of a message is not as the client wrote it. */
export type SegmentKind =
  /** The tools, and how to call them. */
  | 'taught'
  /** A call or a result, told in the dialect. */
  | 'history'
  /** Looks like a mark of a dialect, and was broken by an invisible joiner. */
  | 'neutralised'
  /** Other words of Dragoman: a wish for a call, a format. */
  | 'added'

/** What was changed in a text. What lies between segments is as the client wrote it. */
export interface Segment {
  readonly kind: SegmentKind
  readonly from: number
  readonly to: number
}

export interface SentMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** The words; images and files are only in the body. */
  readonly text: string
  /** Native calls of an earlier answer. */
  readonly calls?: readonly { readonly id: string; readonly name: string; readonly arguments: string }[]
  /** In order, without overlaps. */
  readonly segments: readonly Segment[]
}

/** What a service was sent. Texts are absent where bodies are not kept. */
export interface Sent {
  readonly messages?: readonly SentMessage[]
  /** The tools that went along natively. */
  readonly tools: readonly string[]
  /** The body that went over the wire, where the service takes one. */
  readonly body?: Payload
  /** The beginning of the answer that was written for the model. */
  readonly prefill?: string
  /** The schema or the grammar the service holds the answer to. */
  readonly constraint?: Payload
  /** The plainer form the messages were put in, after the usual one was refused. */
  readonly form?: string
}

/** One thing at a time: milliseconds since the exchange began, and characters. */
export type Beat = readonly [ms: number, length: number]

export interface SaidCall {
  readonly index?: number
  readonly id?: string
  readonly name: string
  /** As the service sent them, pieces joined. */
  readonly arguments: string
}

/** What the model said, before anything was made of it. Texts are empty where bodies are not kept. */
export interface Said {
  readonly text: string
  /** Thoughts the service told apart. */
  readonly thoughts: string
  /** Native calls as they came. */
  readonly calls: readonly SaidCall[]
  /** All that came, as it came: text, thoughts and calls. */
  readonly pieces: readonly Beat[]
  readonly finish?: FinishReason
  /** How long it is, also where it is not kept. */
  readonly length: number
  readonly isTruncated: boolean
}

/**
 * One service asked once. An exchange has several where one was refused, failed, or was asked again to put a call right;
 * the last is the one the client's answer was made of.
 */
export interface Attempt {
  readonly service: string
  readonly upstreamModel: string
  /** Milliseconds since the exchange began. */
  readonly atMs: number
  readonly mode: Mode
  readonly dialect?: string
  /** Which of the answers the client asked for (`n`), counted from 0. */
  readonly choice: number
  readonly sent: Sent
  readonly said: Said
  /** They cover `said.text` from end to end; `index` counts the calls of this answer. None where texts are not kept. */
  readonly spans: readonly Span[]
  readonly failure?: Failure
}

export interface GotCall {
  readonly choice: number
  readonly index: number
  readonly id: string
  readonly name: string
  readonly arguments: string
  /** False: it was cut off. */
  readonly isComplete: boolean
}

/** What the client got. Texts are empty where bodies are not kept. */
export interface Got {
  readonly status?: number
  readonly contentType?: string
  /** The bytes of the answer as text: a stream, or a JSON body. */
  readonly body?: Payload
  /** What they say, put together; several answers one after the other. */
  readonly text: string
  readonly thoughts: string
  readonly calls: readonly GotCall[]
  readonly finish?: FinishReason
  /** What was written, as it was written. */
  readonly pieces: readonly Beat[]
}

/** Something out of the ordinary, in words. */
export interface NoteView {
  readonly kind: NoteKind
  /** Why, as a sentence; absent where the kind says it all. */
  readonly words?: string
  readonly detail?: string
  /** Which call it is about, counted from 0. */
  readonly call?: number
}

/** Everything known of one exchange. */
export interface Exchange extends Summary {
  /** False: what was said was not recorded, only that it was. */
  readonly hasBodies: boolean
  readonly asked: Asked
  readonly attempts: readonly Attempt[]
  readonly got: Got
  readonly told: readonly NoteView[]
  /** All that was done on the way, in order; `words` as for notes. */
  readonly changes: readonly (Change & { readonly words?: string })[]
}
