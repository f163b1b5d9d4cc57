import type { Dialect } from '../dialects/dialect.ts'
import { createLeanReader, type Reader } from '../engine/lean-reader.ts'
import type { Event, FinishReason } from '../protocol/event.ts'
import type { Answer } from '../protocol/fold.ts'
import { createRandomId } from '../random-id.ts'
import { formsFor } from './forms.ts'
import type { MessageLike, PlainMessage } from './messages.ts'
import {
  type CallLike,
  callsIn,
  type HistoryOptions,
  historyIn,
  type ResultLike,
  resultsIn,
  teachTools,
} from './print.ts'
import { answerOf, eventsOf, type Piece, type PieceStream, type ReadOptions, transformOf } from './reading.ts'
import { type ToolLike, toTools } from './tools.ts'

/** Which dialect, as an import of `dragoman/dialects/…`. */
export interface LeanDialectOptions {
  readonly dialect: Dialect
}

/** How an answer is read with dialects that were picked one by one. */
export interface LeanReadOptions extends ReadOptions, LeanDialectOptions {
  /** Further dialects the model may slip into. Default: none. */
  readonly others?: readonly Dialect[] | undefined
}

/** The same list always, so that what was made for it is found again. */
const none: readonly Dialect[] = []

/** The text for the system message that teaches a model these tools. */
export function teach(tools: readonly ToolLike[], { dialect }: LeanDialectOptions): string {
  return teachTools(dialect, tools)
}

/** Reads one answer, piece by piece: `push` what the model says, `end` when it is over. */
export function createReader({ dialect, others = none, tools, newId, ...options }: LeanReadOptions): Reader {
  return createLeanReader(formsFor([dialect, ...others]), {
    ...options,
    dialect,
    others,
    tools: toTools(tools),
    newId: newId ?? (() => createRandomId('call_')),
  })
}

/** Reads a whole text: what the model said, thought, and called. */
export function readAll(text: string, options: LeanReadOptions & { readonly finish?: FinishReason }): Answer {
  const { finish, ...reading } = options
  return answerOf(createReader(reading), text, finish)
}

/** Reads a stream of words: the events of the answer, while they come. */
export function readStream(stream: PieceStream, options: LeanReadOptions): AsyncGenerator<Event, void> {
  return eventsOf(createReader(options), stream)
}

/** The same as a `TransformStream`: words in, events out. */
export function createReaderStream(options: LeanReadOptions): TransformStream<Piece, Event> {
  return transformOf(createReader(options))
}

/** Calls as the dialect writes them. */
export function printCalls(
  calls: readonly CallLike[],
  { dialect, tools = [] }: LeanDialectOptions & { readonly tools?: readonly ToolLike[] | undefined },
): string {
  return callsIn(dialect, calls, tools)
}

/** Results as the dialect shows them to the model. */
export function printResults(results: readonly ResultLike[], { dialect }: LeanDialectOptions): string {
  return resultsIn(dialect, results)
}

/** A conversation with tool calls as one without: calls and results become words. */
export function printHistory(
  messages: readonly MessageLike[],
  { dialect, ...options }: HistoryOptions & LeanDialectOptions,
): PlainMessage[] {
  return historyIn(dialect, messages, options)
}
