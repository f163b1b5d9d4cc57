import type { Arguments, Dialect } from '../dialects/dialect.ts'
import type { Node } from '../schema/node.ts'
import type { Context } from './context.ts'
import type { Outcome } from './json.ts'
import { isSpace, look, type Source, type Step, skipSpace, stands, standsAfterSpace, take } from './source.ts'
import { compileTemplate, literalsOf, openerOf, readTokens } from './template.ts'
import { createDecoder, createLayout, createTail, readUntil } from './value.ts'

/** One of the ways a dialect's arguments are written; with `key`, only this argument. */
export interface Spelling {
  readonly open: string
  readonly close: string
  readonly key?: string
}

/** A value between the tags of its argument. */
export interface Value {
  readonly context: Context
  readonly dialect: Dialect
  readonly spec: Extract<Arguments, { as: 'tagged' }>
  readonly node: Node
  /** What closes the call. */
  readonly closers: readonly string[]
  readonly spellings: readonly Spelling[]
  /** The keys read so far. */
  readonly seen: ReadonlySet<string>
  readonly close: string
  /** The second characters of all that may end it, its own closer aside: most that begins like them ends there. */
  readonly seconds: string
  /** How deep its opening tag stands on its line; 0 where that is not the first thing on it. */
  readonly indent: number
}

export const cdataOpen = '<![CDATA['
const cdataClose = ']]>'

/** The text of a value up to and with its closer, layout newlines stripped, CDATA unwrapped. */
export function* readRaw(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  if (yield* standsAfterSpace(source, [cdataOpen], false)) return yield* readCdata(value, write)
  const decoded = value.spec.entities === true ? createDecoder(write).push : write
  const inline = createTail(decoded)
  const push = value.spec.layout === 'inline' ? inline.push : createLayout(value.indent, decoded).push
  // Said as a cast, because it is set inside the generator, where the compiler does not look.
  let end = 'none' as End
  const ended = yield* readUntil(
    source,
    value.close.charAt(0),
    function* () {
      end = yield* endsValue(value, push)
      return end !== 'none'
    },
    push,
  )
  if (end === 'closer') inline.flush()
  return ended ? 'complete' : 'cut'
}

/** CDATA is how a value that contains the dialect's own closers is written, here as in XML. */
function* readCdata(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  for (;;) {
    yield* skipSpace(source)
    yield* take(source, cdataOpen)
    if (!(yield* readUntil(source, ']', () => take(source, cdataClose), write))) return 'cut'
    if (yield* stands(source, cdataOpen)) continue
    yield* skipSpace(source)
    const ends = function* (): Step<boolean> {
      return (yield* endsValue(value, write)) !== 'none'
    }
    if (yield* ends()) return 'complete'
    if (source.at >= source.text.length) return 'cut'
    write(cdataClose)
    return (yield* readUntil(source, value.close.charAt(0), ends, write)) ? 'complete' : 'cut'
  }
}

/** What ends a value: its closer, what stands where that should, or nothing yet. */
type End = 'closer' | 'missing' | 'none'

/**
 * Whether the value ends here: at its closer, which is taken, or, where the model forgot it, at the call's own closer or
 * the next argument, which stay. A closer that is not followed as it should be is probably quoted inside the value: then
 * the value goes on to the first that is. If there is none, this one was it, unless the answer was cut off.
 */
function* endsValue(value: Value, push: (text: string) => void): Step<End> {
  const { source, pen } = value.context
  const second = yield* charAt(source, 1)
  if (second !== value.close.charCodeAt(1) && !value.seconds.includes(String.fromCharCode(second))) return 'none'
  const here = source.position
  if (yield* takeCloser(source, value.close)) {
    if (yield* isFollowed(value)) return 'closer'
    const search = yield* findCloser(value, here, push, [])
    if (search === 'cut') source.goTo(here)
    return search === 'cut' ? 'none' : 'closer'
  }
  for (const closer of value.closers) {
    if (!(yield* take(source, closer))) continue
    const fits = yield* standsAfterSpace(source, followers(value.dialect), true)
    const search = fits ? 'none' : yield* findCloser(value, here, push, value.closers)
    if (search === 'found') return 'closer'
    if (search !== 'outer') source.goTo(here)
    if (search === 'cut') return 'none'
    pen.note('closer_missing', value.close)
    return 'missing'
  }
  const key = yield* nextKey(value)
  if (key === undefined || value.seen.has(key)) return 'none'
  // Of a tool nobody declared, any argument may be one.
  if (!value.node.hasProperty(key) && value.node.properties.length > 0) return 'none'
  pen.note('closer_missing', value.close)
  return 'missing'
}

