import type { JsonObject } from '../../../protocol/json.ts'
import type { Wire } from './wire.ts'

/** The place of one item in a response. */
export interface Slot {
  readonly id: string
  readonly index: number
  readonly wire: Wire
}

/** An item that is not whole yet. */
export interface OpenItem {
  /** Tells that it is whole, and gives it back. */
  close(status: 'completed' | 'incomplete'): JsonObject
}
