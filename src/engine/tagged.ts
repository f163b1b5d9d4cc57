import type { Arguments, Dialect } from '../dialects/dialect.ts'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import type { Node } from '../schema/node.ts'
import type { Context } from './context.ts'
import type { Outcome } from './json.ts'
import { readElements } from './nested.ts'
import { type Source, type Step, skipSpace, stands, standsAfterSpace, take } from './source.ts'
import { compileTemplate, openerOf, printTemplate, readTokens, type Token } from './template.ts'
import { createTrimmer, readUntil, toJsonText } from './value.ts'

type Tagged = Extract<Arguments, { as: 'tagged' }>

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
  const opener = openerOf(spec.open)
  const seen = new Set<string>()
  pen.write('{')
  for (;;) {
    yield* skipSpace(source)
    if (source.at >= source.text.length) return context.endedWell ? 'complete' : 'cut'
    if (yield* standsOne(source, closers)) return 'complete'
    const slots = (yield* take(source, opener)) ? yield* readTokens(source, tokens, 1) : undefined
    const key = slots?.get('key')
    if (slots === undefined || key === undefined) return 'stuck'
    pen.write(`${seen.size === 0 ? '' : ','}${JSON.stringify(key)}:`)
    seen.add(key)
    const child = node.property(key)
    const value = { context, dialect, spec, node, closers, tokens, seen, close: printTemplate(spec.close, { key }) }
    const streams = isTextOnly(child) && child.values === undefined
    const outcome = streams ? yield* readTextValue(value) : yield* readTypedValue(value, child)
    if (outcome !== 'complete') return outcome
  }
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
  const outcome = yield* readRaw(value, (piece) => void (text += piece))
  if (outcome !== 'complete') return outcome
  const elements = readElements(text, child)
  const coerced = elements === undefined ? coerceText(child, text) : { json: elements }
  if ('changed' in coerced && coerced.changed !== undefined) pen.note('coerced', coerced.changed)
  pen.write(coerced.json)
  return 'complete'
}

/** The text of a value up to and with its closer, layout newlines stripped, CDATA unwrapped. */
function* readRaw(value: Value, write: (text: string) => void): Step<Outcome> {
  const { source } = value.context
  if (yield* standsAfterSpace(source, [cdataOpen], false)) return yield* readCdata(value, write)
  const push = value.spec.layout === 'inline' ? write : createTrimmer(write).push
  const ended = yield* readUntil(source, value.close.charAt(0), () => endsValue(value), push)
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
    if (yield* endsValue(value)) return 'complete'
    if (source.at >= source.text.length) return 'cut'
    write(cdataClose)
    return (yield* readUntil(source, value.close.charAt(0), () => endsValue(value), write)) ? 'complete' : 'cut'
  }
}

/**
 * Whether the value ends here: at its closer, which is taken, or, where the model forgot it, at the call's own closer or
 * the next argument, which stay. Those two count only when what follows them fits, because a value may well quote them.
 */
function* endsValue(value: Value): Step<boolean> {
  const { source, pen } = value.context
  if (yield* take(source, value.close)) return true
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

/** What may stand after a call. */
function followers(dialect: Dialect): readonly string[] {
  const { section, call } = dialect.grammar
  return [...(section?.close ?? []), ...(section?.open ?? []), ...call.open.map(openerOf)].filter(
    (literal) => literal.length > 1,
  )
}
