import type { Memory } from '../../../protocol/memory/memory.ts'
import { withoutInvisible } from './canonical.ts'

/** How often a text inside a text may have been escaped. */
const maxLevels = 3

/**
 * A message as a model may read it: as it stands, with the texts that are written inside strings of it, and without what
 * quotes or numbers its lines. Invisible characters are left out everywhere.
 */
export function readingsOf(text: string, known?: Memory<readonly Reading[]>): readonly Reading[] {
  const read = () => readAnew(text).map(createReading)
  return known?.recall(text, read) ?? read()
}

/** A text a call may stand in, and what was once found out about it. */
export interface Reading {
  readonly text: string
  /** Whether this pattern, which goes by this name, is found in it. */
  has(name: string, pattern: RegExp): boolean
}

/** A tool's name is looked for with every answer that calls it, in all that was said before. */
const mostNames = 256

function createReading(text: string): Reading {
  const found = new Map<string, boolean>()
  return {
    text,
    has(name, pattern) {
      const before = found.get(name)
      if (before !== undefined) return before
      const isThere = text.search(pattern) >= 0
      if (found.size < mostNames) found.set(name, isThere)
      return isThere
    },
  }
}

function readAnew(text: string): readonly string[] {
  const readings = new Set<string>()
  let level = withoutInvisible(text)
  for (let depth = 0; ; depth++) {
    for (const reading of [level, withEntities(level)]) readings.add(reading).add(unquote(reading))
    const inner = withoutEscapes(level)
    if (inner === level || depth === maxLevels) return [...readings]
    level = inner
  }
}

const escapes = /\\(?:u([\da-f]{4})|(["'`\\/nrt]))/gi
const letters: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' }

function withoutEscapes(text: string): string {
  if (!text.includes('\\')) return text
  return withoutInvisible(
    text.replace(escapes, (_, hex: string | undefined, char = '') =>
      hex === undefined ? (letters[char] ?? char) : String.fromCharCode(Number.parseInt(hex, 16)),
    ),
  )
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }

function withEntities(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(/&(?:(lt|gt|quot|apos|amp)|#(\d{1,6})|#x([\da-f]{1,5}));/gi, (whole, name, decimal, hex) => {
    if (name !== undefined) return entities[String(name).toLowerCase()] ?? whole
    return String.fromCodePoint(Number.parseInt(decimal ?? hex, decimal === undefined ? 16 : 10))
  })
}

/** `> `, `// `, `# `, `* `, `+ `, `12: `, `src/a.ts:12:` and their like at the start of a line. */
const linePrefix = /^[ \t]*(?:(?:>|\/\/|[#*+|-]|[\w./\\@-]{1,200}?(?::\d+:|-\d+-)|\d+[ \t]*[|:→\t])[ \t]?)+/gm

function unquote(text: string): string {
  return text.replace(linePrefix, '').replaceAll('`', '')
}
