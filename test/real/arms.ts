import { isWay, nativeWay, settingsFor, templateWay } from '../../src/tune/ways.ts'
import type { ModelSettings } from '../../src/turn/settings.ts'

/** One way to ask: the engine with nothing in between, or the gateway with these settings of the model. */
export interface Arm {
  readonly name: string
  /** Absent: the engine straight. */
  readonly settings?: Partial<ModelSettings>
}

export const straight: Arm = { name: 'straight' }

/**
 * An arm by its name: `straight`, `native`, `template`, or a dialect, and settings of the model behind it, each after a plus:
 * `hermes+reminder=off`.
 */
export function readArm(name: string): Arm {
  if (name === straight.name) return straight
  if (isWay(name.split('+', 1)[0] ?? '')) return { name, settings: settingsFor(name) }
  throw new Error(`There is no arm "${name}". Name ${straight.name}, ${nativeWay}, ${templateWay} or a dialect.`)
}
