/** A command as a shell completes it. */
export interface Completed {
  readonly name: string
  readonly summary: string
  readonly words: readonly string[]
  readonly flags: readonly CompletedFlag[]
}

export interface CompletedFlag {
  readonly name: string
  readonly help: string
  /** What comes after it: nothing, one of these words, a file, or anything. */
  readonly takes: 'nothing' | 'file' | 'anything' | readonly string[]
}
