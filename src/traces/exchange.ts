import type { Change } from '../protocol/change.ts'
import type { FinishReason, Usage } from '../protocol/event.ts'
import type { NoteKind } from '../protocol/note.ts'
import type { Span } from '../protocol/span.ts'

/**
 * What the inspector's API speaks, as pure types: the page imports them. All of it is read-only, JSON unless said
 * otherwise, and lies under `/inspector/api/`. Failures are `{"error": {"message", "type", "param", "code"}}` with their status.
 *
 * - `GET info`: `Info`.
 * - `GET exchanges?limit=&before=&after=&conversation=&request=`: `Page`, newest first. `before` and `after` are ids of
 *   exchanges, `request` is the `x-request-id` of an answer, `limit` goes up to 10000 (default 100).
 * - `GET exchanges/:id`: `Exchange`; 404 when it is unknown or no longer kept.
 * - `GET exchanges/:id/export`: the same as a file (`Exported`). With `?as=golden`, a line for `dragoman explain --batch`
 *   with what it has to say (`Golden`); 404 where no model said anything.
 * - `GET overview?from=&to=&buckets=`: `Overview`; times in epoch ms, default the last hour in 60 buckets.
 * - `GET live`: server-sent events. `summary` with a `Summary` whenever one begins or changes. With `?id=`, of this one
 *   exchange: `exchange` with all of it so far (first, whenever a service is asked, and when it is over), between them
 *   `grown` with a `Growth`.
 */

/** `open`: under way. `failed`: the client got an error. `aborted`: the client had gone before it was over. */
export type State = 'open' | 'done' | 'failed' | 'aborted'

/** How tools went to the model: as the service's own, in words, or not at all. */
export type Mode = 'native' | 'prompt' | 'none'

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
  /** As the client calls it; empty where the request could not be read. */
  readonly model: string
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
  /** The same for all exchanges of one conversation. */
  readonly conversation: string
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
export interface ToldNote {
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
  readonly told: readonly ToldNote[]
  /** All that was done on the way, in order; `words` as for notes. */
  readonly changes: readonly (Change & { readonly words?: string })[]
}

/** What was added to an exchange since the last event. Texts and pieces are to be appended. */
export interface Growth {
  /** Which attempt `said` is about. */
  readonly attempt: number
  readonly said?: Pick<Said, 'text' | 'thoughts' | 'pieces'>
  /** `body` is what was added to the body. */
  readonly got?: Pick<Got, 'text' | 'thoughts' | 'calls' | 'pieces'> & { readonly body: string }
}

export interface Page {
  /** Newest first. */
  readonly exchanges: readonly Summary[]
  /** There are older ones: ask with `before` the last id. */
  readonly hasMore: boolean
  /** How many are kept in all. */
  readonly total: number
}

export interface Info {
  readonly version: string
  readonly recording: {
    readonly store: 'memory' | 'sqlite' | 'off'
    readonly bodies: boolean
    readonly entries: number
    readonly bytes: number
    /** Absent: until there is no more room. */
    readonly retentionMs?: number
  }
  /** The most of one payload that is kept, in characters. */
  readonly payloadLength: number
  readonly doors: readonly { readonly name: string; readonly paths: readonly string[] }[]
  /** What `x-dragoman-dialect` may say. */
  readonly dialects: readonly string[]
  /** A client of the gateway needs a key: the playground has to ask for one. */
  readonly needsKey: boolean
  /** Milliseconds since 1970, to compare clocks. */
  readonly now: number
}

/** A file that holds one exchange and can be read without the gateway. */
export interface Exported {
  readonly dragoman: string
  readonly format: 'exchange/1'
  readonly exchange: Exchange
}

/**
 * A line for `dragoman explain --batch`, and what it has to say. The fields are those of a batch; `expected` is what the
 * reader made of the text, before the turn went on with it.
 */
export interface Golden {
  readonly id: string
  readonly text: string
  /** OpenAI's array. */
  readonly tools: readonly unknown[]
  readonly dialect?: string
  readonly parallel_tool_calls?: boolean
  readonly finish_reason?: string
  readonly starts_in?: 'text' | 'reasoning'
  readonly unknown_tools?: 'auto' | 'call' | 'text'
  /** Calls that stand in the request: repeated, not made. */
  readonly quoted?: readonly { readonly name: string; readonly arguments: string }[]
  readonly expected: {
    readonly content: string | null
    readonly reasoning: string | null
    readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[]
    readonly finish_reason: string | null
  }
}

/** Figures of one stretch of time. */
export interface Bucket {
  /** Its beginning, epoch ms. */
  readonly at: number
  readonly requests: number
  readonly failed: number
  readonly aborted: number
  /** None where nothing was said. */
  readonly firstByteMs?: Quantiles
  readonly tokensPerSecond?: Quantiles
  readonly promptTokens: number
  readonly completionTokens: number
  readonly calls: number
}

export interface Quantiles {
  readonly p50: number
  readonly p95: number
}

export interface ModelFigures {
  readonly model: string
  readonly total: Omit<Bucket, 'at'>
  readonly buckets: readonly Bucket[]
}

export interface Overview {
  readonly from: number
  readonly to: number
  readonly bucketMs: number
  readonly all: ModelFigures
  /** Those with the most requests first. */
  readonly models: readonly ModelFigures[]
  /** Complete calls by how tools went to the model: a dialect, or `native`; and exchanges with tools that gave none. */
  readonly dialects: readonly {
    readonly dialect: string
    readonly exchanges: number
    readonly calls: number
    /** Exchanges with a call that could not be read, was cut off, or broke its schema. */
    readonly flawed: number
  }[]
  /** In how many exchanges each note came, the commonest first. */
  readonly notes: readonly { readonly kind: NoteKind; readonly exchanges: number; readonly words?: string }[]
  readonly errors: readonly { readonly code: string; readonly exchanges: number }[]
  /** False: there were more exchanges than are counted. */
  readonly isComplete: boolean
}
