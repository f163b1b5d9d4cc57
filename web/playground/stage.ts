import { signal } from '@preact/signals'
import type { ClientRequest } from '../data/client.ts'
import type { Model } from '../data/models.ts'

/** What answers in the playground: the gateway this page came from, or one in the page itself. */
export interface Stage {
  models(headers: Readonly<Record<string, string>>): Promise<readonly Model[]>
  /** Resolves when the answer is over; rejects with what is wrong, in words. */
  ask(question: ClientRequest): Promise<void>
  /** What became of it can be found among the exchanges, and has an address of its own. */
  readonly isListed: boolean
  /** What to know before one asks. */
  readonly about: string
}

export const stage = signal<Stage | undefined>(undefined)
