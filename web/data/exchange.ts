import { signal } from '@preact/signals'
import type { Growth } from '../../src/traces/api.ts'
import type { Attempt, Exchange } from '../../src/traces/exchange.ts'
import { ApiError, eventsOf, getJson, inWords } from './api.ts'

export type Opened =
  | { readonly state: 'loading'; readonly id: string }
  | { readonly state: 'here'; readonly id: string; readonly exchange: Exchange }
  | { readonly state: 'failed'; readonly id: string; readonly why: string }

/** The exchange that is looked at, kept up to date while it is under way. */
export function createOpened() {
  const opened = signal<Opened | undefined>(undefined)
  let abort = new AbortController()

  async function open(id: string): Promise<void> {
    abort.abort()
    abort = new AbortController()
    const { signal } = abort
    if (opened.peek()?.id !== id) opened.value = { state: 'loading', id }
    try {
      const exchange = await getJson<Exchange>(`exchanges/${encodeURIComponent(id)}`, signal)
      opened.value = { state: 'here', id, exchange }
      if (exchange.state === 'open') await grow(id, signal)
    } catch (error) {
      // Another worker has it under way: what is known stays, and it is read again when it is over.
      if (opened.peek()?.state === 'here' && error instanceof ApiError && error.status === 404) return
      if (!signal.aborted) opened.value = { state: 'failed', id, why: inWords(error) }
    }
  }

  async function grow(id: string, signal: AbortSignal): Promise<void> {
    for await (const { name, data } of eventsOf(`live?id=${encodeURIComponent(id)}`, signal)) {
      if (name === 'exchange') {
        const exchange = data as Exchange
        opened.value = { state: 'here', id, exchange }
        if (exchange.state !== 'open') return
      }
      const now = opened.peek()
      if (name === 'grown' && now?.state === 'here')
        opened.value = { ...now, exchange: grown(now.exchange, data as Growth) }
    }
  }

  function close(): void {
    abort.abort()
    opened.value = undefined
  }

  return { opened, open, close }
}

/** The exchange with what was added to it. */
function grown(exchange: Exchange, growth: Growth): Exchange {
  const { said, got, attempt } = growth
  const attempts =
    said === undefined
      ? exchange.attempts
      : exchange.attempts.map((one, i) => (i === attempt ? withSaid(one, said) : one))
  if (got === undefined) return { ...exchange, attempts }
  const { body } = exchange.got
  return {
    ...exchange,
    attempts,
    got: {
      ...exchange.got,
      text: exchange.got.text + got.text,
      thoughts: exchange.got.thoughts + got.thoughts,
      calls: got.calls.length === 0 ? exchange.got.calls : got.calls,
      pieces: [...exchange.got.pieces, ...got.pieces],
      body: {
        text: (body?.text ?? '') + got.body,
        length: (body?.length ?? 0) + got.body.length,
        isTruncated: body?.isTruncated ?? false,
      },
    },
  }
}

function withSaid(attempt: Attempt, more: NonNullable<Growth['said']>): Attempt {
  const { said } = attempt
  return {
    ...attempt,
    said: {
      ...said,
      text: said.text + more.text,
      thoughts: said.thoughts + more.thoughts,
      pieces: [...said.pieces, ...more.pieces],
      length: said.length + more.text.length + more.thoughts.length,
    },
  }
}
