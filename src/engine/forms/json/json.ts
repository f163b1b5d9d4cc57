import { ANY } from '../../../schema/compile.ts'
import { toStrict } from '../../../schema/json-text.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { listKeys } from '../../marks/vocabulary.ts'
import { readGap } from '../../text/gap.ts'
import { peek, stands, standsAny, take, takeRow } from '../../text/literals.ts'
import { nowhere, type Pen, Watch, writeCoerced, writeString } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { apart, attempt, known, look, yes } from '../../text/running.ts'
import type { Source, Step } from '../../text/source.ts'
import { readString, readWhole, takeQuotes } from '../../text/strings.ts'
import { readLexeme } from '../../text/words.ts'
import { isAboutCall, isWrapper, memberFor } from '../members.ts'
import { endOfPlainStrings, ends, type Quoted } from './quotes.ts'
import { namesCall, takeToOwnKey } from './wrapped.ts'

/** `stuck`: the next character cannot belong to the value; it is left unread. `cut`: the answer ended inside the value. */
export type Outcome = 'complete' | 'cut' | 'stuck'

const maxDepth = 256
const quoteCode = 34
const apostrophe = 39
const backtick = 96
const triple = '"""'

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
  readonly keys: Set<string>
  /** A string in it has quotes the model forgot to escape. */
  isDamaged: boolean
  /** One of them has an odd number of these: it may have ended elsewhere, if another string follows. */
  isDoubtful: boolean
  /** Objects around its members that mean nothing: `{"arguments": {…}}`. */
  wrappers: number
  /** There was one, so what stands beside it is about the call: `{"arguments": {…}, "id": "1"}`. */
  isWrapped: boolean
}

/**
 * Reads one JSON value and writes it as strict JSON while it arrives. Valid JSON is passed on to the letter: spacing, big
 * numbers, escapes. Damage that has one reading is mended and noted: trailing or missing commas, single quotes, bare
 * keys, comments, raw control characters, bad escapes, Python's words. Values of the wrong type are coerced by `node`.
 */
export function readJson(source: Source, root: Node, pen: Pen, options: JsonOptions = {}): Step<Outcome> {
  const end = pen.endOfPlain?.(source.text, source.at, root, source.ended) ?? -1
  if (end < 0) return apart(source, readDoubtful(source, root, pen, options))
  pen.write(source.text.slice(source.at, options.holdLast === true ? end - 1 : end))
  source.at = end
  return complete
}

const complete = known<Outcome>('complete')

