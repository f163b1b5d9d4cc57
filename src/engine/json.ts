import { coerceJson } from '../schema/coerce.ts'
import { ANY } from '../schema/compile.ts'
import { Kind, type Node } from '../schema/node.ts'
import { isWrapper, memberFor } from './members.ts'
import { isSpace, more, moreOf, type Source, type Step, skipSpace, stands } from './source.ts'

/** Where a reader writes the strict JSON it made of what it read, and what it says about the making. */
export interface Pen {
  write(json: string): void
  note(kind: string, detail?: string): void
}

/** `stuck`: the next character cannot belong to the value; it is left unread. `cut`: the answer ended inside the value. */
export type Outcome = 'complete' | 'cut' | 'stuck'

const maxDepth = 256
const quoteCode = 34
const apostrophe = 39
const backslash = 92
const words: Readonly<Record<string, string>> = {
  true: 'true',
  false: 'false',
  null: 'null',
  True: 'true',
  False: 'false',
  None: 'null',
  TRUE: 'true',
  FALSE: 'false',
  NULL: 'null',
  undefined: 'null',
  NaN: '"NaN"',
  Infinity: '"Infinity"',
  '-Infinity': '"-Infinity"',
}

export interface JsonOptions {
  /** The bracket that closes the value is taken but not written: arguments are whole for the client only when their call is. */
  readonly holdLast?: boolean
  /** Marks that end the value even where brackets are missing. */
  readonly closers?: readonly string[]
}

interface Level {
  readonly array: boolean
  readonly node: Node
  count: number
}

/**
 * Reads one JSON value and writes it as strict JSON while it arrives. Valid JSON is passed on to the letter: spacing, big
 * numbers, escapes. Damage that has one reading is mended and noted: trailing or missing commas, single quotes, bare
 * keys, comments, raw control characters, bad escapes, Python's words. Values of the wrong type are coerced by `node`.
 *
 */
export function* readJson(source: Source, root: Node, pen: Pen, options: JsonOptions = {}): Step<Outcome> {
  const { holdLast = false, closers = [] } = options
  const stack: Level[] = []
  let node = root
  let state: 'value' | 'key' | 'colon' | 'after' = 'value'
  /** A comma is written only once something follows it. */
  let comma = ''

  /** Brackets the model forgot before the call's own closer. */
  function* closeEarly(): Step<Outcome> {
    for (const closer of closers) {
      if (!(yield* stands(source, closer))) continue
      pen.note('json-repaired', 'missing brackets')
      for (const level of stack.slice(1).reverse()) pen.write(level.array ? ']' : '}')
      if (!holdLast) pen.write(stack[0]?.array === true ? ']' : '}')
      return 'complete'
    }
    return 'stuck'
  }

  for (;;) {
    const gap = yield* readGap(source, pen)
    if (source.at >= source.text.length) return 'cut'
    const code = source.text.charCodeAt(source.at)
    const top = stack.at(-1)

    if (top !== undefined && code === (top.array ? 93 : 125) && state !== 'colon' && (state !== 'value' || top.array)) {
      if (comma !== '') pen.note('json-repaired', 'trailing comma')
      comma = ''
      source.at++
      stack.pop()
      pen.write(gap)
      if (stack.length === 0) {
        if (!holdLast) pen.write(top.array ? ']' : '}')
        return 'complete'
      }
      pen.write(top.array ? ']' : '}')
      state = 'after'
      continue
    }

    if (state === 'after') {
      const within = top as Level
      if (code === 44) {
        source.at++
        comma = `${gap},`
      } else if (isValueStart(code)) {
        pen.note('json-repaired', 'missing comma')
        comma = `${gap},`
      } else return yield* closeEarly()
      state = within.array ? 'value' : 'key'
      continue
    }

    if (state === 'colon') {
      if (code !== 58) return 'stuck'
      source.at++
      pen.write(`${gap}:`)
      state = 'value'
      continue
    }

    // Where members were left out, the first that stays has no comma before it.
    const lead = stack.length === 0 ? '' : (top?.count === 0 ? '' : comma) + gap
    comma = ''
    if (state === 'value') pen.write(lead)

    if (state === 'key') {
      const key = yield* readKey(source, code, pen)
      if (key === 'stuck') return yield* closeEarly()
      if (key === 'cut') return key
      const within = top as Level
      const name = JSON.parse(key) as string
      if (stack.length === 1 && within.count === 0 && holdLast && isWrapper(within.node, name)) {
        const outcome = yield* readWrapped(source, within.node, pen)
        if (outcome !== undefined) {
          if (outcome !== 'complete') return outcome
          within.count++
          state = 'after'
          continue
        }
      }
      const member = memberFor(within.node, name, pen)
      if (member.name === undefined) {
        const outcome = yield* skipMember(source)
        if (outcome !== 'complete') return outcome
        state = 'after'
        continue
      }
      pen.write(lead + (member.name === name ? key : JSON.stringify(member.name)))
      within.count++
      node = member.node
      state = 'colon'
      continue
    }

    if (top?.array === true) node = top.node.item(top.count++)

    if (code === 123 || code === 91) {
      const array = code === 91
      if (
        node.declared &&
        (node.types & (array ? Kind.array : Kind.object)) === 0 &&
        (node.types & Kind.string) !== 0
      ) {
        const outcome = yield* readAsText(source, pen)
        if (outcome !== 'complete') return outcome
      } else {
        if (stack.length >= maxDepth) return 'stuck'
        source.at++
        pen.write(array ? '[' : '{')
        stack.push({ array, node, count: 0 })
        state = array ? 'value' : 'key'
        continue
      }
    } else if (code === quoteCode || code === apostrophe) {
      const closed = yield* readStringValue(source, code, node, pen)
      if (!closed) return 'cut'
    } else {
      const outcome = yield* readWord(source, node, pen)
      if (outcome !== 'complete') return outcome
    }
    if (stack.length === 0) return 'complete'
    state = 'after'
  }
}

