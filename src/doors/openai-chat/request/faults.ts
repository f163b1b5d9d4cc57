import { GatewayError } from '../../../errors.ts'

/** Collects what is wrong with a conversation and can still be read: the model's settings say whether that is enough. */
export interface Faults {
  readonly list: readonly GatewayError[]
  /** How many there were, those that the list has no room for as well. */
  count(): number
  add(fault: GatewayError): void
  /** What a check reads, or, with its failure noted, what stands for it. */
  mend<T>(read: () => T, otherwise: () => T): T
}

const maxFaults = 100

export function createFaults(): Faults {
  const list: GatewayError[] = []
  let count = 0
  const add = (fault: GatewayError): void => {
    count += 1
    if (list.length < maxFaults) list.push(fault)
  }
  return {
    list,
    count: () => count,
    add,
    mend(read, otherwise) {
      try {
        return read()
      } catch (thrown) {
        if (!(thrown instanceof GatewayError)) throw thrown
        add(thrown)
        return otherwise()
      }
    },
  }
}