/** The key of the argument that begins here, without taking anything. A tag that may be anybody's says nothing. */
function* nextKey({ context, spellings }: Value): Step<string | undefined> {
  const { source } = context
  for (const { open, key } of spellings) {
    const opener = openerOf(open)
    if (key !== undefined || opener.length < 2 || !(yield* stands(source, opener))) continue
    const slots = yield* look(source, function* () {
      source.at += opener.length
      return yield* readTokens(source, compileTemplate(open), 1)
    })
    if (slots?.has('key') === true) return slots.get('key')
  }
  return undefined
}

/** Whether what stands after a value's closer may stand there: the next argument, or the end of the call. */
function* isFollowed({ context, dialect, spellings, closers }: Value): Step<boolean> {
  const calls = dialect.grammar.nameIsMark === true ? context.names : []
  const next = [...spellings.map(({ open }) => openerOf(open)), ...closers, ...calls]
  return yield* standsAfterSpace(context.source, next, true)
}

/**
 * Looks for a closer of the value that is followed as it should be, after one at `from` that was not, or for one of `outer`
 * ones, which stays. What stands between belongs to the value then. `cut`: the answer was cut off, so it could have come
 * yet.
 */
function* findCloser(
  value: Value,
  from: number,
  push: (text: string) => void,
  outer: readonly string[],
): Step<'found' | 'outer' | 'none' | 'cut'> {
  const { source, pen } = value.context
  const { missing } = value.context
  const sought = [value.close, ...outer].join('\n')
  const none = (): 'none' | 'cut' => (value.context.endedWell ? 'none' : 'cut')
  if (missing.has(sought)) return none()
  const here = source.position
  let text = source.since(from)
  let isOuter = false
  const found = yield* readUntil(
    source,
    value.close.charAt(0),
    function* () {
      const mark = source.position
      if ((yield* take(source, value.close)) && (yield* isFollowed(value))) return true
      source.goTo(mark)
      for (const closer of outer) {
        if (!(yield* take(source, closer))) continue
        isOuter = yield* standsAfterSpace(source, followers(value.dialect), true)
        source.goTo(mark)
        break
      }
      return isOuter
    },
    (piece) => void (text += piece),
  )
  if (found) {
    push(text)
    pen.note('closer_quoted', value.close)
    return isOuter ? 'outer' : 'found'
  }
  source.goTo(here)
  missing.add(sought)
  return none()
}

/** Takes a closer, white space inside its tag allowed: `</ room>`. */
export function* takeCloser(source: Source, close: string): Step<boolean> {
  if (yield* take(source, close)) return true
  if (!bareCloser.test(close)) return false
  let length = 0
  for (const part of ['</', close.slice(2, -1), '>']) {
    while (length > 0 && isSpace(yield* charAt(source, length))) if (++length > maxTag) return false
    for (let i = 0; i < part.length; i++, length++)
      if ((yield* charAt(source, length)) !== part.charCodeAt(i)) return false
  }
  source.at += length
  return true
}

const bareCloser = /^<\/[\w.-]+>$/
const maxTag = 256

/** A character further on, without taking anything; -1 behind the end. */
function* charAt(source: Source, ahead: number): Step<number> {
  while (source.at + ahead >= source.text.length) {
    if (source.ended) return -1
    yield
  }
  return source.text.charCodeAt(source.at + ahead)
}

/** The second characters of these marks. */
export function secondsOf(closers: readonly string[], spellings: readonly Spelling[]): string {
  return [...closers, ...spellings.map(({ open }) => openerOf(open))].map((mark) => mark.charAt(1)).join('')
}

/** What may stand after a call. */
function followers(dialect: Dialect): readonly string[] {
  const { section, call, frame } = dialect.grammar
  const around = [
    ...(section?.close ?? []),
    ...call.close.flatMap((close) => literalsOf(close).slice(1)),
    ...(frame?.close ?? []),
  ]
  const next = [...(section?.open ?? []), ...call.open].map(openerOf)
  return [...around.flatMap(literalsOf), ...next].filter((literal) => literal.length > 1)
}
