import { type Dialect, hasNameMarks } from '../../../dialects/dialect.ts'
import { coerceText, isTextOnly } from '../../../schema/coerce.ts'
import { textNode } from '../../../schema/compile.ts'
import type { Node } from '../../../schema/node.ts'
import type { Context } from '../../context.ts'
import {
  openerOf,
  openersOf,
  printTemplate,
  readTokens,
  skipWrittenNewlines,
  tokensAfterOpener,
} from '../../marks/template.ts'
import { endsInside, peek, stands, standsAfterSpace, standsAny, take } from '../../text/literals.ts'
import { ignore, type Pen } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { attempt } from '../../text/running.ts'
import { isSpace, type Source, type Step } from '../../text/source.ts'
import { readUntil, toJsonText } from '../../text/value.ts'
import { runWhole } from '../arguments.ts'
import { type Outcome, readJson } from '../json/json.ts'
import { findProperty, isWrapper, memberFor } from '../members.ts'
import type { Opening } from '../opening.ts'
import { takeCloser } from './closers.ts'
import { cdataOpen } from './ends.ts'
import { marksFor, type Spelling, type Tagged, type TaggedMarks, type Value } from './marks.ts'
import { readRaw } from './raw.ts'
import { isListItem, textOf, toList, toTyped } from './typed.ts'
import { takeWrapper } from './wrapper.ts'

/** The arguments of one call while they are read. */
interface Reading {
  readonly context: Context
  readonly dialect: Dialect
  readonly marks: TaggedMarks
  /** The closer of an element around all arguments. */
  readonly wrapper: string | undefined
  /** The keys read so far, as the model wrote them. */
  readonly seen: Set<string>
  /** Texts of lists that are written as one element an item; such lists are complete only when the call is. */
  readonly lists: Map<string, string[]>
  last: string | undefined
  written: number
}

/** An argument's opening tag. */
interface Element {
  readonly key: string
  readonly spelling: Spelling
  readonly slots: ReadonlyMap<string, string>
  /** `<room/>`. */
  readonly isEmpty: boolean
  readonly indent: number
}

/**
 * Reads arguments written as one element each, up to the closer of the call, which is left unread. Values the schema
 * declares as strings stream; others are read to their end, because `12` may yet be `123`.
 */
export function* readTagged(call: Opening, spec: Tagged): Step<Outcome> {
  const { context, dialect } = call
  const node = call.begin()
  const wrapper = yield* takeWrapper(context, node, openerOf(spec.open) === '<')
  const closers = wrapper === undefined ? call.closers : [...call.closers, wrapper]
  const reading: Reading = {
    context,
    dialect,
    marks: marksFor({ ...call, closers }, spec, node),
    wrapper,
    seen: new Set(),
    lists: new Map(),
    last: undefined,
    written: 0,
  }
  for (;;) {
    const element = yield* readOpening(reading)
    if (typeof element === 'object') {
      const outcome = yield* readArgument(reading, element)
      if (outcome !== 'complete') return outcome
    } else {
      if (element === 'complete') writeLists(reading)
      if (reading.written > 0 || element !== 'complete') return element
      // Nothing the tool knows, where it needs something: tags of a page, or an opener that was written twice.
      if (node.required.length > 0 && (reading.seen.size > 0 || hasNameMarks(dialect.grammar))) return 'stuck'
      context.pen.write('{')
      return element
    }
  }
}

