import type { JsonObject } from '../../protocol/json.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Tool } from '../../protocol/tool.ts'
import type { Dice } from '../dice.ts'

/** What a task asks of a model, for tables and charts. */
export const categories = [
  'single',
  'types',
  'text',
  'enum',
  'nested',
  'no arguments',
  'code',
  'parallel',
  'no call',
  'results',
  'recovery',
  'agent',
  'many tools',
  'long context',
] as const

export type Category = (typeof categories)[number]

export interface WantedCall {
  readonly name: string
  readonly arguments: JsonObject
  /** Whether another call does as well. */
  readonly also?: (call: { readonly name: string; readonly arguments: JsonObject }) => boolean
}

/** What a model that can do the task says. */
export interface Solution {
  /** All of them, in any order, and no others. None: it must not call. */
  readonly calls: readonly WantedCall[]
  /** Words that must be in the answer, where it has none of the calls. */
  readonly words?: string
}

/** A task with its names and numbers filled in. */
export interface Instance {
  readonly request: Pick<Request, 'messages' | 'tools'>
  readonly solution: Solution
}

export interface Task {
  readonly category: Category
  readonly name: string
  make(dice: Dice): Instance
}

/** What the tasks of one category are made of: a request of the user, the tools for it, and the calls that are right. */
interface Sketch {
  readonly says: string
  readonly tools: readonly Tool[]
  readonly calls?: readonly WantedCall[]
  readonly words?: string
  /** What was said before. */
  readonly before?: readonly Message[]
  /** What was said after: calls and results. */
  readonly after?: readonly Message[]
}

/** The tasks of one category, by name. */
export function define(
  category: Category,
  sketches: Readonly<Record<string, (dice: Dice) => Sketch>>,
): readonly Task[] {
  return Object.entries(sketches).map(([name, sketch]) => ({
    category,
    name,
    make(dice) {
      const { says, tools, calls = [], words, before = [], after = [] } = sketch(dice)
      const messages: readonly Message[] = [...before, { role: 'user', content: says }, ...after]
      return { request: { messages, tools }, solution: { calls, ...(words !== undefined && { words }) } }
    },
  }))
}

interface Made {
  readonly id?: string
  readonly name: string
  readonly arguments: JsonObject
  readonly result: string
}

/** A turn of the assistant that only called, and the result of each call. */
export function exchange(...made: readonly Made[]): readonly Message[] {
  const calls = made.map(({ id, name, arguments: given }, index) => ({
    kind: 'function' as const,
    id: id ?? `call_before_${index}`,
    name,
    arguments: JSON.stringify(given),
  }))
  return [
    { role: 'assistant', content: inUsualOrder({ calls }) },
    ...made.map(
      ({ name, result }, index): Message => ({ role: 'tool', callId: calls[index]?.id ?? '', name, content: result }),
    ),
  ]
}
