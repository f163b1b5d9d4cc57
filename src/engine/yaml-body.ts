import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { Kind, type Node } from '../schema/node.ts'
import { runWhole } from './arguments.ts'
import { type Outcome, readJson } from './json.ts'
import { isWrapper, type Member, memberFor } from './members.ts'
import { ignore, type Pen } from './pen.ts'
import { peek, type Source, type Step, standsAny } from './source.ts'
import { readUntil } from './value.ts'
import { dedent, readYaml, readYamlValue } from './yaml.ts'
import { readBlock, toBlockHeader } from './yaml-block.ts'
import {
  type Body,
  endsLine,
  hash,
  isAwaited,
  type Next,
  newline,
  noteRepair,
  quote,
  readBlanks,
  readKey,
  readLine,
  readRest,
  skipBody,
} from './yaml-lines.ts'
import { readQuoted, readTail } from './yaml-quoted.ts'

const bar = 124

/**
 * Reads arguments written as a YAML mapping, up to the closer of the call, which is left unread, and writes them member by
 * member; all but the last brace. Text in a block or in double quotes streams. `layout` is the white space before it.
 * What does not begin like a mapping of lines is read whole.
 */
export function* readYamlBody(
  source: Source,
  node: Node,
  pen: Pen,
  closers: readonly string[],
  layout: string,
  endedWell = () => false,
): Step<Outcome> {
  const space = layout.slice(layout.lastIndexOf('\n') + 1)
  const base = space.length
  const body: Body = { source, node, pen, closers, endedWell, base, seen: new Set(), repaired: new Set() }
  const first = yield* readKey(body, space)
  if (first.kind !== 'member' || isWrapper(node, first.key)) return yield* readWhole(body, space + first.text)
  pen.write('{')
  let next: Next = first
  while (typeof next === 'object') next = yield* readMember(body, next.key)
  return next === 'complete' && source.at >= source.text.length && source.ended && !isWhole(body) ? 'cut' : next
}

/** Whether these are surely the arguments, though the closer never came: words may look like a mapping too. */
function isWhole({ node, seen }: Body): boolean {
  return [...seen].every((key) => node.hasProperty(key)) && node.required.every((key) => seen.has(key))
}

function* readWhole({ source, node, pen, closers }: Body, start: string): Step<Outcome> {
  let text = start
  const push = (piece: string): void => void (text += piece)
  if (!(yield* readUntil(source, '<', () => standsAny(source, closers), push))) return 'cut'
  const json = readYaml(text, node, pen)
  const typed = json && toTyped(json, node, pen, true)
  if (typed === undefined) return 'stuck'
  pen.write(typed)
  return 'complete'
}

/** Reads a member from after its colon. */
function* readMember(body: Body, key: string): Step<Next> {
  const { source, pen } = body
  const member = memberFor(body.node, key, pen)
  let text = yield* readBlanks(source)
  if (member.name === undefined || !streams(member.node)) return yield* readLines(body, member, text)
  const code = yield* peek(source)
  if (code === bar) {
    const start = yield* readIndicators(source)
    const header = toBlockHeader(start)
    if (header !== undefined && (yield* endsLine(body, start))) {
      yield* readRest(body, ignore)
      pen.write(`${begin(body, member.name)}"`)
      return yield* readBlock(body, header)
    }
    text += start
  } else if (code === quote) {
    source.at++
    if ((yield* peek(source)) !== quote) {
      pen.write(`${begin(body, member.name)}"`)
      return (yield* readQuoted(body)) ? yield* readNext(body) : yield* skipBody(body)
    }
    source.at++
    const tail = yield* readTail(body)
    if (tail === undefined) {
      pen.write(`${begin(body, member.name)}""`)
      return yield* readNext(body)
    }
    // Three quotes, as around a text in Python: nothing YAML knows.
    return yield* readLines(body, member, `${text}""${tail}`, member.node.declared)
  }
  return yield* readLines(body, member, text)
}

/** The signs of a block, `|-`, with the blanks after them. */
function* readIndicators(source: Source): Step<string> {
  let signs = ''
  for (;;) {
    const sign = (yield* peek(source)) === -1 ? '' : source.text.charAt(source.at)
    if (sign === '' || !'|-+123456789'.includes(sign)) return signs + (yield* readBlanks(source))
    signs += sign
    source.at++
  }
}

