/** `dragoman/ai-sdk`: tool calls for any model of the AI SDK. */
export type { Dialect } from './dialects/dialect.ts'
export { type ToolMiddlewareOptions, toolMiddleware } from './library/ai-sdk/middleware.ts'
export type { Note } from './protocol/event.ts'
