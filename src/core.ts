/** `dragoman/core`: the engine without its dialects, for small bundles. Pick those from `dragoman/dialects/…`. */
export type { Dialect } from './dialects/dialect.ts'
export type { Reader } from './engine/lean-reader.ts'
export { defineDialect } from './library/forms.ts'
export {
  createReader,
  createReaderStream,
  type LeanDialectOptions,
  type LeanReadOptions,
  printCalls,
  printHistory,
  printResults,
  readAll,
  readStream,
  teach,
} from './library/lean.ts'
export type { ChatMessage, MessageLike, PlainMessage } from './library/messages.ts'
export type { CallLike, HistoryOptions, ResultLike } from './library/print.ts'
export type { Piece, PieceStream, ReadOptions } from './library/reading.ts'
export type { ToolLike } from './library/tools.ts'
export type { Event, FinishReason } from './protocol/event.ts'
export { type Answer, fold } from './protocol/fold.ts'
export type { Message } from './protocol/message.ts'
export type { Tool } from './protocol/tool.ts'
