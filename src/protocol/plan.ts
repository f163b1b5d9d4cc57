/** What was decided about one answer, for headers, logs and traces. */
export interface Plan {
  readonly mode: 'native' | 'prompt' | 'none'
  readonly dialect?: string
  readonly upstream: string
  readonly model: string
}
