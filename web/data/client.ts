import { signal } from '@preact/signals'
import { toError } from './api.ts'
import { known } from './store.ts'

/** A request to the API that clients use, beside the inspector. */
export interface ClientRequest {
  /** `/v1/chat/completions`. */
  readonly path: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
}

/** The key this tab asks with, where clients need one. */
export const key = signal('')

export const keyHeaders = (): Record<string, string> =>
  key.value === '' ? {} : { authorization: `Bearer ${key.value}` }

/** Asks like any client. Resolves when the answer is over; rejects with what is wrong, in words. */
export async function askAsClient(request: ClientRequest, requestId: string): Promise<void> {
  const { path, body, headers, signal } = request
  const response = await fetch(new URL(`..${path}`, document.baseURI), {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-request-id': requestId, ...headers },
    body,
    signal,
  })
  if (!response.ok) throw await toError(response)
  const reader = response.body?.getReader()
  while (reader !== undefined && !(await reader.read()).done);
}

export function createRequestId(): string {
  return `page-${crypto.getRandomValues(new Uint32Array(2)).join('')}`
}

/** The exchange that a request of this page became, once it is listed. */
export function exchangeOf(requestId: string | undefined): string | undefined {
  return requestId === undefined ? undefined : known.value.find((one) => one.requestId === requestId)?.id
}
