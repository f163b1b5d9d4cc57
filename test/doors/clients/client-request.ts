/**
 * A request as a client sends it: what is particular to it is kept, the long prompts are not. `said` must reach the model,
 * with these tools, by name or number.
 */
export type ClientRequest = readonly [
  client: string,
  body: Readonly<Record<string, unknown>>,
  said: readonly string[],
  tools?: readonly string[] | number,
]
