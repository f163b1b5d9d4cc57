import type { Keepsake } from './keepsake.ts'

/** One invocation of a tool. `arguments` is JSON text for functions and free text for custom tools. */
export interface Call {
  readonly id: string
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly arguments: string
  readonly keepsake?: Keepsake
}
