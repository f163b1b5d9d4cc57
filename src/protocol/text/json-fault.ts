/** Where a text stops being JSON, and what is wrong there, in words. */
export interface JsonFault {
  /** How many characters come before it. */
  readonly at: number
  readonly line: number
  readonly column: number
  readonly what: string
}

/** The fault of a text that `JSON.parse` refuses: what that says may quote the text, and not where it stopped. */
export function findJsonFault(text: string): JsonFault {
  const { at, what } = findFault(text)
  const before = text.slice(0, at)
  return { at, line: before.split('\n').length, column: at - before.lastIndexOf('\n'), what }
}

interface Fault {
  readonly at: number
  readonly what: string
}

// From the space on: what comes before it are control characters.
const plainText = /[ !#-[\]-\u{10ffff}]*/uy
const escaped = /\\(?:["\\/bfnrt]|u[\da-f]{4})/iy
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?/iy
const word = /true|false|null/y

/** Reads what comes before the fault as JSON's grammar has it; `JSON.parse` does not always say where it stopped. */
function findFault(text: string): Fault {
  let at = 0
  /** The closers of what is open, the innermost last. */
  const open: ('}' | ']')[] = []

  function skipSpace(): void {
    while (isSpace(text.charCodeAt(at))) at++
  }

  function skip(pattern: RegExp): boolean {
    pattern.lastIndex = at
    const length = pattern.exec(text)?.[0].length ?? 0
    at += length
    return length > 0
  }

  const expected = (what: string): Fault => ({ at, what: `expected ${what}, found ${found(text, at)}` })

  function readString(what: string): Fault | undefined {
    if (text[at] !== '"') return expected(what)
    const begun = at++
    for (;;) {
      skip(plainText)
      const next = text[at]
      if (next === undefined) return { at: begun, what: 'this string is never closed' }
      if (next === '"') break
      if (next !== '\\') return { at, what: `${controlNames[next] ?? 'a control character'} inside a string` }
      if (!skip(escaped)) return { at, what: 'a backslash that begins no escape; write it as \\\\' }
    }
    at++
    return undefined
  }

  /** The name of a member and its colon. */
  function readName(): Fault | undefined {
    const fault = readString('a name in double quotes')
    if (fault !== undefined) return fault
    skipSpace()
    if (text[at] !== ':') return expected("':'")
    at++
    return undefined
  }

  for (;;) {
    skipSpace()
    const first = text[at]
    if (first === '{' || first === '[') {
      at++
      skipSpace()
      const closer = first === '{' ? '}' : ']'
      if (text[at] !== closer) {
        open.push(closer)
        const fault = closer === '}' ? readName() : undefined
        if (fault !== undefined) return fault
        continue
      }
      at++
    } else if (first === '"') {
      const fault = readString('a string')
      if (fault !== undefined) return fault
    } else if (!skip(number) && !skip(word)) return expected('a value')
    // A value has ended: what follows it closes what it stands in, or goes on there.
    for (;;) {
      skipSpace()
      const closer = open.at(-1)
      if (closer === undefined) return expected('the end of the text')
      if (text[at] === ',') break
      if (text[at] !== closer) return expected(`',' or '${closer}'`)
      open.pop()
      at++
    }
    at++
    skipSpace()
    const fault = open.at(-1) === '}' ? readName() : undefined
    if (fault !== undefined) return fault
  }
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09
}

const controlNames: Readonly<Record<string, string>> = { '\n': 'a line break', '\r': 'a line break', '\t': 'a tab' }

function found(text: string, at: number): string {
  const point = text.codePointAt(at)
  if (point === undefined) return 'the end of the text'
  if (point < 0x20 || point === 0x7f) return 'a control character'
  return `'${String.fromCodePoint(point)}'`
}
