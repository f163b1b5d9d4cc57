/** `dragoman/engine`: the pure half, without server and network. It runs in a browser too. */
export type { Dialect } from './dialects/dialect.ts'
export { dialectFor, dialects, findDialect } from './dialects/registry.ts'
export { type PrintedCall, type PrintedResult, printCalls, printResults } from './engine/print.ts'
export { createReader, type Reader, type ReaderOptions } from './engine/reader.ts'
export type { Event, FinishReason } from './protocol/event.ts'
export { type Answer, fold } from './protocol/fold.ts'
export type { Tool } from './protocol/tool.ts'
