/** `dragoman/engine`: the pure half, without server and network. It runs in a browser too. */
export type { Dialect } from './dialects/dialect.ts'
export { dialectFor, dialects, findDialect } from './dialects/registry.ts'
export type { Reader } from './engine/lean-reader.ts'
export type { ReaderOptions } from './engine/options.ts'
export type { PrintedCall, PrintedResult } from './engine/print.ts'
export { type Ask, type AskOptions, ask } from './library/ask.ts'
export {
  type ConstrainOptions,
  constrain,
  createReader,
  createReaderStream,
  type DialectOptions,
  type EngineReadOptions,
  printCalls,
  printHistory,
  printResults,
  readAll,
  readStream,
  teach,
} from './library/full.ts'
export type { ChatMessage, MessageLike, PlainMessage } from './library/messages.ts'
export type { CallLike, HistoryOptions, ResultLike } from './library/print.ts'
export type { Piece, PieceStream, ReadOptions } from './library/reading.ts'
export type { ToolChoiceLike, ToolLike } from './library/tools.ts'
export type { Event, FinishReason } from './protocol/event.ts'
export { type Answer, fold } from './protocol/fold.ts'
export type { Message } from './protocol/message.ts'
export type { Tool, ToolChoice } from './protocol/tool.ts'
export type { Span, Why } from './protocol/trace/span.ts'
export { Trace } from './protocol/trace/trace.ts'
export type { Grammar, GrammarForm } from './turn/prompt/force/grammar.ts'
