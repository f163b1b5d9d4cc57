import { toNumberLexeme } from './json-text.ts'

const depthLimit = 200

const words = new Map([
  ['True', 'true'],
  ['False', 'false'],
  ['None', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  ['null', 'null'],
])

const escapes = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['/', '/'],
  ['\n', ''],
])

/**
 * A Python or JavaScript literal as strict JSON text: single quotes, `True`, `None`, tuples, bare keys, trailing commas.
 * Numbers keep their digits. Undefined for anything else, or deeper than 200.
 */
export function parsePythonLiteral(text: string): string | undefined {
  const out: string[] = []
  let index = 0

  function value(depth: number): boolean {
    if (depth > depthLimit) return false
    skip()
    switch (text[index]) {
      case '{':
        return dict(depth)
      case '[':
        return sequence(']', depth)
      case '(':
        return sequence(')', depth)
      case "'":
      case '"':
        return string()
      default:
        return word()
    }
  }

  /** A list or a tuple. Parentheses around one value without a comma are only parentheses. */
  function sequence(close: string, depth: number): boolean {
    const start = out.push('[') - 1
    let commas = 0
    let count = 0
    index += 1
    for (;;) {
      skip()
      if (text[index] === close) break
      if (count > commas) return false
      if (count > 0) out.push(',')
      if (!value(depth + 1)) return false
      count += 1
      skip()
      if (text[index] === ',') {
        commas += 1
        index += 1
      }
    }
    index += 1
    if (close === ')' && count === 1 && commas === 0) out[start] = ''
    else out.push(']')
    return true
  }

  function dict(depth: number): boolean {
    out.push('{')
    index += 1
    for (let first = true; ; first = false) {
      skip()
      if (text[index] === '}') break
      if (!first) {
        out.push(',')
      }
      if (!key()) return false
      skip()
      if (text[index] !== ':') return false
      out.push(':')
      index += 1
      if (!value(depth + 1)) return false
      skip()
      if (text[index] === ',') index += 1
      else if (text[index] !== '}') return false
    }
    index += 1
    out.push('}')
    return true
  }

  function key(): boolean {
    if (text[index] === "'" || text[index] === '"') return string()
    const name = match(/[\p{ID_Start}$_][\p{ID_Continue}$]*/uy) ?? toNumberLexeme(match(/[-+.\d]+/y) ?? '')
    if (name === undefined) return false
    out.push(JSON.stringify(name))
    return true
  }

  function word(): boolean {
    const token = match(/[-+.\w]+/y) ?? ''
    const json = words.get(token) ?? toNumberLexeme(token)
    if (json === undefined) return false
    out.push(json)
    return true
  }

  function string(): boolean {
    const quote = text[index]
    let content = ''
    let copied = index + 1
    index += 1
    while (index < text.length) {
      const character = text[index]
      if (character === quote) {
        out.push(JSON.stringify(content + text.slice(copied, index)))
        index += 1
        return true
      }
      if (character !== '\\') {
        index += 1
        continue
      }
      content += text.slice(copied, index) + escaped()
      copied = index
    }
    return false
  }

  /** Reads one escape. One that Python does not know keeps its backslash, as in Python: `'\d+'`. */
  function escaped(): string {
    const character = text[index + 1] ?? ''
    index += 2
    const known = escapes.get(character)
    if (known !== undefined) return known
    const pattern = character === 'x' ? /[\da-fA-F]{2}/y : character === 'u' ? /[\da-fA-F]{4}/y : /[\da-fA-F]{8}/y
    if (character === 'x' || character === 'u' || character === 'U') {
      const digits = match(pattern)
      const code = digits === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(digits, 16)
      if (code <= 0x10ffff) return String.fromCodePoint(code)
      return `\\${character}${digits ?? ''}`
    }
    if (character >= '0' && character <= '7') {
      index -= 1
      return String.fromCodePoint(Number.parseInt(match(/[0-7]{1,3}/y) ?? '0', 8))
    }
    return `\\${character}`
  }

  function match(pattern: RegExp): string | undefined {
    pattern.lastIndex = index
    const found = pattern.exec(text)?.[0]
    if (found !== undefined) index += found.length
    return found
  }

  function skip(): void {
    match(/\s+/y)
  }

  if (!value(0)) return undefined
  skip()
  return index === text.length ? out.join('') : undefined
}
