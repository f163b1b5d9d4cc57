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
import { cdataOpen, readRaw, type Spelling, takeCloser, type Value } from './raw.ts'
import { isSpace, peek, type Source, type Step, stands, standsAfterSpace, take } from './source.ts'
import { compileTemplate, openerOf, printTemplate, readTokens, skipWrittenNewlines } from './template.ts'
import { createDecoder, createTrimmer, decodeEntities, readUntil, toJsonText } from './value.ts'

type Tagged = Extract<Arguments, { as: 'tagged' }>

/** What an argument's opening tag begins with, in each of its spellings. */
export function openersOf(spec: Tagged): readonly string[] {
  return [spec, ...(spec.also ?? [])].map(({ open }) => openerOf(open))
}

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
  const spellings = spellingsOf(spec, node)
  const seen = new Set<string>()
  const lists = new Map<string, string[]>()
  let written = 0
  let last: string | undefined
  const finish = (): Outcome => {
    for (const [name, items] of lists)
      pen.write(`${written++ === 0 ? '' : ','}${JSON.stringify(name)}:${toList(node.property(name), items, pen)}`)
    return 'complete'
  }
  pen.write('{')
  for (;;) {
    const indent = yield* skipIndent(source)
    yield* skipWrittenNewlines(source)
    if (source.at >= source.text.length) return context.endedWell ? finish() : 'cut'
    if (yield* standsOne(source, closers)) return finish()
    if (yield* skipStray(context, spec, last)) continue
    for (const closer of closers) if (yield* takeCloser(source, closer)) return finish()
    const here = source.keep()
    const spelling = (yield* stands(source, '</')) ? undefined : yield* takeOpener(source, spellings)
    const slots = spelling && (yield* readTokens(source, compileTemplate(spelling.open), 1))
    const spelled = spelling?.key ?? slots?.get('key')
    // Words after the last argument, where the closer was forgotten: what was read stands.
    if (spelling === undefined || slots === undefined || spelled === undefined) {
      if (isUnfinished(source, [...openersOf(spec), ...closers])) return 'cut'
      return written + lists.size > 0 ? finish() : 'stuck'
    }
    // The next call, where the closer of this one was forgotten.
    if (dialect.grammar.nameIsMark === true && context.names.has(spelled) && isForeign(node, spelled)) {
      source.rewind(here)
      return finish()
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
    last = key
    const child = hinted(slots, member.node)
    const close = printTemplate(spelling.close, { key })
    const value = { context, dialect, spec, node, closers, spellings, seen, close, indent }
    let outcome: Outcome = 'complete'
    if (member.name === undefined) outcome = isEmpty ? 'complete' : yield* readRaw(value, ignore)
    else if (isEmpty) pen.write(name + coerceText(child, '').json)
    else if (wraps) outcome = yield* readWrapping(value, name)
    else if (isTextOnly(child) && child.values === undefined) {
      pen.write(name)
      outcome = yield* readTextValue(value)
    } else {
      let text = ''
      const isText = yield* standsAfterSpace(source, [cdataOpen], false)
      // Entities are decoded in the texts of elements, not before there are elements.
      outcome = yield* readRaw({ ...value, spec: { ...spec, entities: false } }, (piece) => void (text += piece))
      if (outcome !== 'complete') return outcome
      if (isListItem(child, plainTags(spec, text), isText)) {
        const items = lists.get(member.name) ?? []
        items.push(isText ? text : decoderOf(spec)(text))
        lists.set(member.name, items)
        continue
      }
      pen.write(name + toTyped(value, child, text, isText))
    }
    if (member.name !== undefined) written++
    if (outcome !== 'complete') return outcome
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

/** How arguments may be written in this call: as the dialect says, or by their own names as tags. */
export function spellingsOf(spec: Tagged, node: Node): readonly Spelling[] {
  const own = [spec, ...(spec.also ?? [])]
  if (openerOf(spec.open) === '<') return own
  const named = node.properties.filter((key) => /^[\w.-]+$/.test(key))
  return [...own, ...named.map((key) => ({ key, open: `<${key}>`, close: `</${key}>` }))]
}

/** Leaves out what says nothing between arguments: a second closer of the `last` one, and in XML comments and instructions. */
function* skipStray({ source, pen }: Context, spec: Tagged, last: string | undefined): Step<boolean> {
  const close = last === undefined ? '' : printTemplate(spec.close, { key: last })
  if (close !== '' && (yield* takeCloser(source, close))) {
    pen.note('mark-dropped', close)
    return true
  }
  if (openerOf(spec.open) !== '<') return false
  for (const [open, close] of [
    ['<!--', '-->'],
    ['<?', '?>'],
  ] as const) {
    const mark = source.keep()
    if (!(yield* take(source, open))) continue
    if (yield* readUntil(source, close, () => take(source, close), ignore)) return true
    source.rewind(mark)
  }
  return false
}

/** Whether a value is one of a list that is written as one element an item, as XML does it. */
function isListItem(node: Node, text: string, isText: boolean): boolean {
  if (!node.declared || (node.types & ~Kind.null) !== Kind.array) return false
  return isText ? !/^\s*\[/.test(text) : !/^\s*(?:\[|<|null\s*$|$)/.test(text)
}

/** A list of which the items, or its one text, were written each in an element of its own. */
function toList(node: Node, items: readonly string[], pen: Pen): string {
  const [first = '', ...others] = items
  const lone = others.length === 0 ? coerceText(node, first) : undefined
  if (lone?.changed !== undefined) pen.note('coerced', lone.changed)
  return lone?.json ?? `[${items.map((text, i) => coerceText(node.item(i), text).json).join(',')}]`
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

function* readTextValue(value: Value): Step<Outcome> {
  const { pen } = value.context
  pen.write('"')
  const outcome = yield* readRaw(value, (text) => pen.write(toJsonText(text)))
  if (outcome === 'complete') pen.write('"')
  return outcome
}

function toTyped({ context, spec }: Value, child: Node, text: string, isText: boolean): string {
  // CDATA says that a text is meant, where a text may stand.
  if (isText && (!child.declared || (child.types & Kind.string) !== 0)) return JSON.stringify(text)
  const decode = decoderOf(spec)
  const elements = readElements(plainTags(spec, text), child, decode)
  if (elements !== undefined) return elements
  const { json, changed } = unescaped(child, isText ? text : decode(text))
  if (changed !== undefined) context.pen.note('coerced', changed)
  return json
}

function decoderOf(spec: Tagged): (text: string) => string {
  return spec.entities === true ? decodeEntities : (text) => text
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

/** The argument of a tool that takes words for people and needs nothing else: some models write them without a tag. */
export function wordsOf(node: Node): string | undefined {
  const [key, ...others] = node.properties.filter((name) => spoken.has(name) && isTextOnly(node.property(name)))
  return others.length === 0 && node.required.every((name) => name === key) ? key : undefined
}

const spoken = new Set(['message', 'text', 'question', 'result', 'answer', 'response', 'thought'])

/** Reads the words of a call as its only argument, up to its closer, which is left unread. */
export function* readWords(
  { source, pen }: Context,
  spec: Tagged,
  key: string,
  begin: () => Node,
  closers: readonly string[],
): Step<Outcome> {
  begin()
  pen.note('arguments-repaired', `text as ${key}`)
  pen.write(`{${JSON.stringify(key)}:"`)
  const write = (text: string): void => pen.write(toJsonText(text))
  const { push } = createTrimmer(spec.entities === true ? createDecoder(write).push : write)
  if (!(yield* readUntil(source, '<', () => standsOne(source, closers), push))) return 'cut'
  pen.write('"')
  return 'complete'
}
