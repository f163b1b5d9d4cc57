import { computed, signal } from '@preact/signals'
import { inWords, toError } from '../data/api.ts'
import { createOpened } from '../data/exchange.ts'
import { doorUrl } from '../data/models.ts'
import { summaries } from '../data/store.ts'
import { draft, toBody } from './draft.ts'

/** A client of the gateway like any other: what it asks is recorded, and the panes show the recording. */

export const key = signal('')
export const isRunning = signal(false)
export const problem = signal<string | undefined>(undefined)
const played = createOpened()
export const { opened, open } = played

const requestId = signal<string | undefined>(undefined)
/** The exchange that was started here, once it is known. */
export const playedId = computed(() =>
  requestId.value === undefined ? undefined : summaries.value.find((one) => one.requestId === requestId.value)?.id,
)

let abort = new AbortController()

export function headers(): Record<string, string> {
  const { mode, dialect } = draft
  return {
    ...(key.value !== '' && { authorization: `Bearer ${key.value}` }),
    ...(mode.value !== '' && { 'x-dragoman-tools': mode.value }),
    ...(dialect.value !== '' && { 'x-dragoman-dialect': dialect.value }),
  }
}

export async function play(): Promise<void> {
  problem.value = undefined
  abort = new AbortController()
  try {
    const body = JSON.stringify(toBody())
    const id = `play-${crypto.getRandomValues(new Uint32Array(2)).join('')}`
    isRunning.value = true
    played.close()
    requestId.value = id
    const response = await fetch(doorUrl('chat/completions'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers() },
      body,
      signal: abort.signal,
    })
    if (!response.ok) throw await toError(response)
    const reader = response.body?.getReader()
    while (reader !== undefined && !(await reader.read()).done);
  } catch (error) {
    if (!abort.signal.aborted) problem.value = error instanceof TypeError ? inWords(error) : (error as Error).message
  } finally {
    isRunning.value = false
  }
}

export function stop(): void {
  abort.abort()
}