/** Reads the next opening tag; the outcome of the call where there is none. */
function* readOpening(reading: Reading): Step<Element | Outcome> {
  const { context, dialect, marks, wrapper } = reading
  const { spec, node, closers } = marks
  const { source, pen } = context
  for (;;) {
    const indent = yield* skipIndent(source)
    yield* skipWrittenNewlines(source)
    if (source.at >= source.text.length) return context.endedWell && hasRequired(reading) ? 'complete' : 'cut'
    if (wrapper !== undefined && (yield* take(source, wrapper))) continue
    if (yield* standsAny(source, closers)) return 'complete'
    if (yield* skipStray(context, spec, reading.last)) continue
    const here = source.position
    const isClosing = yield* stands(source, '</')
    const isNext = yield* standsAny(source, marks.nextCall)
    if (isClosing) for (const closer of closers) if (yield* takeCloser(source, closer)) return 'complete'
    const tag = isClosing || isNext ? undefined : yield* readTag(source, marks.spellings)
    if (tag === 'cut') return 'cut'
    const spelled = tag?.spelling.key ?? tag?.slots.get('key')
    // Words after the last argument, where the closer was forgotten: what was read stands.
    if (tag === undefined || spelled === undefined) {
      if (endsInside(source, [...openersOf(spec), ...closers])) return 'cut'
      return reading.written + reading.lists.size > 0 ? 'complete' : 'stuck'
    }
    // A tag that never ended took in what begins the next call.
    if ([...tag.slots.values()].some((text) => marks.nextCall.some((opener) => text.includes(opener)))) {
      source.goTo(here)
      return 'stuck'
    }
    // The next call, where the closer of this one was forgotten.
    if (hasNameMarks(dialect.grammar) && context.names.has(spelled) && isForeign(node, spelled)) {
      source.goTo(here)
      return 'complete'
    }
    const { spelling, slots } = tag
    if (slots.has('orphan')) {
      pen.note('member_dropped', spelled)
      reading.last = spelled
      continue
    }
    const isEmpty = slots.has('/') || spelled.endsWith('/')
    return { key: isEmpty ? spelled.replace(/\/$/, '') : spelled, spelling, slots, isEmpty, indent }
  }
}

/** Whether nothing is missing that the tool needs: where the closer is missing, too, the answer was cut off. */
function hasRequired({ marks: { node }, seen }: Reading): boolean {
  const keys = [...seen].map((key) => findProperty(node, key) ?? key)
  return node.required.every((key) => keys.includes(key)) || keys.some((key) => isWrapper(node, key))
}

/** Reads a value with its closing tag, and writes it as the schema wants it. */
function* readArgument(reading: Reading, element: Element): Step<Outcome> {
  const { context, marks, seen, lists } = reading
  const { spec, node } = marks
  const { key, spelling, slots, isEmpty, indent } = element
  const { source, pen } = context
  const wraps = reading.written === 0 && isWrapper(node, key)
  const member = wraps ? { name: key, node } : memberFor(node, key, pen)
  seen.add(key)
  reading.last = key
  const close = printTemplate(spelling.close, { key })
  const { open } = spelling
  const value: Value = { context, marks, entities: spec.entities === true, seen, open, close, indent }
  if (member.name === undefined) return isEmpty ? 'complete' : yield* readRaw(value, ignore)
  const child = hinted(slots, member.node)
  if (isEmpty) pen.write(begin(reading, member.name) + coerceText(child, '').json)
  else if (wraps) return yield* readWrapping(value, begin(reading, member.name))
  else if (isTextOnly(child) && child.values === undefined) {
    pen.write(begin(reading, member.name))
    return yield* readTextValue(value)
  } else {
    const pieces = new Pieces()
    const isText = yield* standsAfterSpace(source, [cdataOpen], false)
    // Entities are decoded in the texts of elements, not before there are elements.
    const outcome = yield* readRaw({ ...value, entities: false }, (piece) => pieces.push(piece))
    if (outcome !== 'complete') return outcome
    const written = { spec, text: pieces.toString(), isText }
    if (isListItem(written, child)) {
      const items = lists.get(member.name) ?? []
      items.push(textOf(written))
      lists.set(member.name, items)
    } else pen.write(begin(reading, member.name) + toTyped(written, child, pen))
  }
  return 'complete'
}

/** Begins a member that is written. */
function begin(reading: Reading, name: string): string {
  return `${reading.written++ === 0 ? '{' : ','}${JSON.stringify(name)}:`
}

