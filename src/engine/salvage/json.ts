import type { Node } from '../../schema/node.ts'
import type { Call } from '../context.ts'
import type { Outcome } from '../forms/json/json.ts'
import { readJson } from '../forms/json/json.ts'
import { callOpenersOf } from '../marks/closers.ts'
import { openerOf } from '../marks/template.ts'
import { argumentsKeys, nameKeys, otherKeys } from '../marks/vocabulary.ts'
import { skipSpace, standsAny, takeAny, takeRun } from '../text/literals.ts'
import { ignore } from '../text/pen.ts'
import { look, runWhole, yes } from '../text/running.ts'
import type { Source, Step } from '../text/source.ts'
import { readUntil } from '../text/value.ts'
import { mend, type Notation } from './notation.ts'
import type { Proposal, Propose } from './salvage.ts'

/** Reads a text that was put right, as the strict reader does. */
export type ReadStrictly = (
  source: Source,
  pen: { readonly write: (json: string) => void; readonly note: () => void },
) => Step<Outcome>

/** Readings of an object with damage, each read again by the strict reader. */
export function proposeMended(node: Node, notation: Notation, read: ReadStrictly): Propose {
  // A form that has no bracket of its own leaves the call's to the call.
  const left = notation.open === '' ? notation.close.length : 0
  return (raw, isOver) =>
    mend(raw, node, notation, isOver).flatMap(({ text, end, damage }): readonly Proposal[] => {
      // An envelope whose own brace is missing as well has damage of two kinds.
      if (damage === 'unescaped quotes' && notation.around !== undefined && !/^\s*[},]/.test(raw.slice(end))) return []
      let json = ''
      const pen = { write: (piece: string) => void (json += piece), note: ignore }
      const isRead = runWhole(text, function* (source) {
        return (yield* read(source, pen)) === 'complete' && source.at === source.text.length - left
      })
      return isRead ? [{ json, end: end - left, notes: [['json_repaired', damage]] }] : []
    })
}

const envelopeKeys = [...nameKeys, ...argumentsKeys, ...otherKeys]
const envelope = new RegExp(`\\{\\s*["'](?:${[...nameKeys].join('|')})["']\\s*:\\s*["']`)

/** Readings of a JSON object of arguments. */
export function proposeJson(call: Call, node: Node): Propose {
  const { literal } = call.context.pen
  return proposeMended(
    node,
    {
      open: '{',
      close: '}',
      colon: ':',
      quotes: ['"', "'", '`'],
      quotesKeys: true,
      endsAt: endsBefore(call, '}\\]`'),
      call: envelope,
      ...(call.dialect.grammar.arguments.as === 'envelope' && {
        around: envelopeKeys.filter((key) => !node.hasProperty(key)),
      }),
    },
    (source, pen) => readJson(source, node, { ...pen, literal }, { holdLast: true }),
  )
}

const nextMember = new RegExp(`^[\\s}\\]]*,\\s*(?:\\{|"(?:${envelopeKeys.join('|')})"\\s*:)`)

/** So far is looked for the end of a call. */
const longestTail = 16_384
/** After so much of an answer was looked at for that, only this is. */
const freeTails = 131_072
const shortestTail = 256
/** What may follow an object of arguments: a member beside it, or the next call of a list. */
const beside = /^(?:,\s*"([^"]*)"\s*:|[,;]?\s*\[?\s*(?:\{\s*["'}]|([\w.:-]+)\())/

/**
 * Whether the arguments may end with the bracket that stands next. One in a text with quotes that were not escaped looks like
 * the last: then the rest of that text follows, up to a quote and the brackets before the call's closer.
 */
export function endsHere({ context, closers, dialect, isFenced }: Call, node: Node): Step<boolean> {
  const { source } = context
  if (context.isExcerpt) return yes
  return look(source, function* () {
    const from = source.position
    let code = 125
    while (code === 125 || code === 93 || code === 41) {
      source.at++
      code = yield* skipSpace(source)
    }
    const isLine = source.since(from).includes('\n')
    // Without its closer a call ends before another only where that has a line of its own.
    const { close } = dialect.grammar.call
    const openers = isLine || close.length === 0 || close.includes('') ? callOpenersOf(dialect) : []
    const marks = [...closers, ...openers, isFenced ? '```' : ''].filter((mark) => mark !== '')
    if (code === -1 || (yield* standsAny(source, marks))) return true
    // Without closers, words on a line of their own are words.
    if (dialect.grammar.call.close.length === 0 && isLine) return true
    const isTold = marks.filter((mark) => mark.length > 1)
    const most = context.lookedAhead > freeTails ? shortestTail : longestTail
    let tail = ''
    const push = (text: string): void => void (tail += text)
    // Whether that is enough is asked wherever a call may go on.
    yield* readUntil(source, [...isTold, '"', "'", '(', '{'], push, function* () {
      return tail.length > most || (yield* standsAny(source, isTold))
    })
    context.lookedAhead += tail.length
    const [next = '', key, name] = beside.exec(tail) ?? []
    const isNext =
      key !== undefined ? !node.hasProperty(key) : name === undefined || !context.hasTools || context.names.has(name)
    if (next !== '' && isNext) return true
    if (isLine) return !/^["']\s*[,:}\])]/.test(tail) && !(/["'][\s}\])]*[}\])]\s*$/.test(tail) && surplus(tail) > 0)
    return !/["'`]\s*[,:}\])]|[,:{[(]\s*["'`]/.test(tail)
  })
}

const longestLine = 256

/**
 * Whether a call that lacks brackets ends with what stands next: its closers, or another call, and no more of a text on their
 * line. Its last value took no bracket in.
 */
export function* endsOpen({ context, closers, dialect }: Call): Step<boolean> {
  const { source, transcript } = context
  const last = Object.values(JSON.parse(`${transcript.written}}`) as object).at(-1)
  if (typeof last === 'string' && /[}\])]$/.test(last) && surplus(last) > 0) return false
  return yield* look(source, function* () {
    if (yield* standsAny(source, callOpenersOf(dialect))) return true
    if ((yield* takeAny(source, [...closers, ']'])) === undefined) return false
    const line = yield* takeRun(source, longestLine, (code) => code === 10)
    return line !== undefined && !/["'`]\s*[,:}\])]/.test(line)
  })
}

/** How many brackets are closed that were not opened. */
function surplus(text: string): number {
  return (text.match(/[}\])]/g)?.length ?? 0) - (text.match(/[{[(]/g)?.length ?? 0)
}

/** Whether nothing of a call follows but brackets and what closes it, or what goes on with the next in a list. */
export function endsBefore({ closers, dialect }: Call, brackets: string): (text: string, at: number) => boolean {
  const marks = [...closers, ...dialect.grammar.call.open.map(openerOf)].filter((mark) => mark !== '')
  const rest = new RegExp(`[\\s${brackets}]*`, 'y')
  const { as } = dialect.grammar.arguments
  const next = as === 'envelope' ? nextMember : as === 'keywords' ? /^[\s\])]*,\s*[\w.:-]+\(/ : undefined
  return (text, at) => {
    rest.lastIndex = at
    rest.test(text)
    const end = rest.lastIndex
    return (
      end >= text.length ||
      marks.some((mark) => text.startsWith(mark, end)) ||
      (next?.test(text.slice(at, at + 64)) ?? false)
    )
  }
}
