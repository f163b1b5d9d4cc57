/** What was looked at. */
export type Check =
  | 'reachable'
  | 'answers'
  | 'context'
  | 'usage'
  | 'system'
  | 'alternation'
  | 'native'
  | 'whole'
  | 'required'
  | 'named'
  | 'parallel'
  | 'prompt'
  | 'grammar'

export type Verdict = 'good' | 'warning' | 'bad'

/** What came of one check, and what to do about it. */
export interface Finding<Name extends string = Check> {
  readonly check: Name
  readonly verdict: Verdict
  /** A sentence for people. */
  readonly says: string
  /** What to do about it, as sentences. There for everything that is not good. */
  readonly fix?: string
}

/** How a model is best served, as the config file would say it. What is absent is fine as it is. */
export interface Advice {
  readonly tools: 'native' | 'prompt'
  readonly dialect?: string
  readonly template?: { readonly system?: false; readonly alternate?: true }
}

/** One service, examined with one of its models. */
export interface Examination {
  readonly service: string
  readonly address?: string
  readonly product?: string
  readonly models: readonly string[]
  /** The one it was tried with. */
  readonly model?: string
  readonly findings: readonly Finding[]
  readonly advice?: Advice
}
