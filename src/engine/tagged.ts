import type { Arguments, Dialect } from '../dialects/dialect.ts'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import type { Coerced } from '../schema/coerce-json.ts'
import { textNode } from '../schema/compile.ts'
import { Kind, type Node } from '../schema/node.ts'
import { runWhole } from './arguments.ts'
import type { Context } from './context.ts'
import { type Outcome, readJson } from './json.ts'
import { isWrapper, memberFor } from './members.ts'
import { readElements } from './nested.ts'
import { ignore, type Pen } from './pen.ts'
import { type Source, type Step, skipSpace, stands, standsAfterSpace, take } from './source.ts'
import {
  compileTemplate,
  literalsOf,
  openerOf,
  printTemplate,
  readTokens,
  skipWrittenNewlines,
  type Token,
} from './template.ts'
import { createDecoder, createTrimmer, readUntil, toJsonText } from './value.ts'

type Tagged = Extract<Arguments, { as: 'tagged' }>

/** What an argument's opening tag begins with, in each of its spellings. */
export function openersOf(spec: Tagged): readonly string[] {
  return [spec, ...(spec.also ?? [])].map(({ open }) => openerOf(open))
}

const cdataOpen = '<![CDATA['
const cdataClose = ']]>'

/**
 * Reads arguments written as one element each, up to the closer of the call, which is left unread. Values the schema
 * declares as strings stream; others are read to their end, because `12` may yet be `123`.
 */
export function* readTagged(
  context: Context,
  dialect: Dialect,
  spec: Tagged,
  node: Node,
  closers: readonly string[],
): Step<Outcome> {
  const { source, pen } = context
  const tokens = compileTemplate(spec.open)
  const spellings = [spec, ...(spec.also ?? [])]
  const seen = new Set<string>()
  let written = 0
  pen.write('{')
  for (;;) {
    yield* skipSpace(source)
    yield* skipWrittenNewlines(source)
    if (source.at >= source.text.length) return context.endedWell ? 'complete' : 'cut'
    if (yield* standsOne(source, closers)) return 'complete'
    const spelling = yield* takeOpener(source, spellings)
    const slots = spelling && (yield* readTokens(source, compileTemplate(spelling.open), 1))
    const spelled = slots?.get('key')
    // Words after the last argument, where the closer was forgotten: what was read stands.
    if (spelling === undefined || slots === undefined || spelled === undefined) {
      if (isUnfinished(source, [...openersOf(spec), ...closers])) return 'cut'
      return written > 0 ? 'complete' : 'stuck'
    }
    if (slots.has('orphan')) {
      pen.note('member-dropped', spelled)
      continue
    }
    const isEmpty = slots.has('/') || spelled.endsWith('/')
    const key = isEmpty ? spelled.replace(/\/$/, '') : spelled
    const wraps = written === 0 && isWrapper(node, key)
    const member = wraps ? { name: key, node } : memberFor(node, key, pen)
    const name = `${written === 0 ? '' : ','}${JSON.stringify(member.name)}:`
    seen.add(key)
    const child = hinted(slots, member.node)
    const value = { context, dialect, spec, node, closers, tokens, seen, close: printTemplate(spelling.close, { key }) }
    const streams = isTextOnly(child) && child.values === undefined
    let outcome: Outcome
    if (isEmpty) {
      if (member.name !== undefined) pen.write(name + coerceText(child, '').json)
      outcome = 'complete'
    } else if (member.name === undefined) outcome = yield* readRaw(value, ignore)
    else if (wraps) outcome = yield* readWrapping(value, name)
    else {
      pen.write(name)
      outcome = streams ? yield* readTextValue(value) : yield* readTypedValue(value, child)
    }
    if (member.name !== undefined) written++
    if (outcome !== 'complete') return outcome
  }
}

/** Whether the answer ended inside one of these marks, or right here. */
function isUnfinished(source: Source, literals: readonly string[]): boolean {
  if (!source.ended) return false
  const rest = source.text.slice(source.at)
  return literals.some((literal) => literal.startsWith(rest))
}

/** Takes the beginning of an argument's opening tag; says in which of its spellings. */
function* takeOpener<T extends { readonly open: string }>(
  source: Source,
  spellings: readonly T[],
): Step<T | undefined> {
  for (const spelling of spellings) if (yield* take(source, openerOf(spelling.open))) return spelling
  return undefined
}

/** The type a tag's own attribute gives: `string="true"`, `type="number"`. Without one, the schema's. */
function hinted(slots: ReadonlyMap<string, string>, node: Node): Node {
  const hint = slots.get('string') === 'true' ? 'string' : slots.get('type')
  if (hint === 'string' && !node.declared) return textNode()
  return node
}

function* standsOne(source: Source, literals: readonly string[]): Step<boolean> {
  for (const literal of literals) if (yield* stands(source, literal)) return true
  return false
}

interface Value {
  readonly context: Context
  readonly dialect: Dialect
  readonly spec: Tagged
  readonly node: Node
  readonly closers: readonly string[]
  readonly tokens: readonly Token[]
  readonly seen: ReadonlySet<string>
  readonly close: string
}

function* readTextValue(value: Value): Step<Outcome> {
  const { pen } = value.context
  pen.write('"')
  const outcome = yield* readRaw(value, (text) => pen.write(toJsonText(text)))
  if (outcome === 'complete') pen.write('"')
  return outcome
}

