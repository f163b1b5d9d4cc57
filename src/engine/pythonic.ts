import { ANY } from '../schema/compile.ts'
import { Kind, type Node } from '../schema/node.ts'
import type { Outcome } from './json.ts'
import { memberFor } from './members.ts'
import { nowhere, type Pen, writeCoerced } from './pen.ts'
import { isSpace, moreOf, peek, type Source, type Step, skipSpace, stands, take } from './source.ts'
import { toJsonText } from './value.ts'
import { readLexeme, toStrict } from './words.ts'

const maxDepth = 100

/**
 * Reads Python's keyword arguments up to the closing parenthesis, which is left unread, and writes them as a JSON object
 * without its last brace. Positional arguments take the schema's names in order; a sole dict is the arguments themselves.
 */
export function* readKeywords(source: Source, node: Node, pen: Pen): Step<Outcome> {
  let count = 0
  let written = 0
  for (;;) {
    const code = yield* skipSpace(source)
    if (code === -1) return 'cut'
    if (code === 41) {
      if (count === 0) pen.write('{')
      return 'complete'
    }
    if (code === 44 && count > 0) {
      source.at++
      continue
    }
    if (code === 123 && count === 0) {
      const write = (json: string): void => {
        if (json !== '{') written++
        pen.write(json)
      }
      const outcome = yield* readContainer(source, node, { ...pen, write }, 0, true)
      if (outcome !== 'complete') return outcome
      count++
      continue
    }
    const key = yield* readKeyword(source)
    const name = key ?? node.properties[count]
    if (name === undefined) return isUnfinished(source) ? 'cut' : 'stuck'
    if (key === undefined) pen.note('positional_argument', name)
    const member = memberFor(node, name, pen)
    if (count++ === 0) pen.write('{')
    const dropped = member.name === undefined
    if (!dropped) pen.write(`${written++ === 0 ? '' : ', '}${JSON.stringify(member.name)}: `)
    const outcome = yield* readLiteral(source, member.node, dropped ? nowhere : pen, 0)
    if (outcome !== 'complete') return outcome
  }
}

/** Whether the answer ended within a word. */
function isUnfinished(source: Source): boolean {
  return source.ended && /^[\p{L}\p{N}_-]*\s*$/u.test(source.text.slice(source.at))
}

const maxKeyword = 256

/** `name=`, if that is what stands here. */
function* readKeyword(source: Source): Step<string | undefined> {
  let length = 0
  for (;;) {
    while (length <= maxKeyword && /[\p{L}\p{N}_-]/u.test(source.text.charAt(source.at + length))) length++
    if (length > maxKeyword) return undefined
    let after = length
    while (isSpace(source.text.charCodeAt(source.at + after))) after++
    if (source.at + after < source.text.length) {
      if (length === 0 || source.text.charAt(source.at + after) !== '=') return undefined
      const key = source.text.slice(source.at, source.at + length)
      source.at += after + 1
      return key
    }
    if (source.ended) return undefined
    yield
  }
}

function* readLiteral(source: Source, node: Node, pen: Pen, depth: number): Step<Outcome> {
  const code = yield* skipSpace(source)
  if (code === -1) return 'cut'
  if (depth > maxDepth) return 'stuck'
  if (code === 34 || code === 39) return yield* readStrings(source, node, pen, depth === 0)
  if (code === 123 || code === 91 || code === 40) return yield* readContainer(source, node, pen, depth, false)
  const word = yield* readLexeme(source)
  const json = toStrict(word)
  if (json === undefined) {
    const next = yield* peek(source)
    // A string with a prefix: r'…', f'…'.
    if (word.length <= 2 && (next === 34 || next === 39)) return yield* readStrings(source, node, pen, depth === 0)
    source.at -= word.length
    return next === -1 ? 'cut' : 'stuck'
  }
  if (source.at >= source.text.length && source.ended) return 'cut'
  writeCoerced(node, json, pen)
  return 'complete'
}

/** A list, tuple or dict. With `open` its last bracket is taken and not written. */
function* readContainer(source: Source, node: Node, pen: Pen, depth: number, open: boolean): Step<Outcome> {
  let dict = source.text.charCodeAt(source.at) === 123
  const closer = { '{': 125, '[': 93, '(': 41 }[source.text.charAt(source.at)]
  source.at++
  for (let count = 0; ; ) {
    const code = yield* skipSpace(source)
    if (code === -1) return 'cut'
    if (code === closer) {
      source.at++
      if (count === 0) pen.write(dict ? '{' : '[')
      if (!open) pen.write(dict ? '}' : ']')
      return 'complete'
    }
    if (code === 44) {
      source.at++
      continue
    }
    if (dict && count === 0 && (yield* isSet(source))) {
      dict = false
      pen.note('set_to_list')
    }
    if (count === 0) pen.write(dict ? '{' : '[')
    else pen.write(', ')
    let child = dict ? node : node.item(count)
    count++
    if (dict) {
      let key = ''
      const outcome = yield* readLiteral(source, ANY, { ...pen, write: (json) => void (key += json) }, depth + 1)
      if (outcome !== 'complete') return outcome
      const colon = yield* skipSpace(source)
      if (colon !== 58) return colon === -1 ? 'cut' : 'stuck'
      source.at++
      const name = key.startsWith('"') ? key : JSON.stringify(key)
      pen.write(`${name}: `)
      child = node.property(JSON.parse(name) as string)
    }
    const outcome = yield* readLiteral(source, child, pen, depth + 1)
    if (outcome !== 'complete') return outcome
  }
}

