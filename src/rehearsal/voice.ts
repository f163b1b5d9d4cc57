import type { Call } from '../protocol/call.ts'
import type { Tool, ToolChoice } from '../protocol/tool.ts'

/** What a prompt in some dialect says to who can read it. */
export interface Heard {
  readonly tools: readonly Tool[]
  /** Calls, written the way the prompt asked for. */
  print(calls: readonly Pick<Call, 'id' | 'name' | 'arguments'>[]): string
  /** What the tools answered, when the last message holds their answers. */
  readonly results?: readonly string[]
  /** What the user wants, where the last message holds more than that; absent: nothing, or the message as it stands. */
  readonly question?: string
  /** Which tools the next answer must or may call, where the prompt says so. */
  readonly choice?: ToolChoice
  /** At most one call is wanted. */
  readonly onlyOne?: boolean
}

/** Lends the rehearsal model an ear and a tongue for dialects, which no upstream may know. */
export interface Voice {
  /**
   * `prompt` is where teaching can stand: the system messages and the first user message, joined by blank lines. `last` is
   * the last user message: what is wanted now, or fresh results.
   */
  hear(prompt: string, last: string): Heard | undefined
}
