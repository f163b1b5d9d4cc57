/**
 * Which tests run when: a folder of `test/` belongs to one tier, and every test that is in none of these folders is quick.
 * `npm test` runs the quick ones, CI all.
 */
export const tiers = {
  /** They start the program again and again, break things in every way there is, or build and pack everything. */
  long: ['test/cli', 'test/faults', 'test/inspector', 'test/package', 'test/recipes', 'test/soak', 'test/workers'],
  /** Real agents of others. */
  agents: ['test/agents'],
} as const

export type Tier = 'quick' | keyof typeof tiers

export const tierNames = ['quick', 'long', 'agents'] as const satisfies readonly Tier[]

export function filesOf(folder: string): string {
  return `${folder}/**/*.test.ts`
}
