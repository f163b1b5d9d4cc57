/** What was decided about one answer, for headers, logs and traces. */
export interface Plan {
  readonly mode: 'native' | 'template' | 'prompt' | 'none'
  readonly dialect?: string
  /** What the answer is held to, where calls are read from text: a grammar in one of its notations, a schema, or a beginning. */
  readonly constraint?: 'gbnf' | 'ebnf' | 'structural-tag' | 'json-schema' | 'prefill'
  readonly upstream: string
  readonly model: string
}

/** Whether calls are read from the answer's text: its tools are in the prompt, by our words or by the server's template. */
export function readsText(mode: Plan['mode']): boolean {
  return mode === 'prompt' || mode === 'template'
}
