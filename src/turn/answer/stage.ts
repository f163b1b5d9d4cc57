import type { Event } from '../../protocol/event.ts'

/** One step that all events of an answer take, in order. */
export interface Stage {
  /** What may leave now. */
  push(events: readonly Event[]): readonly Event[]
  /** The answer is over: what was held back. */
  end?(): readonly Event[]
}
