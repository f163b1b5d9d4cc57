import { GatewayError } from '../../errors.ts'

/** Collects what is wrong with a conversation and can still be read: the model's settings say whether that is enough. */
export interface Faults {
  readonly list: readonly GatewayError[]
  add(fault: GatewayError): void
  /** What a check reads, or, with its failure noted, what stands for it. */
  mend<T>(read: () => T, otherwise: () => T): T
}

const maxFaults = 100

export function createFaults(): Faults {
  const list: GatewayError[] = []
  const add = (fault: GatewayError): void => {
    if (list.length < maxFaults) list.push(fault)
  }
  return {
    list,
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
