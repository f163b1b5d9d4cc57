import { hasNameMarks } from '../../../dialects/dialect.ts'
import { coerceText, isTextOnly } from '../../../schema/coerce.ts'
import { TEXT } from '../../../schema/compile.ts'
import type { Node } from '../../../schema/node.ts'
import { Kind } from '../../../schema/node.ts'
import { openerOf, printTemplate, readTokens, skipWrittenNewlines, tokensAfterOpener } from '../../marks/template.ts'
import { peek, stands, standsAfterSpace, standsAny, take } from '../../text/literals.ts'
import { ignore, type Pen } from '../../text/pen.ts'
import { Pieces } from '../../text/pieces.ts'
import { attempt, runWhole } from '../../text/running.ts'
import { isSpace, type Source, type Step } from '../../text/source.ts'
import { readUntil, toJsonText } from '../../text/value.ts'
import { type Outcome, readJson } from '../json/json.ts'
import { isWrapper, memberFor } from '../members.ts'
import type { Spelling, TaggedMarks } from './marks.ts'
import { isListItem, textOf, toList, toTyped } from './typed.ts'
import { cdataOpen, readRaw, type Value } from './value.ts'

/** What the arguments of a call are read from, and written to. */
export interface Elements {
  readonly source: Source
  readonly pen: Pen
  readonly marks: TaggedMarks
  /** The closer of an element around all arguments. */
  readonly wrapper: string | undefined
  /** Of tools: where these are marks, the next call may begin with one. */
  readonly names: ReadonlySet<string>
}

