import { createKeep, type Keep, type KeepSettings } from './keep.ts'

/** Where a conversation stands on a service that keeps it. */
export interface Session {
  readonly chat: string
  /** The id that the next message hangs on. */
  readonly parent: string
  /** What its model was told beside the conversation, as a digest; empty when that was nothing. */
  readonly taught: string
}

/** Remembers sessions by keys that say nothing about the conversation. */
export type Sessions = Keep<Session>

const maxRemembered = 100_000

export function createSessions(settings: KeepSettings): Sessions {
  return createKeep('dragoman:sessions', settings, { entries: maxRemembered })
}
