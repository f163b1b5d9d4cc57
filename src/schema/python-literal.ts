import { isJsonText, toStrict } from './json-text.ts'

/** How deep a literal may be. */
export const maxDepth = 200

const escapes =
  /\\(?:([nrtbfva\\'"/\n])|([0-7]{1,3})|x([\da-fA-F]{2})|u([\da-fA-F]{4})|U(00(?:0[\da-fA-F]|10)[\da-fA-F]{4}))/g
const nextEscape = new RegExp(escapes, 'y')
const controls: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  b: '\b',
  f: '\f',
  v: '\v',
  a: '\x07',
  '\n': '',
}

/** Text as its escapes mean it. One that Python does not know keeps its backslash, as in Python: `'\d+'`. */
export function decodeEscapes(text: string): string {
  return text.replace(escapes, (_, letter?: string, octal?: string, ...hex: (string | undefined)[]) => {
    if (letter !== undefined) return controls[letter] ?? letter
    return String.fromCodePoint(Number.parseInt(octal ?? hex.slice(0, 3).join(''), octal === undefined ? 16 : 8))
  })
}

/** The escape that begins at `at`; its backslash, if it is none. */
export function escapeAt(text: string, at: number): string {
  nextEscape.lastIndex = at
  return nextEscape.exec(text)?.[0] ?? '\\'
}

const token = /\s+|#[^\n]*|[[\](){},:]|[-+.$\p{ID_Continue}]+/uy

/** What stands at `at`: white space, a comment, a bracket, a sign, a string, a word. Empty when it is none of these. */
function tokenAt(text: string, at: number): string {
  const quote = text.charCodeAt(at)
  if (quote !== 34 && quote !== 39) {
    token.lastIndex = at
    return token.exec(text)?.[0] ?? ''
  }
  for (let end = at + 1; end < text.length; end++) {
    const code = text.charCodeAt(end)
    if (code === quote) return text.slice(at, end + 1)
    if (code === 92) end++
  }
  return ''
}

const closers: Readonly<Record<string, string>> = { '[': ']', '(': ')', '{': '}' }

/** A bracket that is open, and where it stands in what was written. */
interface Level {
  readonly at: number
  readonly closer: string
  hasComma: boolean
  isDict: boolean
}

/**
 * A Python or JavaScript literal as strict JSON text: single quotes, `True`, `None`, tuples, sets, bare keys, comments,
 * trailing commas. Numbers keep their digits. Undefined for anything else. `onSet` is called for sets, which become lists.
 */
export function parsePythonLiteral(text: string, onSet?: () => void): string | undefined {
  const out: string[] = []
  const levels: Level[] = []
  let last: 'sign' | 'opener' | 'value' | 'name' = 'sign'

  function close({ at, closer, hasComma, isDict }: Level): void {
    if (out.at(-1) === ',') out.pop()
    levels.pop()
    // Parentheses around one value without a comma are only parentheses.
    const isAlone = closer === ')' && last === 'value' && !hasComma
    const isSet = closer === '}' && last !== 'opener' && !isDict
    if (isSet) onSet?.()
    if (isAlone || isSet) out[at] = isSet ? '[' : ''
    if (!isAlone) out.push(closer === '}' && !isSet ? '}' : ']')
  }

  for (let at = 0; at < text.length; ) {
    const found = tokenAt(text, at)
    if (found === '') return undefined
    at += found.length
    if (/^[\s#]/.test(found)) continue
    const level = levels.at(-1)
    const closer = closers[found]
    if (found === ':') {
      const key = out.pop()
      if (key === undefined || level === undefined) return undefined
      out.push(key.startsWith('"') ? key : JSON.stringify(key), ':')
      level.isDict = true
      last = 'sign'
    } else if (last === 'name') return undefined
    else if (found === ',') {
      if (last !== 'value' || level === undefined) return undefined
      level.hasComma = true
      out.push(',')
      last = 'sign'
    } else if (level !== undefined && found === level.closer) {
      close(level)
      last = 'value'
    } else if (last === 'value') return undefined
    else if (closer !== undefined) {
      levels.push({ at: out.length, closer, hasComma: false, isDict: false })
      if (levels.length > maxDepth) return undefined
      out.push(found === '(' ? '[' : found)
      last = 'opener'
    } else {
      const json = toJson(found)
      if (json === undefined && !/^[\p{ID_Start}$_]/u.test(found)) return undefined
      out.push(json ?? found)
      last = json === undefined ? 'name' : 'value'
    }
  }
  const json = out.join('')
  return last === 'value' && isJsonText(json) ? json : undefined
}

/** A string, word or number; undefined when it is none. */
function toJson(found: string): string | undefined {
  if (found.startsWith('"') && isJsonText(found)) return found
  if (/^["']/.test(found)) return JSON.stringify(decodeEscapes(found.slice(1, -1)))
  return toStrict(found)
}
