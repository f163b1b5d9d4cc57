/** What some clients need beyond the standard. All others get none of it. */
export interface Quirks {
  /** Repeat a call's id as `call_id`, on its head and on its first arguments. */
  readonly callIdField: boolean
}

const none: Quirks = { callIdField: false }

/** Keyed by how the user agent begins. */
const table: readonly (readonly [prefix: string, quirks: Quirks])[] = [
  // The older Cline extension sends "result missing" for every tool whose call carried no `call_id`.
  ['Cline/', { callIdField: true }],
]

export function quirksOf(userAgent: string): Quirks {
  return table.find(([prefix]) => userAgent.startsWith(prefix))?.[1] ?? none
}