function* readTypedValue(value: Value, child: Node): Step<Outcome> {
  const { pen } = value.context
  let text = ''
  const isText = yield* standsAfterSpace(value.context.source, [cdataOpen], false)
  const outcome = yield* readRaw(value, (piece) => void (text += piece))
  if (outcome !== 'complete') return outcome
  // CDATA says that a text is meant, where a text may stand.
  if (isText && (!child.declared || (child.types & Kind.string) !== 0)) {
    pen.write(JSON.stringify(text))
    return 'complete'
  }
  const elements = readElements(plainTags(value.spec, text), child)
  const coerced = elements === undefined ? unescaped(child, text) : { json: elements }
  if ('changed' in coerced && coerced.changed !== undefined) pen.note('coerced', coerced.changed)
  pen.write(coerced.json)
  return 'complete'
}

/** Children of a value carry the same prefix before their tags as the value does. */
function plainTags(spec: Tagged, text: string): string {
  const prefix = openerOf(spec.open).slice(0, -1)
  return prefix !== '' && openerOf(spec.open).endsWith('<') ? text.replaceAll(prefix, '') : text
}

/** JSON that arrived with its quotes escaped once too often is read without the escapes. */
function unescaped(node: Node, text: string): Coerced {
  const coerced = coerceText(node, text)
  if (!text.includes('\\"') || !coerced.json.startsWith('"') || (node.types & Kind.string) !== 0) return coerced
  try {
    return coerceText(node, JSON.parse(`"${text}"`) as string)
  } catch {
    // It was not JSON inside a string after all.
    return coerced
  }
}

/** A sole argument that may only wrap the real ones: `<parameter name="arguments">{…}</parameter>`. */
function* readWrapping(value: Value, name: string): Step<Outcome> {
  const { pen } = value.context
  let text = ''
  const outcome = yield* readRaw(value, (piece) => void (text += piece))
  if (outcome !== 'complete') return outcome
  let json = ''
  const inner: Pen = { write: (piece) => void (json += piece), note: pen.note }
  const first = /^\s*\{\s*["']([^"'\\]*)["']/.exec(text)?.[1]
  const isObject = first !== undefined && value.node.hasProperty(first)
  if (isObject && runWhole(text, (source) => readJson(source, value.node, inner, { holdLast: true })) === 'complete') {
    pen.note('arguments-repaired', 'unwrapped from an argument')
    pen.write(json.slice(1))
  } else pen.write(name + coerceText(value.node.property('\0'), text).json)
  return 'complete'
}

/** The text of a value up to and with its closer, layout newlines stripped, CDATA unwrapped. */
function* readRaw(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  if (yield* standsAfterSpace(source, [cdataOpen], false)) return yield* readCdata(value, write)
  const decoded = value.spec.entities === true ? createDecoder(write).push : write
  const push = value.spec.layout === 'inline' ? decoded : createTrimmer(decoded).push
  const ended = yield* readUntil(source, value.close.charAt(0), () => endsValue(value, push), push)
  return ended ? 'complete' : 'cut'
}

/** CDATA is how a value that contains the dialect's own closers is written, here as in XML. */
function* readCdata(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  for (;;) {
    yield* skipSpace(source)
    source.at += cdataOpen.length
    if (!(yield* readUntil(source, ']', () => take(source, cdataClose), write))) return 'cut'
    if (yield* stands(source, cdataOpen)) continue
    yield* skipSpace(source)
    if (yield* endsValue(value, write)) return 'complete'
    if (source.at >= source.text.length) return 'cut'
    write(cdataClose)
    return (yield* readUntil(source, value.close.charAt(0), () => endsValue(value, write), write)) ? 'complete' : 'cut'
  }
}

/**
 * Whether the value ends here: at its closer, which is taken, or, where the model forgot it, at the call's own closer or
 * the next argument, which stay. Those two count only when what follows them fits, because a value may well quote them.
 */
function* endsValue(value: Value, push: (text: string) => void): Step<boolean> {
  const { source, pen } = value.context
  if (yield* take(source, value.close)) return (yield* isFollowed(value)) || (yield* findCloser(value, push))
  for (const closer of value.closers) {
    if (!(yield* stands(source, closer))) continue
    const follows = followers(value.dialect)
    const mark = source.keep()
    source.at += closer.length
    const ends = yield* standsAfterSpace(source, follows, true)
    source.rewind(mark)
    if (ends) pen.note('closer-missing', value.close)
    return ends
  }
  const opener = openerOf(value.spec.open)
  if (opener.length > 1 && (yield* stands(source, opener))) {
    const mark = source.keep()
    source.at += opener.length
    const key = (yield* readTokens(source, value.tokens, 1))?.get('key')
    source.rewind(mark)
    if (key === undefined || !value.node.hasProperty(key) || value.seen.has(key)) return false
    pen.note('closer-missing', value.close)
    return true
  }
  return false
}

/** Whether what stands after a value's closer may stand there: the next argument, or the end of the call. */
function* isFollowed(value: Value): Step<boolean> {
  const next = [...openersOf(value.spec), ...value.closers]
  return yield* standsAfterSpace(value.context.source, next, true)
}

/**
 * A closer with something else after it is probably quoted inside the value: the value goes on to the first closer that is
 * followed as it should be. If there is none, this one was it. Always true: the value is over either way.
 */
function* findCloser(value: Value, push: (text: string) => void): Step<boolean> {
  const { source, pen } = value.context
  if (source.isWeary) return true
  const here = source.keep()
  let text = value.close
  const found = yield* readUntil(
    source,
    value.close.charAt(0),
    function* () {
      const mark = source.keep()
      if (!(yield* take(source, value.close))) return false
      if (yield* isFollowed(value)) return true
      source.rewind(mark)
      return false
    },
    (piece) => void (text += piece),
  )
  if (found) {
    push(text)
    pen.note('closer-quoted', value.close)
  } else source.rewind(here)
  return true
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