/** Arguments inside arguments, `{"arguments": {…}}`: what is inside is what is meant. Undefined when no object follows. */
function* readWrapped(source: Source, node: Node, pen: Pen): Step<Outcome | undefined> {
  const mark = source.keep()
  if ((yield* skipSpace(source)) === 58) {
    source.at++
    if ((yield* skipSpace(source)) === 123 && (yield* startsWithOwnKey(source, node))) {
      pen.note('arguments-repaired', 'unwrapped from an object')
      let first = true
      const inner: Pen = {
        write(json) {
          // The brace of the object around it stands already.
          pen.write(first ? json.slice(1) : json)
          first = false
        },
        note: pen.note,
      }
      return yield* readJson(source, node, inner, { holdLast: true })
    }
  }
  source.rewind(mark)
  return undefined
}

/** Whether the object that stands next begins with a property the schema knows. Takes nothing. */
function* startsWithOwnKey(source: Source, node: Node): Step<boolean> {
  for (;;) {
    const key = /^\{\s*"([^"\\]{1,128})"/.exec(source.text.slice(source.at, source.at + 256))
    if (key?.[1] !== undefined) return node.hasProperty(key[1])
    if (source.ended || source.text.length - source.at > 200) return false
    if (!/^\{\s*(?:"[^"\\]*)?$/.test(source.text.slice(source.at))) return false
    yield
  }
}

const nowhere: Pen = { write() {}, note() {} }

function* skipMember(source: Source): Step<Outcome> {
  if ((yield* skipSpace(source)) !== 58) return 'stuck'
  source.at++
  return yield* readJson(source, ANY, nowhere)
}

function isValueStart(code: number): boolean {
  return code === quoteCode || code === apostrophe || code === 123 || code === 91
}

/** White space, with comments taken out of it. */
export function* readGap(source: Source, pen: Pen): Step<string> {
  let gap = ''
  for (;;) {
    const start = source.at
    while (source.at < source.text.length && isSpace(source.text.charCodeAt(source.at))) source.at++
    gap += source.text.slice(start, source.at)
    if (source.at < source.text.length) {
      if (source.text.charCodeAt(source.at) !== 47) return gap
      if (!(yield* skipComment(source))) return gap
      pen.note('json-repaired', 'comment')
    } else if (!(yield* more(source))) return gap
  }
}

