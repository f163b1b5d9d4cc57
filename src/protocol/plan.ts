/** What was decided about one answer, for headers, logs and traces. */
export interface Plan {
  readonly mode: 'native' | 'prompt' | 'none'
  readonly dialect?: string
  /** What the answer is held to, in prompt mode: a grammar in one of its notations, a schema, or a beginning. */
  readonly constraint?: 'gbnf' | 'ebnf' | 'structural-tag' | 'json-schema' | 'prefill'
  readonly upstream: string
  readonly model: string
}