function writeLists(reading: Reading): void {
  const { context, marks, lists } = reading
  for (const [name, items] of lists) {
    const list = toList(marks.node.property(name), items, context.pen)
    context.pen.write(begin(reading, name) + list)
  }
}

/** Skips white space; how deep what follows stands on its line, 0 on the same line. */
function* skipIndent(source: Source): Step<number> {
  let column = -1
  for (;;) {
    const code = yield* peek(source)
    if (!isSpace(code)) return Math.max(column, 0)
    if (code === 10) column = 0
    else if (column >= 0) column++
    source.at++
  }
}

function isForeign(node: Node, key: string): boolean {
  return node.properties.length > 0 && !node.hasProperty(key)
}

/** Leaves out what says nothing between arguments: a second closer of the `last` one, comments and instructions of XML. */
function* skipStray({ source, pen }: Context, spec: Tagged, last: string | undefined): Step<boolean> {
  const close = last === undefined ? '' : printTemplate(spec.close, { key: last })
  if (close !== '' && (yield* takeCloser(source, close))) {
    pen.note('mark_dropped', close)
    return true
  }
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<?', '?>'],
  ] as const) {
    if ((yield* attempt(source, () => skipBetween(source, open, close))) === true) return true
  }
  return false
}

function* skipBetween(source: Source, open: string, close: string): Step<boolean> {
  return (yield* take(source, open)) && (yield* readUntil(source, close, () => take(source, close), ignore))
}

interface Tag {
  readonly spelling: Spelling
  readonly slots: ReadonlyMap<string, string>
}

/**
 * Takes an argument's opening tag in the first of its spellings that fits; a key without a value is the last resort.
 * `cut`: the answer ends inside the tag.
 */
function* readTag(source: Source, spellings: readonly Spelling[]): Step<Tag | 'cut' | undefined> {
  const here = source.position
  let orphan: (Tag & { readonly end: number }) | undefined
  for (const spelling of spellings) {
    if (!(yield* take(source, openerOf(spelling.open)))) continue
    const slots = yield* readTokens(source, tokensAfterOpener(spelling.open))
    if (slots?.has('orphan') === false) return { spelling, slots }
    if (source.ended && source.at >= source.text.length) return 'cut'
    if (slots !== undefined) orphan ??= { spelling, slots, end: source.position - here }
    source.goTo(here)
  }
  if (orphan !== undefined) source.goTo(here + orphan.end)
  return orphan
}

/** The type a tag's own attribute gives: `string="true"`, `type="number"`. Without one, the schema's. */
function hinted(slots: ReadonlyMap<string, string>, node: Node): Node {
  const hint = slots.get('string') === 'true' ? 'string' : slots.get('type')
  if (hint === 'string' && !node.declared) return textNode()
  return node
}

function* readTextValue(value: Value): Step<Outcome> {
  const { pen } = value.context
  pen.write('"')
  const outcome = yield* readRaw(value, (text) => pen.write(toJsonText(text)))
  if (outcome === 'complete') pen.write('"')
  return outcome
}

/** A sole argument that may only wrap the real ones: `<parameter name="arguments">{…}</parameter>`. */
function* readWrapping(value: Value, name: string): Step<Outcome> {
  const { pen } = value.context
  const pieces = new Pieces()
  const outcome = yield* readRaw(value, (piece) => pieces.push(piece))
  if (outcome !== 'complete') return outcome
  const text = pieces.toString()
  let json = ''
  const inner: Pen = { ...pen, write: (piece) => void (json += piece) }
  const first = /^\s*\{\s*["']([^"'\\]*)["']/.exec(text)?.[1]
  const isObject = first !== undefined && value.marks.node.hasProperty(first)
  if (
    isObject &&
    runWhole(text, (source) => readJson(source, value.marks.node, inner, { holdLast: true })) === 'complete'
  ) {
    pen.note('arguments_repaired', 'unwrapped from an argument')
    pen.write(json)
  } else pen.write(name + coerceText(value.marks.node.property('\0'), text).json)
  return 'complete'
}