function* skipComment(source: Source): Step<boolean> {
  while (source.text.length - source.at < 2) {
    if (source.ended) return false
    yield
  }
  const second = source.text.charCodeAt(source.at + 1)
  if (second !== 47 && second !== 42) return false
  const closer = second === 47 ? '\n' : '*/'
  source.at += 2
  for (;;) {
    const end = source.text.indexOf(closer, source.at)
    if (end >= 0) {
      source.at = end + closer.length
      return true
    }
    source.at = Math.max(source.at, source.text.length - closer.length + 1)
    if (source.ended) {
      source.at = source.text.length
      return true
    }
    yield
  }
}

/** A member's name as a JSON string; names may be bare or in single quotes. */
function* readKey(source: Source, code: number, pen: Pen): Step<`"${string}"` | 'cut' | 'stuck'> {
  if (code === quoteCode || code === apostrophe) {
    if (code === apostrophe) pen.note('json-repaired', 'single quotes')
    let key = ''
    source.at++
    const closed = yield* readString(source, code, (json) => {
      key += json
    })
    return closed ? `"${key}"` : 'cut'
  }
  const word = yield* readLexeme(source)
  if (word === '') return 'stuck'
  pen.note('json-repaired', 'bare key')
  return JSON.stringify(word) as `"${string}"`
}

function* readStringValue(source: Source, code: number, node: Node, pen: Pen): Step<boolean> {
  if (code === apostrophe) pen.note('json-repaired', 'single quotes')
  source.at++
  if (!node.declared || (node.types & Kind.string) !== 0) {
    pen.write('"')
    const closed = yield* readString(source, code, pen.write)
    if (closed) pen.write('"')
    return closed
  }
  let inner = ''
  const closed = yield* readString(source, code, (json) => {
    inner += json
  })
  if (closed) writeCoerced(node, `"${inner}"`, pen)
  return closed
}

export function writeCoerced(node: Node, json: string, pen: Pen): void {
  const coerced = coerceJson(node, json)
  if (coerced.changed !== undefined) pen.note('coerced', coerced.changed)
  pen.write(coerced.json)
}

/** An object or array where only a string is allowed: its JSON text, as a string. */
function* readAsText(source: Source, pen: Pen): Step<Outcome> {
  let json = ''
  const inner: Pen = {
    write(piece) {
      json += piece
    },
    note: pen.note,
  }
  const outcome = yield* readJson(source, ANY, inner)
  if (outcome !== 'complete') return outcome
  pen.note('coerced', 'JSON to its text')
  pen.write(JSON.stringify(json))
  return 'complete'
}

/** A number or a word such as `true`. */
function* readWord(source: Source, node: Node, pen: Pen): Step<Outcome> {
  const word = yield* readLexeme(source)
  if (word === '') return source.at >= source.text.length ? 'cut' : 'stuck'
  const json = toStrict(word)
  if (json === undefined) {
    if (source.at >= source.text.length) return 'cut'
    source.at -= word.length
    return 'stuck'
  }
  if (json !== word) pen.note('json-repaired', `${word} to ${json}`)
  writeCoerced(node, json, pen)
  return 'complete'
}

const strictNumber = /^-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/
const looseNumber = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?(?:[eE]([+-]?[0-9]+))?$/

/** A number or word as strict JSON; undefined when it is neither. */
export function toStrict(word: string): string | undefined {
  if (strictNumber.test(word)) return word
  if (Object.hasOwn(words, word)) return words[word]
  const loose = looseNumber.exec(word.replaceAll('_', ''))
  if (loose === null || !/[0-9]/.test(word)) return undefined
  const [, sign, whole, fraction, exponent] = loose
  const digits = whole === '' ? '0' : whole
  const rest = (fraction ? `.${fraction}` : '') + (exponent ? `e${exponent}` : '')
  return `${sign === '-' ? '-' : ''}${digits}${rest}`
}

