import { Kind } from './node.ts'

const integerLexeme = /^-?(?:0|[1-9]\d*)$/
const numberLexeme = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const looseNumber = /^([+-]?)(\d*)(?:(\.)(\d*))?([eE][+-]?\d+)?$/

export function isIntegerLexeme(text: string): boolean {
  return integerLexeme.test(text)
}

export function isNumberLexeme(text: string): boolean {
  return numberLexeme.test(text)
}

/** Whether the text is a number whose exponent no double holds, so that readers of JSON would make it infinite. */
export function isInfiniteLexeme(text: string): boolean {
  return /[eE]/.test(text) && Math.abs(Number(text)) === Number.POSITIVE_INFINITY
}

/** `+5`, `007`, `.5` and `5.` as JSON writes them, digit for digit; undefined for what is no number. */
export function toNumberLexeme(text: string): string | undefined {
  if (isNumberLexeme(text)) return text
  const [, sign, whole = '', point, fraction = '', exponent = ''] = looseNumber.exec(text) ?? []
  if (sign === undefined || (whole === '' && fraction === '')) return undefined
  const digits = whole.replace(/^0+(?=\d)/, '') || '0'
  return `${sign === '-' ? '-' : ''}${digits}${point === undefined ? '' : `.${fraction || '0'}`}${exponent}`
}

const words: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  none: 'null',
  null: 'null',
  undefined: 'null',
}

/** A number, or a word of JSON, Python or JavaScript, as JSON writes it; undefined when it is neither. */
export function toStrict(word: string): string | undefined {
  const lower = word.toLowerCase()
  if (Object.hasOwn(words, lower)) return words[lower]
  if (/^(?:NaN|-?Infinity)$/.test(word)) return `"${word}"`
  return toNumberLexeme(word.replace(/(?<=\d)_(?=\d)/g, ''))
}

/** Whether the text is one JSON value and nothing else. */
export function isJsonText(text: string): boolean {
  if (!/^[-0-9tfn"{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    // That is the answer.
    return false
  }
}

/** The kind of a JSON value's text, by its first character; numbers are integers when they are written as such. */
export function kindOf(json: string): number {
  const start = skipSpace(json, 0)
  switch (json[start]) {
    case '{':
      return Kind.object
    case '[':
      return Kind.array
    case '"':
      return Kind.string
    case 't':
    case 'f':
      return Kind.boolean
    case 'n':
      return Kind.null
    default:
      return isIntegerLexeme(json.slice(start, endOfScalar(json, start))) ? Kind.integer : Kind.number
  }
}

export function skipSpace(json: string, from: number): number {
  let index = from
  for (;;) {
    const code = json.charCodeAt(index)
    if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return index
    index += 1
  }
}

/** Where the value that starts at `from` ends, in valid JSON. */
export function endOfValue(json: string, from: number): number {
  const first = json[from]
  if (first === '"') return endOfString(json, from)
  if (first !== '{' && first !== '[') return endOfScalar(json, from)
  let depth = 0
  let index = from
  while (index < json.length) {
    const code = json.charCodeAt(index)
    if (code === 34) {
      index = endOfString(json, index)
      continue
    }
    index += 1
    if (code === 123 || code === 91) depth += 1
    else if (code === 125 || code === 93) {
      depth -= 1
      if (depth === 0) return index
    }
  }
  return index
}

export function endOfString(json: string, from: number): number {
  let index = from + 1
  while (index < json.length) {
    const code = json.charCodeAt(index)
    if (code === 34) return index + 1
    index += code === 92 ? 2 : 1
  }
  return json.length
}

function endOfScalar(json: string, from: number): number {
  let index = from
  while (index < json.length && !isScalarEnd(json.charCodeAt(index))) index += 1
  return index
}

/** Comma, closing bracket or brace, white space. */
function isScalarEnd(code: number): boolean {
  return code === 44 || code === 93 || code === 125 || code === 32 || code === 10 || code === 13 || code === 9
}
