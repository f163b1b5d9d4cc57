import type { HttpClient } from './http.ts'

/** What sends a request: the `fetch` of any runtime. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Requests by `fetch`: for runtimes without sockets, and for those who bring a `fetch` of their own. */
export function createFetchClient(url: URL, send: Fetch = (address, init) => fetch(address, init)): HttpClient {
  return {
    async send({ method, path, headers, body }, signal) {
      signal.throwIfAborted()
      try {
        const init: RequestInit = { method, headers, redirect: 'manual', signal, ...(body !== undefined && { body }) }
        const response = await send(url.origin + path, init)
        return {
          status: response.status,
          headers: Object.fromEntries(response.headers),
          body: readBody(response.body, signal),
        }
      } catch (thrown) {
        throw reasonOf(thrown, signal)
      }
    },
    close: async () => undefined,
  }
}

async function* readBody(stream: ReadableStream<Uint8Array> | null, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  if (stream === null) return
  const reader = stream.getReader()
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value
  } catch (thrown) {
    throw reasonOf(thrown, signal)
  } finally {
    void reader.cancel().catch(() => undefined)
  }
}

/** Runtimes have words of their own for an abort, and hide in the cause why a connection failed: `fetch failed`. */
function reasonOf(thrown: unknown, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason
  return thrown instanceof TypeError && thrown.cause instanceof Error ? thrown.cause : thrown
}
