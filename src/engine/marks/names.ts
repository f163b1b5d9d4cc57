/** What a model wrote for a tool's name, matched to a tool the client declared. */
export interface NameMatch {
  readonly name: string
  /** True when the model's spelling was not the tool's. */
  readonly corrected: boolean
}

const prefixes = /^(?:functions?|tools?|default_api)[.:/]+/i

/**
 * Finds the tool meant: as written, without the noise models add (`functions.`, `:0`, quotes, `<|channel|>…`), then regardless of case and
 * of `-`, `_`, `.`; a correction must point to exactly one tool. Undefined when no tool is meant.
 */
export function matchName(written: string, names: ReadonlySet<string>): NameMatch | undefined {
  if (names.has(written)) return { name: written, corrected: false }
  const clean = cleanName(written)
  const last = clean.slice(Math.max(clean.lastIndexOf('.'), clean.lastIndexOf('/')) + 1)
  for (const candidate of [clean, last, clean.replace(/<[|/].*$/s, '')]) {
    if (candidate === '') continue
    if (names.has(candidate)) return { name: candidate, corrected: true }
    const alike = findAlike(names, candidate)
    if (alike !== undefined) return { name: alike, corrected: true }
  }
  return undefined
}

/** The name without what models put around it. */
export function cleanName(written: string): string {
  return written
    .trim()
    .replace(/^["'`]+|["'`]+$/g, '')
    .replace(prefixes, '')
    .replace(/:\d+$/, '')
    .replace(/^([\w-]+)\.\1$/, '$1')
}

/** Whether a client could be handed this as a tool's name: no control tokens, no markup, no white space. */
export function isPlainName(name: string): boolean {
  return /^[\p{L}\p{N}_.:/-]{1,128}$/u.test(name)
}

/** The only one of `names` that differs from what was written no more than in case and in the signs between words. */
export function findAlike(names: Names, written: string): string | undefined {
  const known = folded.get(names) ?? Map.groupBy(names, fold)
  folded.set(names, known)
  const [alike, ...others] = known.get(fold(written)) ?? []
  return others.length === 0 ? alike : undefined
}

/** What does not change: there may be hundreds of them, and they are folded once. */
type Names = ReadonlySet<string> | readonly string[]

const folded = new WeakMap<Names, ReadonlyMap<string, readonly string[]>>()

function fold(name: string): string {
  return name.toLowerCase().replace(/[-_. ]/g, '')
}

/**
 * The ways a name of several words is written: `set_lamp`, `set-lamp`, `setLamp`, `SetLamp`… A single word has only one:
 * in another case it may well be a word of another language, such as `<code>`.
 */
export function spellingsOf(name: string): readonly string[] {
  const words = name.split(/[-_]|(?<=[a-z\d])(?=[A-Z])/).map((word) => word.toLowerCase())
  if (words.length < 2) return [name]
  const capital = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))
  const joined = [words, capital].flatMap((list) => ['_', '-', ''].map((seam) => list.join(seam)))
  const [first = '', ...rest] = capital
  return [...new Set([name, ...joined, first.toLowerCase() + rest.join(''), words.join('_').toUpperCase()])]
}
