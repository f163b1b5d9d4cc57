import { type Dialect, hasNameMarks } from '../../dialects/dialect.ts'
import type { NoteKind } from '../../protocol/note.ts'
import { checkArguments } from '../../schema/check.ts'
import type { Node } from '../../schema/node.ts'
import type { Call } from '../context.ts'
import type { Outcome } from '../forms/json/json.ts'
import { isFitting } from '../forms/members.ts'
import { cdataOpen, passCdata } from '../forms/tagged/value.ts'
import { callOpenersOf, pairsOf } from '../marks/closers.ts'
import { literalsOf, printTemplate } from '../marks/template.ts'
import { stands, standsAny } from '../text/literals.ts'
import { Pieces } from '../text/pieces.ts'
import { attempt } from '../text/running.ts'
import type { Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'

/** One reading of a broken call's arguments. */
export interface Proposal {
  /** The arguments without their last brace. */
  readonly json: string
  /** Where they end in the text that was looked at. */
  readonly end: number
  readonly notes: readonly (readonly [kind: NoteKind, detail: string])[]
}

/** All readings of a text; `isOver`: the answer ends with it. */
export type Propose = (raw: string, isOver: boolean) => readonly Proposal[]

/** More than this is not looked at. */
const longestRaw = 131_072
/** So much is read in vain of an answer, beside some times what was read before. */
const freeReread = 131_072
const rereadPerCharacter = 8

/** The text of a broken call from its arguments on. */
interface Extent {
  readonly raw: string
  /** The next call follows, not the end of the answer. */
  readonly isNext: boolean
  /** Its own closer stands in it, behind calls that it quotes: where the first of these begins. */
  readonly quotes: number | undefined
}

/**
 * What the strict reader could not read, looked at once and as a whole. Exactly one reading that fits the schema and agrees
 * with what has been written already is the call; else there is none.
 */
export function* salvage(call: Call, node: Node, from: number, failure: Outcome, propose: Propose): Step<Outcome> {
  const { context } = call
  const { source, pen, transcript } = context
  const reached = source.position
  const { raw, isNext, quotes } = yield* readExtent(call, node, from, failure)
  context.isFull ||= context.readAgain > freeReread + rereadPerCharacter * source.position
  if (!context.endedWell && (!isNext || failure === 'cut')) return 'cut'
  const { written } = transcript
  const fitting = propose(raw, !isNext).filter(
    ({ json, end }) =>
      end > (quotes ?? -1) && json.startsWith(written) && fits(node, `${json}}`) && !tookMark(`${json}}`, call.dialect),
  )
  const [only, ...others] = new Map(fitting.map((proposal) => [`${proposal.end} ${proposal.json}`, proposal])).values()
  if (only === undefined || others.length > 0) {
    if (others.length > 0) pen.note('call_ambiguous')
    // In a list the next one begins where this one cannot be read on.
    if (quotes === undefined && call.dialect.grammar.arguments.as === 'envelope')
      source.goTo(Math.min(reached, source.position))
    return isNext || quotes !== undefined ? 'stuck' : failure
  }
  source.goTo(from + only.end)
  for (const [kind, detail] of only.notes) pen.note(kind, detail)
  pen.write(only.json.slice(written.length))
  return 'complete'
}

/**
 * Reads from the arguments of the open call at `from` up to what begins the next call, or the end of the answer. Calls are
 * quoted in it where one of its own closers follows them, by counting; else the first mark of a call ends it. What a value
 * quotes that had its own closer counts for nothing.
 */
function* readExtent(call: Call, node: Node, from: number, failure: Outcome): Step<Extent> {
  const { context, dialect, name, closers } = call
  const { source } = context
  const { arguments: spec } = dialect.grammar
  const openers = nextCalls(call, node)
  const [closer = ''] = closers
  const pair = pairsOf(dialect, { name }).get(closer) ?? []
  const valueEnds = spec.as === 'tagged' && !spec.close.includes('{') ? [spec.close] : []
  const reached = source.position
  const counted = failure === 'cut' || spec.as !== 'tagged' ? from : reached
  const held = new Pieces()
  let depth = 0
  /** Where the first call in it begins, and how many do. */
  let first: number | undefined
  let count = 0
  let quotes = false
  const push = (text: string): void => held.push(text)
  source.goTo(from)
  const ends = function* (): Step<boolean> {
    if (source.position < counted) return false
    if (spec.as === 'tagged' && (yield* stands(source, cdataOpen))) {
      yield* attempt(source, () => passCdata(source, context.missing, push))
      return false
    }
    const isPair = yield* standsAny(source, pair)
    if (isPair || (yield* standsAny(source, openers))) {
      if (depth < 0 || pair.length === 0 || held.length > longestRaw) return true
      first ??= source.position
      if (isPair) count += ++depth
    } else if (depth >= 0 && (yield* stands(source, closer))) depth--
    const isBehind =
      first !== undefined && (depth < 0 || (depth === 0 && count > 0 && (yield* standsAny(source, valueEnds))))
    quotes ||= isBehind
    return false
  }
  let isNext = yield* readUntil(source, [...openers, ...pair, closer, ...valueEnds, cdataOpen], push, ends)
  context.readAgain += Math.max(reached, source.position) - from
  let raw = held.length > longestRaw ? '' : held.toString()
  if (first !== undefined && !quotes) {
    context.readAgain += source.position - first
    source.goTo(first)
    raw = raw.slice(0, first - from)
    isNext = true
  }
  return { raw, isNext, quotes: quotes && first !== undefined ? first - from : undefined }
}

/** What begins another call: the dialect's own openers, and names where these are marks. */
function nextCalls({ context, dialect }: Call, node: Node): readonly string[] {
  const openers = callOpenersOf(dialect)
  if (!hasNameMarks(dialect.grammar)) return openers
  const names = [...context.names].filter((name) => !node.hasProperty(name))
  const named = names.flatMap((name) => dialect.grammar.call.open.map((open) => printTemplate(open, { name }).trim()))
  return [...openers, ...named]
}

/** Whether a value begins or ends with a mark of the dialect that has one sign lost or written twice: it stood around the value. */
function tookMark(json: string, { grammar: { arguments: spec } }: Dialect): boolean {
  const isTagged = spec.as === 'tagged'
  const quotes = spec.as === 'pseudo' ? [spec.quote] : []
  const openers = ['<![CDATA[', ...quotes, ...(isTagged ? literalsOf(spec.open).slice(-1) : [])].filter(isLong)
  const closers = [']]>', ...quotes, ...(isTagged ? literalsOf(spec.close).slice(-1) : [])].filter(isLong)
  const values = Object.values(JSON.parse(json) as object).filter((value) => typeof value === 'string')
  return values
    .map((value) => value.trim())
    .some(
      (text) =>
        openers.some((mark) => !text.startsWith(mark) && nearly(mark).some((odd) => text.startsWith(odd))) ||
        closers.some((mark) => !text.endsWith(mark) && nearly(mark).some((odd) => text.endsWith(odd))),
    )
}

function isLong(mark: string): boolean {
  return mark.length > 2
}

function nearly(mark: string): readonly string[] {
  return [...mark].flatMap((sign, i) => ['', sign + sign].map((one) => mark.slice(0, i) + one + mark.slice(i + 1)))
}

function fits(node: Node, json: string): boolean {
  // Of a tool that declares nothing, any key may be one.
  return (node.properties.length === 0 || isFitting(node, json)) && checkArguments(node, JSON.parse(json)).length === 0
}
