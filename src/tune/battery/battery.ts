import { createDice } from '../dice.ts'
import { ofAgents } from './agents.ts'
import { ofArguments } from './arguments.ts'
import { ofCode } from './code.ts'
import { ofConversations } from './conversations.ts'
import { ofSize } from './large.ts'
import type { Instance, Task } from './task.ts'

export const battery: readonly Task[] = [...ofArguments, ...ofCode, ...ofConversations, ...ofAgents, ...ofSize]

/** Counts up when tasks change, so that what was measured with others is not mixed in. */
export const batteryVersion = 3

export interface Drawn extends Instance {
  readonly task: Task
}

/** The task of a round: any of the battery, each as likely, whatever came before. The same for the same seed. */
export function drawTask(seed: number, round: number): Drawn {
  const dice = createDice('task', seed, round)
  const task = dice.pick(battery)
  return { task, ...task.make(dice) }
}
