/** What was used up under one name. */
export interface Spending {
  readonly tokens: number
  readonly cost: number
}

/** A key that was made while the gateway runs: as in the config file, with its hash. */
export interface StoredKey {
  readonly name: string
  readonly hash: string
  readonly [field: string]: unknown
}

/** Who did what to which key, and when. */
export interface AuditLine {
  readonly at: string
  readonly by: string
  readonly did: 'made' | 'rotated' | 'revoked'
  readonly key: string
}

/** Where budgets are counted and keys are kept: a file on one machine, or the Redis that gateways share. */
export interface AccountStore {
  /** In the order of the names. */
  spent(names: readonly string[]): Promise<readonly Spending[]>
  /** Counts the same under each of the names. */
  spend(names: readonly string[], spending: Spending): Promise<void>
  keys(): Promise<readonly StoredKey[]>
  /** Undefined takes the key away. */
  putKey(name: string, key: StoredKey | undefined, line: AuditLine): Promise<void>
  /** The newest first. */
  audit(limit: number): Promise<readonly AuditLine[]>
  close(): Promise<void>
}

/** Counts of a month are of no use after the next. */
export const keptDays = 62
export const nothing: Spending = { tokens: 0, cost: 0 }
