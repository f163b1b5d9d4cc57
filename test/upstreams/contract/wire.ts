/**
 * How one kind of service speaks, for the contract that holds for every kind. `wires/KIND.ts` exports
 * one as `wire`: what the config says of such a service, and its words for what any service may do.
 */
export interface Wire {
  /** Its part of the config file, for a service at this address. The key is `hunter2-secret`. */
  file(origin: string): Readonly<Record<string, unknown>>
  /** What it answers on the way to the question itself; undefined: this is the question. */
  errand?(method: string, path: string): unknown
  /** The pieces of an answer, one write each, up to but without its end. */
  says(pieces: readonly string[]): readonly string[]
  /** What it sends when an answer is over and whole. */
  readonly end: readonly string[]
  /** A native call in pieces; undefined for a service that knows words only. */
  calls?(name: string, json: readonly string[]): readonly string[]
}

export const secret = 'hunter2-secret'
