import type { Dialect } from '../dialects/dialect.ts'
import { type PrintedCall, printCalls as printCallsIn, printResults as printResultsIn } from '../engine/print.ts'
import { asFunction } from '../protocol/custom.ts'
import { openGuard } from '../turn/prompt/guard/guard.ts'
import { openingTexts, printHistory } from '../turn/prompt/history/history.ts'
import { normalise } from '../turn/prompt/history/normalise.ts'
import { teach as teachIn } from '../turn/prompt/teach/teach.ts'
import { type MessageLike, type PlainMessage, toMessages, toPlain } from './messages.ts'
import { type ToolLike, toTools } from './tools.ts'

/** A call to be printed. */
export interface CallLike {
  readonly name: string
  /** JSON text of an object, or the object itself. */
  readonly arguments: string | object
  /** Some dialects write it. */
  readonly id?: string | undefined
}

/** A result to be printed. */
export interface ResultLike {
  readonly name: string
  readonly content: string
  /** That of its call; some dialects write it. */
  readonly id?: string | undefined
  /** The place of its call among all calls of the conversation, for dialects that count. */
  readonly ordinal?: number | undefined
}

export function teachTools(dialect: Dialect, tools: readonly ToolLike[]): string {
  return tools.length === 0 ? '' : teachIn(dialect, toTools(tools))
}

export function callsIn(dialect: Dialect, calls: readonly CallLike[], tools: readonly ToolLike[], ordinal = 0): string {
  const functions = toTools(tools).map(asFunction)
  return printCallsIn(dialect, calls.map(toPrinted), functions, ordinal)
}

function toPrinted({ id, name, arguments: given }: CallLike, place: number): PrintedCall {
  return {
    id: id ?? `call_${place}`,
    name,
    arguments: typeof given === 'string' ? given || '{}' : JSON.stringify(given),
  }
}

export function resultsIn(dialect: Dialect, results: readonly ResultLike[]): string {
  return printResultsIn(
    dialect,
    results.map(({ id, name, content, ordinal }, place) => ({
      id: id ?? `call_${place}`,
      name,
      content,
      ...(ordinal !== undefined && { ordinal }),
    })),
  )
}

/** What a conversation is told with. */
export interface HistoryOptions {
  /** The tools of the conversation: some dialects write values by their types. */
  readonly tools?: readonly ToolLike[] | undefined
  /** Added to the system message, below what the conversation has there. */
  readonly system?: string | undefined
  /** False: there is no system role, and its text goes in front of the first user message. Default: true. */
  readonly systemRole?: boolean | undefined
}

export function historyIn(
  dialect: Dialect,
  given: readonly MessageLike[],
  { tools = [], system = '', systemRole = true }: HistoryOptions,
): PlainMessage[] {
  const messages = toMessages(given)
  const spoken = printHistory({ messages, tools: toTools(tools) }, dialect, openGuard)
  const said = [...openingTexts(messages), system].filter((text) => text !== '').join('\n\n')
  const told = normalise(said, spoken, { system: systemRole, alternate: false })
  return toPlain(told)
}
