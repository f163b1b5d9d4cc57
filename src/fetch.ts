/** `dragoman/fetch`: the gateway as a `fetch`, in process. */
export { GatewayError } from './errors.ts'
export { createFetch, type FetchFunction, type FetchOptions, type Service } from './library/fetch/create-fetch.ts'
export type { Question, Saying, Sayings, TextModel } from './library/fetch/text-model.ts'
export type { PlainMessage } from './library/messages.ts'
