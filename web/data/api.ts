import { createParser } from 'eventsource-parser'

/** What the gateway answered instead of what was asked for. */
export class ApiError extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

/** Beside the page, wherever that is. */
const base = new URL('api/', document.baseURI)

function apiUrl(path: string): URL {
  return new URL(path, base)
}

export async function getJson<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await ask(path, signal)).json() as Promise<T>
}

export async function getText(path: string): Promise<string> {
  return (await ask(path)).text()
}

async function ask(path: string, signal: AbortSignal | null = null): Promise<Response> {
  const response = await fetch(apiUrl(path), { signal })
  if (!response.ok) throw await toError(response)
  return response
}

export async function toError(response: Response): Promise<ApiError> {
  const text = await response.text()
  return new ApiError(response.status, messageOf(text) ?? `The gateway answered ${response.status}.`)
}

function messageOf(text: string): string | undefined {
  try {
    const { error } = JSON.parse(text) as { readonly error?: { readonly message?: unknown } }
    return typeof error?.message === 'string' ? error.message : undefined
  } catch {
    return text === '' || text.startsWith('<') ? undefined : text.slice(0, 500)
  }
}

export interface ServerEvent {
  readonly name: string
  readonly data: unknown
}

/** The events of a stream until it ends. */
export async function* eventsOf(path: string, signal: AbortSignal): AsyncGenerator<ServerEvent> {
  const response = await ask(path, signal)
  yield { name: 'open', data: undefined }
  const waiting: ServerEvent[] = []
  const parser = createParser({
    onEvent: ({ event = 'message', data }) => waiting.push({ name: event, data: JSON.parse(data) }),
  })
  const decoder = new TextDecoder()
  const reader = response.body?.getReader()
  if (reader === undefined) return
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    parser.feed(decoder.decode(value, { stream: true }))
    yield* waiting.splice(0)
  }
}

/** A failure in words for people. */
export function inWords(error: unknown): string {
  if (error instanceof ApiError) return error.message
  return "Can't reach Dragoman. Is it still running?"
}
