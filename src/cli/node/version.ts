/**
 * One line for a Node that is too old; undefined when it will do. It runs on that old Node, before anything else: plain
 * syntax, no imports.
 */
export function complainOfNode(have: string, engines: string): string | undefined {
  const wanted = engines.replace(/^\D*/, '')
  if (!isBefore(toNumbers(have), toNumbers(wanted))) return undefined
  return `Dragoman needs Node ${wanted} or newer, and this is Node ${have}. Install a newer one (https://nodejs.org) and try again.`
}

function toNumbers(version: string): readonly number[] {
  return version.split('.').map((part) => Number.parseInt(part, 10))
}

function isBefore(have: readonly number[], wanted: readonly number[]): boolean {
  for (let index = 0; index < wanted.length; index++) {
    const difference = (have[index] || 0) - (wanted[index] || 0)
    if (difference !== 0) return difference < 0
  }
  return false
}