/** Begins a member that is written. */
function begin({ seen }: Body, name: string): string {
  const text = `${seen.size === 0 ? '' : ', '}${JSON.stringify(name)}: `
  seen.add(name)
  return text
}

/** Whether text in a block or in quotes is a string here, whatever it says. */
function streams(node: Node): boolean {
  return (!node.declared || (node.types & Kind.string) !== 0) && node.values === undefined
}

/** Passes over what may follow a value that has ended: a comment, empty lines. */
function* readNext(body: Body): Step<Next> {
  for (;;) {
    yield* readRest(body, ignore)
    let line = yield* readLine(body)
    while (line.kind === 'blank') line = yield* readLine(body)
    if (line.kind === 'end') return 'cut'
    if (line.kind === 'closer') return 'complete'
    if (line.kind === 'member') return line
    if (line.text !== '' || (yield* peek(body.source)) !== hash) return yield* skipBody(body)
  }
}

/**
 * Reads a member to its end, because only the whole of it says what it is. Text that is not YAML is taken as it stands
 * where the schema wants text; it then goes on to the next member that the schema awaits.
 */
function* readLines(body: Body, member: Member, start: string, startsRaw = false): Step<Next> {
  let text = start
  let isRaw = startsRaw
  const push = (piece: string): void => void (text += piece)
  if ((yield* readRest(body, push)) === newline) text += '\n'
  for (;;) {
    const line = yield* readLine(body)
    if (line.kind === 'end') return 'cut'
    const isLast = line.kind === 'closer' || (line.kind === 'member' && isAwaited(body, line.key))
    if (isLast || (line.kind === 'member' && !isRaw)) {
      const next = line.kind === 'closer' ? 'complete' : line
      if (member.name === undefined) return next
      if (!isRaw && writeValue(body, member, text)) return next
      if (!member.node.declared || (member.node.types & Kind.string) === 0) return yield* skipBody(body)
      if (isLast) {
        noteRepair(body, 'text as it stands')
        body.pen.write(begin(body, member.name) + coerceText(member.node, toRaw(text)).json)
        return next
      }
      isRaw = true
    }
    text += line.space.slice(body.base) + line.text
    if (line.kind === 'blank' || (yield* readRest(body, push)) === newline) text += '\n'
  }
}

/** Writes a member by what stands after its colon; false when that is no YAML. */
function writeValue(body: Body, member: Member, text: string): boolean {
  const { node, pen } = body
  const line = text.trim()
  // Where a string must be, a line that looks like more to YAML is still one: `[sic]`, `*this*`, `#this`.
  const looksLikeMore = /^[ \t]*(?:[[{&*!]|#\S)/.test(text) && !line.includes('\n')
  if (looksLikeMore && member.name !== undefined && isTextOnly(member.node)) {
    pen.write(begin(body, member.name) + coerceText(member.node, line).json)
    return true
  }
  const written: (readonly [name: string, json: string])[] = []
  for (const { key, json } of readYamlValue(text) ?? []) {
    const own = key === undefined ? member : memberFor(node, key, pen)
    if (own.name === undefined) continue
    const value = json(own.node)
    const typed = value && toTyped(value, own.node, pen, false)
    if (typed === undefined) return false
    written.push([own.name, typed])
  }
  for (const [name, json] of written) pen.write(begin(body, name) + json)
  return written.length > 0
}

/** A value by the rules for any JSON: nested keys corrected or left out, types made to fit. */
function toTyped(json: string, node: Node, pen: Pen, holdLast: boolean): string | undefined {
  let typed = ''
  const inner: Pen = { write: (piece) => void (typed += piece), note: pen.note }
  return runWhole(json, (source) => readJson(source, node, inner, { holdLast })) === 'complete' ? typed : undefined
}

/** Text as the model wrote it: one line without the blanks around it, several as they are. */
function toRaw(text: string): string {
  if (!text.trim().includes('\n')) return text.trim()
  return /^\s*\n/.test(text) ? dedent(text.replace(/^[ \t\r]*\n/, '')) : text.replace(/^ /, '')
}
