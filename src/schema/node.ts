import type { Json, JsonObject } from '../protocol/json.ts'

/** JSON types as bits, so that "allows a string or null" is one comparison. */
export const Kind = { null: 1, boolean: 2, integer: 4, number: 8, string: 16, array: 32, object: 64, any: 127 } as const

/**
 * One place in a tool's schema, with `$ref`, `anyOf`, `oneOf`, `allOf`, `enum` and `const` already taken into account.
 * Nodes are made lazily, so a recursive schema costs only what is visited.
 */
export interface Node {
  /** Bits of `Kind` a value may have here. A node that allows numbers has the integer bit too. */
  readonly types: number
  /** Whether the schema said anything about types here; false means anything goes because nothing was declared. */
  readonly declared: boolean
  /** The closed list of values, when `enum` or `const` gives one. */
  readonly values: readonly Json[] | undefined
  /** Declared property names in the order of the schema. */
  readonly properties: readonly string[]
  readonly required: readonly string[]
  /** The node of a property; names are plain names, `__proto__` and `constructor` included. */
  property(name: string): Node
  hasProperty(name: string): boolean
  /** Properties that are not declared are forbidden. */
  readonly closed: boolean
  /** The node of an array's item. */
  item(index: number): Node
  /** The alternatives of the schema; empty where anything goes. */
  readonly branches: readonly Branch[]
}

/** One alternative of a node, as a node of its own, with the plain schema objects whose keywords hold in it. */
export interface Branch {
  readonly node: Node
  readonly rules: readonly JsonObject[]
}
