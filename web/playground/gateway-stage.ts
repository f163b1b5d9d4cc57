import { computed, signal } from '@preact/signals'
import { toError } from '../data/api.ts'
import { doorUrl, readModels } from '../data/models.ts'
import { summaries } from '../data/store.ts'
import type { Stage } from './stage.ts'

const requestId = signal<string | undefined>(undefined)
/** The exchange that was started here, once it is known. */
export const playedId = computed(() =>
  requestId.value === undefined ? undefined : summaries.value.find((one) => one.requestId === requestId.value)?.id,
)

/** A client of the gateway like any other: what it asks is recorded, and the panes show the recording. */
export const gatewayStage: Stage = {
  isListed: true,
  about: 'It goes through the gateway like any request.',
  models: readModels,
  async ask({ body, headers, signal }) {
    const id = `play-${crypto.getRandomValues(new Uint32Array(2)).join('')}`
    requestId.value = id
    const response = await fetch(doorUrl('chat/completions'), {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': id, ...headers },
      body,
      signal,
    })
    if (!response.ok) throw await toError(response)
    const reader = response.body?.getReader()
    while (reader !== undefined && !(await reader.read()).done);
  },
}