/** The arguments of one call while they are read. */
interface Reading extends Elements {
  /** The keys read so far, as the model wrote them. */
  readonly seen: Set<string>
  /** Texts of lists that are written as one element an item; such lists are complete only when the call is. */
  readonly lists: Map<string, string[]>
  last: { readonly key: string; readonly close: string } | undefined
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
export function* readElements(elements: Elements): Step<Outcome> {
  const reading: Reading = { ...elements, seen: new Set(), lists: new Map(), last: undefined, written: 0 }
  const { node, dialect } = reading.marks
  for (;;) {
    const element = yield* readOpening(reading)
    if (typeof element === 'object') {
      const outcome = yield* readArgument(reading, element)
      if (outcome !== 'complete') return outcome
    } else {
      if (element !== 'complete') return element
      writeLists(reading)
      if (reading.written > 0) return element
      // Nothing the tool knows, where it needs something: tags of a page, or an opener that was written twice.
      if (node.required.length > 0 && (reading.seen.size > 0 || hasNameMarks(dialect.grammar))) return 'stuck'
      reading.pen.write('{')
      return element
    }
  }
}

/** Reads the next opening tag; the outcome of the call where there is none. */
function* readOpening(reading: Reading): Step<Element | Outcome> {
  const { source, marks, wrapper, names, seen } = reading
  const { node, closers, dialect } = marks
  for (;;) {
    const indent = yield* skipIndent(source)
    yield* skipWrittenNewlines(source)
    if (source.at >= source.text.length) return 'cut'
    if (wrapper !== undefined && (yield* take(source, wrapper))) continue
    if (yield* standsAny(source, closers)) return 'complete'
    const { last } = reading
    if (last !== undefined && (yield* take(source, last.close))) {
      reading.pen.note('mark_dropped', last.close)
      continue
    }
    if (yield* skipComment(source)) continue
    const here = source.position
    if (hasNameMarks(dialect.grammar) && seen.size > 0 && (yield* standsAny(source, [...names]))) return 'complete'
    if (yield* stands(source, '</')) return 'stuck'
    // Without its closer it has at least all that the tool needs.
    if (yield* standsAny(source, marks.nextCall))
      return seen.size > 0 && node.required.every((key) => seen.has(key)) ? 'complete' : 'stuck'
    const tag = yield* readTag(source, marks.spellings)
    const spelled = tag?.spelling.key ?? tag?.slots.get('key')
    if (tag === undefined || spelled === undefined || !isKey(node, spelled))
      return source.ended && source.at >= source.text.length ? 'cut' : 'stuck'
    // A tag that never ended took in what follows.
    const begins = [...marks.nextCall, ...marks.openers.filter((opener) => opener.length > 1)]
    const hasMark = (text: string): boolean => begins.some((opener) => text.includes(opener))
    if ([...tag.slots].some(([slot, text]) => (slot === 'key' ? hasMark(text) : /[<\n]/.test(text)))) return 'stuck'
    if (tag.slots.has('unclosed') && !node.hasProperty(spelled)) return 'stuck'
    // The next call, where the closer of this one was forgotten.
    if (hasNameMarks(dialect.grammar) && names.has(spelled) && isForeign(node, spelled)) {
      source.goTo(here)
      return 'complete'
    }
    const { spelling, slots } = tag
    const isEmpty = slots.has('/') || spelled.endsWith('/')
    return { key: isEmpty ? spelled.replace(/\/$/, '') : spelled, spelling, slots, isEmpty, indent }
  }
}

/** Reads a value with its closing tag, and writes it as the schema wants it. */
function* readArgument(reading: Reading, element: Element): Step<Outcome> {
  const { source, pen, marks, seen, lists } = reading
  const { spec, node } = marks
  const { key, spelling, slots, isEmpty, indent } = element
  const wraps = reading.written === 0 && isWrapper(node, key)
  const member = wraps ? { name: key, node } : memberFor(node, key, pen)
  const { open } = spelling
  const close = printTemplate(spelling.close, { key })
  const value: Value = {
    source,
    marks,
    entities: spec.entities === true,
    open: printTemplate(open, { key }),
    close,
    indent,
  }
  const isSeen = seen.has(key)
  seen.add(key)
  reading.last = { key, close }
  if (member.name === undefined) return isEmpty ? 'complete' : yield* readRaw(value, ignore)
  const child = hinted(slots, member.node)
  if (isSeen && !lists.has(member.name)) return 'stuck'
  if (isEmpty) pen.write(begin(reading, member.name) + coerceText(child, '').json)
  else if (wraps) return yield* readWrapping(value, pen, begin(reading, member.name))
  else if (isTextOnly(child) && child.values === undefined) {
    pen.write(`${begin(reading, member.name)}"`)
    const outcome = yield* readRaw(value, (text) => pen.write(toJsonText(text)))
    if (outcome === 'complete') pen.write('"')
    return outcome
  } else {
    const pieces = new Pieces()
    const isQuoted = yield* standsAfterSpace(source, [cdataOpen])
    // Entities are decoded in the texts of elements, not before there are elements.
    const outcome = yield* readRaw({ ...value, entities: false }, (piece) => pieces.push(piece))
    if (outcome !== 'complete') return outcome
    const written = { spec, text: pieces.toString(), isText: isQuoted }
    if (isListItem(written, child)) {
      const items = lists.get(member.name) ?? []
      items.push(textOf(written))
      lists.set(member.name, items)
    } else {
      const json = toTyped(written, child, pen)
      // Where no text may stand, one with signs of tags took in what follows.
      const isText = json.startsWith('"') && child.declared && (child.types & Kind.string) === 0
      if (isText && /[<>]/.test(written.text)) return 'stuck'
      pen.write(begin(reading, member.name) + json)
    }
  }
  return 'complete'
}

/** Begins a member that is written. */
function begin(reading: Reading, name: string): string {
  return `${reading.written++ === 0 ? '{' : ','}${JSON.stringify(name)}:`
}

function writeLists(reading: Reading): void {
  const { pen, marks, lists } = reading
  for (const [name, items] of lists) pen.write(begin(reading, name) + toList(marks.node.property(name), items, pen))
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

/** A key with signs in it took in some of its tag. */
function isKey(node: Node, key: string): boolean {
  return node.hasProperty(key) || node.properties.length === 0 || !/[<>"'=|]/.test(key)
}

function isForeign(node: Node, key: string): boolean {
  return node.properties.length > 0 && !node.hasProperty(key)
}

/** Leaves out comments and instructions of XML. */
function* skipComment(source: Source): Step<boolean> {
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<?', '?>'],
  ] as const) {
    if ((yield* attempt(source, () => skipBetween(source, open, close))) === true) return true
  }
  return false
}

function* skipBetween(source: Source, open: string, close: string): Step<boolean> {
  return (yield* take(source, open)) && (yield* readUntil(source, [close], ignore, () => take(source, close)))
}

interface Tag {
  readonly spelling: Spelling
  readonly slots: ReadonlyMap<string, string>
}

/** Takes an argument's opening tag in the first of its spellings that fits. */
function* readTag(source: Source, spellings: readonly Spelling[]): Step<Tag | undefined> {
  const here = source.position
  for (const spelling of spellings) {
    if (!(yield* take(source, openerOf(spelling.open)))) continue
    const slots = yield* readTokens(source, tokensAfterOpener(spelling.open))
    if (slots?.has('orphan') === false) return { spelling, slots }
    if (source.ended && source.at >= source.text.length) return undefined
    source.goTo(here)
  }
  return undefined
}

/** The type a tag's own attribute gives: `string="true"`, `type="number"`. Without one, the schema's. */
function hinted(slots: ReadonlyMap<string, string>, node: Node): Node {
  const hint = slots.get('string') === 'true' ? 'string' : slots.get('type')
  if (hint === 'string' && !node.declared) return TEXT
  return node
}

/** A sole argument that may only wrap the real ones: `<parameter name="arguments">{…}</parameter>`. */
function* readWrapping(value: Value, pen: Pen, name: string): Step<Outcome> {
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
