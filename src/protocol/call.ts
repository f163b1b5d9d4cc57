import type { ProviderMetadata } from './provider-metadata.ts'

/** One invocation of a tool. `arguments` is JSON text for functions and free text for custom tools. */
export interface Call {
  readonly id: string
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly arguments: string
  readonly metadata?: ProviderMetadata
}