function* readDoubtful(source: Source, root: Node, pen: Pen, options: JsonOptions): Step<Outcome> {
  const { holdLast = false, closers = [] } = options
  const stack: Level[] = []
  let node = root
  let state: 'value' | 'key' | 'colon' | 'after' = 'value'
  /** A comma is written only once something follows it. */
  let comma = ''

  /** Brackets the model forgot before the call's own closer. */
  function* closeEarly(): Step<Outcome> {
    if (!(yield* standsAny(source, closers))) return 'stuck'
    // Where quotes should have been escaped, too, nobody can tell what is missing.
    if (stack.some(({ isDamaged }) => isDamaged)) return ambiguous(pen)
    // Nothing is no arguments where something is needed.
    if (stack.length === 1 && stack[0]?.count === 0 && root.required.length > 0) return 'stuck'
    pen.note('json_repaired', 'missing brackets')
    for (const level of stack.slice(holdLast ? 1 : 0).reverse()) pen.write(level.array ? ']' : '}')
    return 'complete'
  }

  for (;;) {
    const gap = yield* readGap(source, pen)
    if (source.at >= source.text.length) return 'cut'
    const code = source.text.charCodeAt(source.at)
    const top = stack.at(-1)

    if (top !== undefined && code === (top.array ? 93 : 125) && state !== 'colon' && (state !== 'value' || top.array)) {
      if (comma !== '') pen.note('json_repaired', 'trailing comma')
      comma = ''
      source.at++
      pen.write(gap)
      state = 'after'
      if (top.wrappers > 0) {
        top.wrappers--
        continue
      }
      stack.pop()
      if (stack.length > 0 || !holdLast) pen.write(top.array ? ']' : '}')
      if (stack.length === 0) return 'complete'
      continue
    }

    if (state === 'after') {
      const within = top as Level
      if (code === 44) {
        source.at++
        comma = `${gap},`
      } else if (isValueStart(code)) {
        pen.note('json_repaired', 'missing comma')
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
      const from = source.mark()
      const key = yield* readKey(source, code, pen)
      const isDamaged = source.since(from) !== key
      source.release()
      if (key === 'stuck') return yield* closeEarly()
      if (key === 'cut') return key
      const within = top as Level
      const name = JSON.parse(key) as string
      if (within.isDamaged && within.keys.has(name)) return ambiguous(pen)
      const isList = stack.length === 1 && within.node.properties.length > 0 && key === listKeys[0]
      const isOdd = isDamaged && /[\s<>{}[\]]/.test(name)
      const takesCall = isList || (isOdd && (name.includes('{"') || (pen.callIn?.(name) ?? -1) >= 0))
      if (takesCall && !within.node.hasProperty(name)) return ambiguous(pen)
      within.keys.add(name)
      const isAside = isAboutCall(within.node, name)
      const mayWrap = stack.length === 1 && within.count === 0 && holdLast && (isAside || isWrapper(within.node, name))
      if (mayWrap && (yield* attempt(source, () => takeToOwnKey(source, within.node, name))) === true) {
        pen.note('arguments_repaired', 'unwrapped from an object')
        within.wrappers++
        within.isWrapped = true
        continue
      }
      if (mayWrap && isAside && (yield* look(source, () => namesCall(source, key, pen)))) return ambiguous(pen)
      const member = within.isWrapped && isAside ? { name: undefined } : memberFor(within.node, name, pen)
      if (member.name === undefined) {
        const outcome = yield* skipMember(source, pen)
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
        stack.push({
          array,
          node,
          count: 0,
          keys: new Set(),
          isDamaged: false,
          isDoubtful: false,
          wrappers: 0,
          isWrapped: false,
        })
        state = array ? 'value' : 'key'
        continue
      }
    } else if (code === quoteCode || code === apostrophe || code === backtick) {
      if (top?.isDoubtful === true) return ambiguous(pen)
      const end = endOfPlainStrings(source, node, top, closers)
      if (end > 0) {
        pen.write(source.text.slice(source.at, end))
        source.at = end
      }
      const unescaped = end > 0 ? 0 : yield* readStringValue(source, code, node, pen, top, closers)
      if (unescaped === 'joined') return ambiguous(pen)
      if (unescaped === undefined) return 'cut'
      if (unescaped > 0 && top !== undefined) {
        pen.note('json_repaired', 'unescaped quotes')
        top.isDamaged = true
        top.isDoubtful = !top.array && unescaped % 2 === 1
      }
    } else {
      const outcome = yield* readWord(source, node, pen)
      if (outcome !== 'complete') return outcome
    }
    if (stack.length === 0) return 'complete'
    state = 'after'
  }
}

function* skipMember(source: Source, { callIn }: Pen): Step<Outcome> {
  return (yield* takeRow(source, [':'])) ? yield* readJson(source, ANY, { ...nowhere, callIn }) : 'stuck'
}

function isValueStart(code: number): boolean {
  return code === quoteCode || code === apostrophe || code === backtick || code === 123 || code === 91
}

/** A member's name as a JSON string; names may be bare or in single quotes. */
function* readKey(source: Source, code: number, pen: Pen): Step<`"${string}"` | 'cut' | 'stuck'> {
  if (code === quoteCode || code === apostrophe) {
    if (code === apostrophe) pen.note('json_repaired', 'single quotes')
    const key = yield* readWhole(source, code)
    return key === undefined ? 'cut' : `"${key}"`
  }
  const word = yield* readLexeme(source)
  if (word === '') return 'stuck'
  pen.note('json_repaired', 'bare key')
  return JSON.stringify(word) as `"${string}"`
}

/** The value of a member cannot be told from what follows it: no call is better than a wrong one. */
function ambiguous(pen: Pen): Outcome {
  pen.note('call_ambiguous')
  return 'stuck'
}

/** A string in quotes of any kind; says how many quotes in it were not escaped; undefined when it never ends. */
function* readStringValue(
  source: Source,
  code: number,
  node: Node,
  pen: Pen,
  place: Level | undefined,
  closers: readonly string[],
): Step<number | 'joined' | undefined> {
  const isTriple = code === quoteCode && (yield* take(source, triple))
  if (code !== quoteCode || isTriple) pen.note('json_repaired', code === apostrophe ? 'single quotes' : 'other quotes')
  if (!isTriple) source.at++
  source.mark()
  const watch = new Watch(source, pen)
  const { write, end } = writeString(node, pen)
  const quoted: Quoted = { place, closers, inner: 0, isJoined: false }
  function endsRow(): Step<boolean> {
    if (quoted.inner > 0) quoted.inner += takeQuotes(source, write)
    return quoted.inner > 0 && watch.finds() ? yes : ends(source, quoted)
  }
  function* endsTriple(): Step<boolean> {
    if (!(yield* stands(source, triple))) return false
    source.at += triple.length - 1
    const isLast = yield* ends(source, quoted)
    if (!isLast) write('\\"\\"')
    return isLast
  }
  const isOver = (yield* readString(source, code, write, isTriple ? endsTriple : endsRow)) === undefined
  const hasCall = !isOver && quoted.inner > 0 && watch.finds(true)
  if (hasCall) watch.goBack()
  source.release()
  if (isOver) return undefined
  if (quoted.isJoined || hasCall) return 'joined'
  end()
  return isTriple ? 0 : quoted.inner
}

/** An object or array where only a string is allowed: its JSON text, as a string. */
function* readAsText(source: Source, pen: Pen): Step<Outcome> {
  const json = new Pieces()
  const outcome = yield* readJson(source, ANY, { ...pen, write: (piece) => json.push(piece) })
  if (outcome !== 'complete') return outcome
  pen.note('coerced', 'JSON to its text')
  pen.write(JSON.stringify(json.toString()))
  return 'complete'
}

/** A number or a word such as `true`. */
function* readWord(source: Source, node: Node, pen: Pen): Step<Outcome> {
  const word = yield* readLexeme(source)
  if (word === '') return source.at >= source.text.length ? 'cut' : 'stuck'
  const json = toStrict(word)
  if (json === undefined) {
    return (yield* peek(source)) === -1 ? 'cut' : 'stuck'
  }
  if (json !== word) pen.note('json_repaired', `${word} to ${json}`)
  writeCoerced(node, json, pen)
  return 'complete'
}
