import { computed, signal } from '@preact/signals'
import type { Exchange } from '../../src/traces/exchange.ts'
import { inWords } from '../data/api.ts'
import { askAsClient, createRequestId, exchangeOf, keyHeaders } from '../data/client.ts'
import { isObject, parsed } from '../text/json.ts'

/** What is different the next time; empty: as the configuration says. */
export interface Otherwise {
  readonly model: string
  readonly mode: string
  readonly dialect: string
}

export const isRunning = signal(false)
export const problem = signal<string | undefined>(undefined)
const asked = signal<{ readonly of: string; readonly requestId: string } | undefined>(undefined)
let abort = new AbortController()

/** The last time this exchange was asked again, if it was. */
export const replayOf = (id: string) =>
  computed(() => (asked.value?.of === id ? exchangeOf(asked.value.requestId) : undefined))

/** Why an exchange cannot be asked again; undefined where it can. */
export function whyNot({ asked: { body, method }, hasBodies }: Exchange): string | undefined {
  if (!hasBodies || body === undefined) return 'What was asked was not recorded.'
  if (body.isTruncated) return 'The request was too long to be kept whole.'
  return method === 'POST' && isObject(parsed(body.text)) ? undefined : 'The request could not be read.'
}

/** Headers that change what is answered. Keys were hidden when it was recorded: this page has its own. */
const telling = /^(?:anthropic|openai)-/i

/** The request once more, with what is to be different. */
function toRequest({ asked: { url, body, headers } }: Exchange, { model, mode, dialect }: Otherwise) {
  const fields = parsed(body?.text ?? '')
  return {
    path: url,
    body: JSON.stringify({ ...(isObject(fields) ? fields : {}), ...(model !== '' && { model }) }),
    headers: {
      ...Object.fromEntries(headers.filter(({ name }) => telling.test(name)).map(({ name, value }) => [name, value])),
      ...(mode !== '' && { 'x-dragoman-tools': mode }),
      ...(dialect !== '' && mode !== 'native' && { 'x-dragoman-dialect': dialect }),
    },
  }
}

export async function replay(exchange: Exchange, otherwise: Otherwise): Promise<void> {
  const requestId = createRequestId()
  const { path, body, headers } = toRequest(exchange, otherwise)
  abort = new AbortController()
  problem.value = undefined
  isRunning.value = true
  asked.value = { of: exchange.id, requestId }
  try {
    // A conversation of its own: it is no turn of the one it came from.
    const more = { ...keyHeaders(), 'x-conversation-id': requestId }
    await askAsClient({ path, body, headers: { ...headers, ...more }, signal: abort.signal }, requestId)
  } catch (error) {
    if (!abort.signal.aborted) problem.value = inWords(error)
  } finally {
    isRunning.value = false
  }
}

export function stop(): void {
  abort.abort()
}
