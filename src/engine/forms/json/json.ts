import { ANY } from '../../../schema/compile.ts'
import { toStrict } from '../../../schema/json-text.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { argumentsKeys, nameKeys } from '../../marks/vocabulary.ts'
import { peek, readLexeme, skipSpace, take } from '../../text/literals.ts'
import { nowhere, type Pen, writeCoerced, writeString } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { apart, known } from '../../text/running.ts'
import { endOfSpace, type Source, type Step } from '../../text/source.ts'
import { endOfString, readString, readWhole } from '../../text/strings.ts'
import { memberFor } from '../members.ts'

/** `stuck`: the next character cannot belong to the value; it is left unread. `cut`: the answer ended inside the value. */
export type Outcome = 'complete' | 'cut' | 'stuck'

const maxDepth = 256

export interface JsonOptions {
  /** The bracket that closes the value is taken but not written: arguments are whole for the client only when their call is. */
  readonly holdLast?: boolean
  /** Whether the value may end with the bracket that stands next. */
  readonly mayEnd?: () => Step<boolean>
}

interface Level {
  readonly array: boolean
  readonly node: Node
  count: number
}

/**
 * Reads one JSON value and writes it as strict JSON while it arrives. Valid JSON is passed on to the letter: spacing, big
 * numbers, escapes. Beyond that only what cannot mislead is understood: trailing commas, single quotes, raw control
 * characters, a backslash that escapes nothing, Python's words. Values of the wrong type are coerced by `node`.
 */
export function readJson(source: Source, root: Node, pen: Pen, options: JsonOptions = {}): Step<Outcome> {
  return apart(source, readValue(source, root, pen, options))
}

