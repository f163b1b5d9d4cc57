import type { Dialect } from '../dialects/dialect.ts'
import { dialects, findDialect } from '../dialects/registry.ts'
import { createReader as createFullReader, type Reader } from '../engine/reader.ts'
import type { Event, FinishReason } from '../protocol/event.ts'
import type { Answer } from '../protocol/fold.ts'
import { nearest } from '../protocol/text/nearest.ts'
import { createRandomId } from '../random-id.ts'
import { type Grammar, type GrammarForm, grammarFor } from '../turn/prompt/force/grammar.ts'
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
import { type ToolChoiceLike, type ToolLike, toChoice, toTools } from './tools.ts'

/** Which dialect. */
export interface DialectOptions {
  /**
   * The name of a dialect (`dialects` lists them, `dialectFor(model)` finds the one of a model), or one of your own.
   * Default: `hermes`, which most models know.
   */
  readonly dialect?: string | Dialect | undefined
}

/** How an answer is read; only `tools` is needed. */
export interface EngineReadOptions extends ReadOptions, DialectOptions {
  /** Further dialects whose unmistakable marks are understood. Default: all there are. */
  readonly others?: readonly Dialect[] | undefined
}

/** What a grammar is made for. */
export interface ConstrainOptions extends DialectOptions {
  /** The notation: `gbnf` for llama.cpp, `ebnf` and `structural-tag` for xgrammar (vLLM, SGLang), or a JSON `schema`. */
  readonly form: GrammarForm
  /** Whether the answer must be a call. Default: `auto`. */
  readonly choice?: ToolChoiceLike | undefined
  /** False: one call an answer. Default: as many as the dialect has. */
  readonly parallel?: boolean | undefined
}

/** A dialect by its name; throws a TypeError that names the nearest one. */
export function pickDialect(given: string | Dialect = 'hermes'): Dialect {
  if (typeof given !== 'string') return given
  const found = findDialect(given)
  if (found !== undefined) return found
  const names = dialects.map(({ name }) => name)
  const meant = nearest(given, names)
  const remedy = meant === undefined ? `There are: ${names.join(', ')}.` : `Did you mean '${meant}'?`
  throw new TypeError(`There is no dialect called '${given}'. ${remedy}`)
}

/** The text for the system message that teaches a model these tools. Empty without tools. */
export function teach(tools: readonly ToolLike[], { dialect }: DialectOptions = {}): string {
  return teachTools(pickDialect(dialect), tools)
}

/** Reads one answer, piece by piece: `push` what the model says, `end` when it is over. */
export function createReader({ dialect, others, tools, newId, ...options }: EngineReadOptions): Reader {
  return createFullReader({
    ...options,
    dialect: dialect === undefined ? undefined : pickDialect(dialect),
    others: others ?? dialects,
    tools: toTools(tools),
    newId: newId ?? (() => createRandomId('call_')),
  })
}

/** Reads a whole text: what the model said, thought, and called. `finish` is how it ended, where that was not by itself. */
export function readAll(text: string, options: EngineReadOptions & { readonly finish?: FinishReason }): Answer {
  const { finish, ...reading } = options
  return answerOf(createReader(reading), text, finish)
}

/** Reads a stream of words: the events of the answer, while they come. */
export function readStream(stream: PieceStream, options: EngineReadOptions): AsyncGenerator<Event, void> {
  return eventsOf(createReader(options), stream)
}

/** The same as a `TransformStream`: words in, events out. */
export function createReaderStream(options: EngineReadOptions): TransformStream<Piece, Event> {
  return transformOf(createReader(options))
}

/** Calls as the dialect writes them: what its reader, given the same tools, reads back as the same calls. */
export function printCalls(
  calls: readonly CallLike[],
  options?: DialectOptions & { readonly tools?: readonly ToolLike[] | undefined },
): string
/** The same, dialect first. `ordinal` is the number of calls before these in the conversation, for dialects that count. */
export function printCalls(
  dialect: Dialect,
  calls: readonly CallLike[],
  tools?: readonly ToolLike[],
  ordinal?: number,
): string
export function printCalls(
  first: Dialect | readonly CallLike[],
  second: readonly CallLike[] | (DialectOptions & { readonly tools?: readonly ToolLike[] | undefined }) = {},
  tools: readonly ToolLike[] = [],
  ordinal = 0,
): string {
  if (isList(first)) {
    const options = isList(second) ? {} : second
    return callsIn(pickDialect(options.dialect), first, options.tools ?? [])
  }
  return callsIn(first, isList(second) ? second : [], tools, ordinal)
}

/** Results as the dialect shows them to the model. */
export function printResults(results: readonly ResultLike[], options?: DialectOptions): string
/** The same, dialect first. */
export function printResults(dialect: Dialect, results: readonly ResultLike[]): string
export function printResults(
  first: Dialect | readonly ResultLike[],
  second: readonly ResultLike[] | DialectOptions = {},
): string {
  if (isList(first)) return resultsIn(pickDialect(isList(second) ? undefined : second.dialect), first)
  return resultsIn(first, isList(second) ? second : [])
}

/** A conversation with tool calls as one without: calls and results become words, which any chat model takes. */
export function printHistory(
  messages: readonly MessageLike[],
  { dialect, ...options }: HistoryOptions & DialectOptions = {},
): PlainMessage[] {
  return historyIn(pickDialect(dialect), messages, options)
}

/**
 * A grammar that holds a model's answer to valid calls of these tools, for servers that take one. `widened` names what the
 * schemas say and the grammar does not.
 */
export function constrain(tools: readonly ToolLike[], { dialect, form, choice, parallel }: ConstrainOptions): Grammar {
  const toolChoice = toChoice(choice)
  const asked = {
    tools: toTools(tools),
    ...(toolChoice !== undefined && { toolChoice }),
    ...(parallel !== undefined && { parallelCalls: parallel }),
  }
  return grammarFor(asked, pickDialect(dialect), form)
}

function isList<T>(value: readonly T[] | object): value is readonly T[] {
  return Array.isArray(value)
}
