import { computed, signal } from '@preact/signals'
import { askAsClient, createRequestId, exchangeOf } from '../data/client.ts'
import { readModels } from '../data/models.ts'
import type { Stage } from './stage.ts'

const requestId = signal<string | undefined>(undefined)
/** The exchange that was started here, once it is known. */
export const playedId = computed(() => exchangeOf(requestId.value))

/** A client of the gateway like any other: what it asks is recorded, and the panes show the recording. */
export const gatewayStage: Stage = {
  isListed: true,
  about: 'It goes through the gateway like any request.',
  models: readModels,
  async ask(question) {
    requestId.value = createRequestId()
    await askAsClient(question, requestId.value)
  },
}