function* readValue(source: Source, root: Node, pen: Pen, { holdLast = false, mayEnd }: JsonOptions): Step<Outcome> {
  const stack: Level[] = []
  /** Of arguments: one that comes twice stood in a value. */
  const keys = new Set<string>()
  let node = root
  let state: 'value' | 'key' | 'after' = 'value'
  /** Written only once it is known that it belongs there: the quote that ended a string, a comma. */
  let pending = ''

  for (;;) {
    const gap = yield* readGap(source)
    if (source.at >= source.text.length) return 'cut'
    const code = source.text.charCodeAt(source.at)
    const top = stack.at(-1)

    if (top !== undefined && code === (top.array ? 93 : 125) && (state !== 'value' || top.array)) {
      if (state !== 'after' && pending.endsWith(',')) pen.note('json_repaired', 'trailing comma')
      if (stack.length === 1 && mayEnd !== undefined && !(yield* mayEnd())) return 'stuck'
      source.at++
      pen.write(pending.replace(/[^"]+$/, '') + gap)
      pending = ''
      stack.pop()
      state = 'after'
      if (stack.length > 0 || !holdLast) pen.write(top.array ? ']' : '}')
      if (stack.length === 0) return 'complete'
      continue
    }

    if (state === 'after') {
      if (code !== 44) return 'stuck'
      source.at++
      if (pending === '"') pen.write(pending)
      pending = `${gap},`
      state = top?.array === true ? 'value' : 'key'
      continue
    }

    // Where members were left out, the first that stays has no comma before it.
    const lead = stack.length === 0 ? '' : (top?.count === 0 ? '' : pending) + gap
    if (state === 'key') {
      const within = top as Level
      const key = yield* readKey(source, code, pen)
      if (!key.startsWith('"')) return key as 'cut' | 'stuck'
      const colon = yield* readGap(source)
      if (source.at >= source.text.length) return 'cut'
      if (source.text.charCodeAt(source.at) !== 58) return 'stuck'
      source.at++
      const name = JSON.parse(key) as string
      const member = memberFor(within.node, name, pen)
      if (member.name === undefined) {
        yield* skipSpace(source)
        const outcome = yield* readJson(source, ANY, nowhere)
        if (outcome !== 'complete') return outcome
        state = 'after'
        continue
      }
      if (holdLast && stack.length === 1 && keys.size === keys.add(member.name).size) return 'stuck'
      pending = ''
      pen.write(`${lead}${member.name === name ? key : JSON.stringify(member.name)}${colon}:`)
      within.count++
      node = member.node
      state = 'value'
      continue
    }

    pen.write(lead)
    pending = ''
    if (top?.array === true) node = top.node.item(top.count++)
    if (code === 123 || code === 91) {
      const array = code === 91
      const wanted = array ? Kind.array : Kind.object
      if (!node.declared || (node.types & wanted) !== 0 || (node.types & Kind.string) === 0) {
        if (stack.length >= maxDepth) return 'stuck'
        source.at++
        pen.write(array ? '[' : '{')
        stack.push({ array, node, count: 0 })
        state = array ? 'value' : 'key'
        continue
      }
      const outcome = yield* readAsText(source, pen)
      if (outcome !== 'complete') return outcome
    } else if (code === 34 || code === 39) {
      const end = code === 34 && isTextual(node) ? endOfString(source.text, source.at) : -1
      if (end > 0) {
        pen.write(source.text.slice(source.at, end - 1))
        source.at = end
        pending = '"'
      } else {
        if (code === 39) pen.note('json_repaired', 'single quotes')
        source.at++
        const string = writeString(node, pen)
        if (!(yield* readString(source, code, string.write))) return 'cut'
        pending = string.end()
      }
      if (stack.length === 0) pen.write(pending)
    } else {
      const outcome = yield* readWord(source, node, pen)
      if (outcome !== 'complete') return outcome
    }
    if (stack.length === 0) return 'complete'
    state = 'after'
  }
}

/** White space as JSON has it, whatever kind the model wrote. */
function readGap(source: Source): Step<string> {
  const { text, at } = source
  const end = endOfSpace(text, at)
  if (end === text.length) return readLongGap(source)
  source.at = end
  return end === at ? none : known(inJson(text.slice(at, end)))
}

function* readLongGap(source: Source): Step<string> {
  const start = source.mark()
  yield* skipSpace(source)
  const gap = source.since(start)
  source.release()
  return inJson(gap)
}

function inJson(gap: string): string {
  return gap.replace(/[\v\f]/g, ' ')
}

const none = known('')

function isTextual(node: Node): boolean {
  return !node.declared || (node.types & Kind.string) !== 0
}

/** A member's name as a JSON string; it may stand in single quotes. */
function* readKey(source: Source, code: number, pen: Pen): Step<string> {
  if (code !== 34 && code !== 39) return 'stuck'
  if (code === 39) pen.note('json_repaired', 'single quotes')
  const key = yield* readWhole(source, code)
  return key === undefined ? 'cut' : `"${key}"`
}

const either = (keys: Iterable<string>): string => `"(?:${[...keys].join('|')})"\\s*:`
const anotherCall = new RegExp(`\\{\\s*${either(nameKeys)}\\s*"[^"]*"\\s*,\\s*${either(argumentsKeys)}`)

/** An object or array where only a string is allowed: its JSON text, as a string. */
function* readAsText(source: Source, pen: Pen): Step<Outcome> {
  const json = new Pieces()
  const outcome = yield* readJson(source, ANY, { ...pen, write: (piece) => json.push(piece) })
  if (outcome !== 'complete') return outcome
  // The call broke off, and the next one stands where its text should.
  if (anotherCall.test(json.toString())) return 'stuck'
  pen.note('coerced', 'JSON to its text')
  pen.write(JSON.stringify(json.toString()))
  return 'complete'
}

/** A number or a word such as `true`. */
function* readWord(source: Source, node: Node, pen: Pen): Step<Outcome> {
  const word = yield* readLexeme(source)
  const next = yield* peek(source)
  if (next === -1) return 'cut'
  const json = word === '' ? undefined : toStrict(word)
  if (json === undefined) return 'stuck'
  if (json !== word) pen.note('json_repaired', `${word} to ${json}`)
  writeCoerced(node, json, pen)
  return 'complete'
}

/** Takes a member's name, if it is one of these, and its colon. */
export function* takeMember(source: Source, isWanted: (key: string) => boolean): Step<boolean> {
  const quote = yield* skipSpace(source)
  if (quote !== 34 && quote !== 39) return false
  const key = yield* readWhole(source, quote)
  if (key === undefined || !isWanted(key)) return false
  yield* skipSpace(source)
  return yield* take(source, ':')
}
