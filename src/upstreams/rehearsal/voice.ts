import type { Call } from '../../protocol/call.ts'
import type { Tool } from '../../protocol/tool.ts'

/** What a prompt in some dialect says to who can read it. */
export interface Heard {
  readonly tools: readonly Tool[]
  /** Calls, written the way the prompt asked for. */
  print(calls: readonly Call[]): string
  /** What the tools answered, when the last message holds their answers. */
  readonly results?: readonly string[]
  /** What the user wants, without what the teaching added; absent: the last user message as it stands. */
  readonly question?: string
}

/**
 * Lends the rehearsal model an ear and a tongue for dialects, which no upstream may know. It is handed the system
 * messages, the first user message and the last one, joined by blank lines: teaching stands in one of the former, and
 * fresh results stand in the latter.
 */
export interface Voice {
  hear(systemAndUserText: string): Heard | undefined
}