/** Whether braces hold a set: after the first short literal no colon follows. */
function* isSet(source: Source): Step<boolean> {
  for (;;) {
    const rest = source.text.slice(source.at, source.at + 512)
    const first = /^(?:'[^'\\]*'|"[^"\\]*"|[-+\w.]+)\s*([,}:])/.exec(rest)
    if (first !== null) return first[1] !== ':'
    if (source.ended || rest.length >= 512 || !/^(?:'[^'\\]*'?|"[^"\\]*"?|[-+\w.]*)\s*$/.test(rest)) return false
    yield
  }
}

/** A string, or several in a row, which Python joins; `isLast` where a parenthesis after it ends the call. */
function* readStrings(source: Source, node: Node, pen: Pen, isLast: boolean): Step<Outcome> {
  const streams = !node.declared || (node.types & Kind.string) !== 0
  let inner = ''
  const write = streams ? pen.write : (json: string) => void (inner += json)
  write('"')
  for (;;) {
    const quote = source.text.charAt(source.at)
    const fence = (yield* take(source, quote.repeat(3))) ? quote.repeat(3) : quote
    if (fence.length === 1) source.at++
    if (!(yield* readString(source, fence, write, isLast))) return 'cut'
    const next = yield* skipSpace(source)
    if (next !== 34 && next !== 39) break
  }
  write('"')
  if (!streams) writeCoerced(node, inner, pen)
  return 'complete'
}

const simple: Readonly<Record<string, string>> = {
  n: '\\n',
  t: '\\t',
  r: '\\r',
  b: '\\b',
  f: '\\f',
  v: '\\u000b',
  a: '\\u0007',
  '\\': '\\\\',
  "'": "'",
  '"': '\\"',
  '\n': '',
}

function* readString(source: Source, fence: string, write: (json: string) => void, isLast: boolean): Step<boolean> {
  const quote = fence.charCodeAt(0)
  const fast = (chunk: string): boolean => {
    for (let i = 0; i < chunk.length; i++) {
      const code = chunk.charCodeAt(i)
      if (code === quote || code === 92) return false
    }
    write(toJsonText(chunk))
    return true
  }
  for (;;) {
    const text = source.text
    let at = source.at
    while (at < text.length && text.charCodeAt(at) !== quote && text.charCodeAt(at) !== 92) at++
    if (at > source.at) write(toJsonText(text.slice(source.at, at)))
    source.at = at
    if (at === text.length) {
      if (!(yield* moreOf(source, fast))) return false
    } else if (text.charCodeAt(at) === 92) yield* readEscape(source, write)
    else if (yield* stands(source, fence)) {
      if (fence.length === 3 || (yield* endsLiteral(source, isLast))) {
        source.at += fence.length
        return true
      }
      write(quote === 34 ? '\\"' : "'")
      source.at++
    } else {
      if (source.ended && source.text.length - source.at < fence.length) return false
      write(quote === 34 ? '\\"' : "'")
      source.at++
    }
  }
}

/**
 * Whether a quote ends its string: a literal is followed by something of Python, a quote the model forgot to escape is not.
 * After the call's own parenthesis there is neither a second one nor a quote.
 */
function* endsLiteral(source: Source, isLast: boolean): Step<boolean> {
  const [next, ahead] = yield* nextFrom(source, 1)
  if (next === ')' && isLast) return !')"\''.includes((yield* nextFrom(source, ahead + 1))[0] || ' ')
  return ',)]}:"\''.includes(next)
}

/** The first character that is no white space from so far ahead, and how far that is; nothing at the end. */
function* nextFrom(source: Source, from: number): Step<readonly [next: string, ahead: number]> {
  let ahead = from
  for (;;) {
    while (isSpace(source.text.charCodeAt(source.at + ahead))) ahead++
    if (source.at + ahead < source.text.length || source.ended) return [source.text.charAt(source.at + ahead), ahead]
    yield
  }
}

function* readEscape(source: Source, write: (json: string) => void): Step<void> {
  while (source.text.length - source.at < 2 && !source.ended) yield
  const next = source.text.charAt(source.at + 1)
  const known = simple[next]
  if (known !== undefined) {
    write(known)
    source.at += 2
    return
  }
  const digits = { x: 2, u: 4, U: 8 }[next]
  if (digits !== undefined) {
    while (source.text.length - source.at < 2 + digits && !source.ended) yield
    const hex = source.text.slice(source.at + 2, source.at + 2 + digits)
    const point = Number.parseInt(hex, 16)
    if (hex.length === digits && /^[0-9a-fA-F]+$/.test(hex) && point <= 0x10ffff) {
      write(toJsonText(String.fromCodePoint(point)))
      source.at += 2 + digits
      return
    }
  }
  write('\\\\')
  source.at++
}