/** A run of letters, digits and the signs of numbers. The longest that means anything is far below the bound. */
export function* readLexeme(source: Source, bound = 4096): Step<string> {
  let length = 0
  for (;;) {
    while (source.at + length < source.text.length && isLexeme(source.text.charCodeAt(source.at + length))) length++
    if (source.at + length < source.text.length || source.ended || length > bound) break
    yield
  }
  const word = source.text.slice(source.at, source.at + length)
  source.at += length
  return word
}

function isLexeme(code: number): boolean {
  return (
    (code >= 97 && code <= 122) ||
    (code >= 65 && code <= 90) ||
    (code >= 48 && code <= 57) ||
    code === 45 ||
    code === 43 ||
    code === 46 ||
    code === 95 ||
    code === 36
  )
}

/**
 * The inside of a string after its opening quote, written as the inside of a JSON string; true when its end was found.
 * A quote that nothing of JSON follows is taken for one the model forgot to escape.
 */
export function* readString(source: Source, quote: number, write: (json: string) => void): Step<boolean> {
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) if (isSpecial(chunk.charCodeAt(i), quote)) return false
    write(chunk)
    return true
  }
  for (;;) {
    const text = source.text
    let at = source.at
    while (at < text.length && !isSpecial(text.charCodeAt(at), quote)) at++
    if (at > source.at) write(text.slice(source.at, at))
    source.at = at
    if (at === text.length) {
      if (!(yield* moreOf(source, fast))) return false
      continue
    }
    const code = text.charCodeAt(at)
    if (code === quote) {
      if (yield* endsString(source)) {
        source.at++
        return true
      }
      write(code === quoteCode ? '\\"' : "'")
      source.at++
    } else if (code === backslash) yield* readEscape(source, write)
    else {
      const pair = code >= 0xd800 && code <= 0xdbff && isLow(text.charCodeAt(at + 1))
      write(pair ? text.slice(at, at + 2) : escapeUnit(code))
      source.at += pair ? 2 : 1
    }
  }
}

function isSpecial(code: number, quote: number): boolean {
  return code === quote || code === quoteCode || code === backslash || code < 32 || (code >= 0xd800 && code <= 0xdfff)
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

function escapeUnit(code: number): string {
  if (code === quoteCode) return '\\"'
  return JSON.stringify(String.fromCharCode(code)).slice(1, -1)
}

/** Whether the quote that stands next ends its string: something of JSON, or nothing, must follow it. */
function* endsString(source: Source): Step<boolean> {
  let ahead = 1
  for (;;) {
    while (source.at + ahead < source.text.length && isSpace(source.text.charCodeAt(source.at + ahead))) ahead++
    if (source.at + ahead < source.text.length) break
    if (source.ended) return true
    yield
  }
  return ',}]:"/<\''.includes(source.text.charAt(source.at + ahead))
}

function* readEscape(source: Source, write: (json: string) => void): Step<void> {
  while (source.text.length - source.at < 2) {
    if (source.ended) {
      source.at++
      return
    }
    yield
  }
  const next = source.text.charAt(source.at + 1)
  if ('"\\/bfnrt'.includes(next)) {
    write(`\\${next}`)
    source.at += 2
    return
  }
  if (next === 'u' || next === 'x') {
    const length = next === 'u' ? 6 : 4
    while (source.text.length - source.at < length && !source.ended) yield
    const hex = source.text.slice(source.at + 2, source.at + length)
    if (hex.length === length - 2 && /^[0-9a-fA-F]+$/.test(hex)) {
      write(`\\u${hex.padStart(4, '0')}`)
      source.at += length
      return
    }
  }
  if (next === "'" || next === '`') {
    write(next)
    source.at += 2
  } else {
    // `\d` in a pattern the model forgot to escape twice: the backslash is meant.
    write('\\\\')
    source.at++
  }
}

/** Decodes a JSON string piece by piece: `push` gets plain text. For JSON that was put into a string. */
export function* readDecoded(source: Source, quote: number, push: (text: string) => void): Step<boolean> {
  return yield* readString(source, quote, (json) =>
    push(json.includes('\\') ? (JSON.parse(`"${json}"`) as string) : json),
  )
}
