import { signal } from '@preact/signals'
import type { GotCall } from '../../../src/traces/exchange.ts'
import { lit } from '../../text/lit.ts'
import { callKey } from './marks.ts'

/** The calls of the exchange that is looked at. */
export const shownCalls = signal<readonly GotCall[]>([])

/** Whether a call of this tool is under the pointer. */
export function isLitTool(name: string): boolean {
  const call = lit.call.value
  return shownCalls.value.some((one) => callKey(one.choice, one.index) === call && one.name === name)
}
