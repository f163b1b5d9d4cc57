/** A literal as a piece of a regular expression. */
export function escapePattern(literal: string): string {
  return literal.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')
}
