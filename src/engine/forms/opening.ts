import type { Node } from '../../schema/node.ts'
import type { Call } from '../context.ts'
import { refuted, type Step } from '../text/source.ts'
import { readArguments } from './arguments.ts'
import type { Outcome } from './json/json.ts'

/** Where the arguments of a call begin whose name is known. */
export interface Opening extends Call {
  /** Begins the call; gives the node of its arguments. */
  readonly begin: () => Node
  /** Before the white space. */
  readonly from: number
  /** What stands there, white space aside. */
  readonly next: number
}

/** A way of writing the arguments of a call whose name stands before them. */
export interface ArgumentsForm {
  readonly read: (opening: Opening) => Step<Outcome>
  /** A code fence may stand around them. */
  readonly isFenced?: boolean
  /** They are elements, of which there may be none. */
  readonly isElements?: boolean
  /** What closes the call closes them. */
  readonly isClosed?: boolean
}

/** An object, where something else was expected, too. */
export function readObject(opening: Opening): Step<Outcome> {
  if (opening.next !== 123) throw refuted
  return readArguments(opening, opening.begin())
}
