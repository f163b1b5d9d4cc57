import type { Dialect } from '../../dialects/dialect.ts'
import { type PrintedCall, printCalls } from '../../engine/print.ts'
import type { Call } from '../../protocol/call.ts'
import { asFunctions, toCustomArguments } from '../../protocol/custom.ts'
import type { Note } from '../../protocol/event.ts'
import { type Message, textOf } from '../../protocol/message.ts'
import { readsText } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import { saysFailure } from '../../protocol/text/failure.ts'
import { isForced, type Tool } from '../../protocol/tool.ts'
import type { UpstreamRequest } from '../../upstreams/upstream.ts'
import { resultMarksOf } from '../answer/text/results.ts'
import { findStuck } from '../answer/watch/stuck.ts'
import { type TurnCache, toolsKey } from '../cache.ts'
import type { Approach } from '../plan.ts'
import { reduceTools } from '../schemas.ts'
import type { ModelSettings } from '../settings.ts'
import type { TurnContext } from '../turn.ts'
import { ownForms, sayFormat, withoutForms } from './force/format.ts'
import { createGuard, type Guard, guardMessages, openGuard } from './guard/guard.ts'
import { guardedMarksFor } from './guard/guarded-marks.ts'
import { fitMessages } from './history/fit.ts'
import { introducedLater, openingTexts, printHistory } from './history/history.ts'
import { joinContents, normalise } from './history/normalise.ts'
import { type Offer, offerTools } from './offer/offer.ts'
import { shortenTools } from './teach/shorten.ts'
import { printDirectives, remind, type Standing, teach } from './teach/teach.ts'

export interface Prepared {
  readonly request: UpstreamRequest
  readonly guard: Guard
  /** What was changed on the way. */
  readonly notes: readonly Note[]
  /** The words of the prompt that teach the tools it begins with. */
  readonly taught: string
}

/** Who asks, as far as the service is told. */
type Asker = Pick<TurnContext, 'clientKey' | 'requestId' | 'via'>

/** The request as this turn puts it to the upstream. */
export function prepare(given: Request, approach: Approach, { clientKey, requestId, via }: Asker = {}): Prepared {
  const { mode, settings, upstream, dialect } = approach
  const isSteered = settings.loop === 'steer' && mode !== 'none'
  const request = isSteered ? { ...given, messages: findStuck(given).messages } : given
  // One turn is one answer: a client who wants several gets as many turns.
  const {
    toolChoice,
    parallelCalls,
    hosted: _hosted,
    faults: _faults,
    notes: _notes,
    search: _search,
    ...rest
  } = request
  const shared = {
    ...rest,
    model: settings.model,
    ...(clientKey !== undefined && { clientKey }),
    ...(requestId !== undefined && { requestId }),
    ...(via !== undefined && { via }),
  }
  const notes = notesOf(request, approach)
  const offer = mode === 'none' ? withoutTools(request) : offerTools(request, settings, approach.cache)
  const { style, messages: conversation } = offer
  if (isTightened(offer, settings))
    notes.push({ type: 'note', kind: 'tools_tightened', detail: sayOffer(offer, request) })
  if (dialect === undefined) {
    const tools = reduceTools(shortened(offer, approach.cache), approach.reduced)
    const fitted = { ...shared, messages: fitMessages(conversation, settings.template), tools }
    const choice = {
      ...(toolChoice === undefined ? {} : { toolChoice }),
      ...(parallelCalls === undefined ? {} : { parallelCalls }),
    }
    return { request: mode === 'native' ? { ...fitted, ...choice } : fitted, guard: openGuard, notes, taught: '' }
  }
  const system = openingTexts(request.messages)
  if (!readsText(mode)) {
    const messages = normalise(system.join('\n\n'), printHistory(request, dialect, openGuard), settings.template)
    return { request: { ...shared, messages, tools: [] }, guard: openGuard, notes, taught: '' }
  }
  const { cache } = approach
  const key = toolsKey(dialect, request.tools)
  const marksFor = () => guardedMarksFor(dialect, request.tools, cache?.guarded)
  const guard = createGuard(cache?.guarded.recall(key, marksFor) ?? marksFor())
  const { prefill, constraint, words = '', mayThink = false, notes: told = [] } = approach.force ?? {}
  notes.push(...told)
  const isTemplate = mode === 'template'
  const early = withoutLate(offer.tools, conversation)
  const teachThem = () => teach(dialect, early, style)
  const taughtKey = early === request.tools && style === 'full' ? key : toolsKey(dialect, early, style)
  const taught = isTemplate ? '' : (cache?.taught.recall(taughtKey, teachThem) ?? teachThem())
  const onlyOne = parallelCalls === false && dialect.grammar.single !== true
  const directives = [printDirectives(toolChoice, onlyOne), words, sayFormat(request.responseFormat)]
  const said = [...system, taught, directives.filter((directive) => directive !== '').join(' ')].filter(
    (text) => text !== '',
  )
  const mayRemind = !isTemplate && upstream.toolsInWords !== true && dialect.teaching.isQuoted !== true
  const isReminded = settings.reminder === 'auto' ? mayRemind : settings.reminder === 'on'
  const messages = isTemplate
    ? fitMessages(guardMessages(conversation, said.slice(system.length), guard), settings.template)
    : normalise(
        guard.keep(said.join('\n\n')),
        printHistory({ messages: conversation, tools: request.tools }, dialect, guard, style),
        settings.template,
      )
  // A format for the whole answer would forbid calls, and figures about marks mean nothing to a client.
  const { responseFormat: _format, ...asked } = shared
  const { logprobs, topLogprobs: _topLogprobs, ...sampling } = shared.sampling
  const unsaid = ownForms(request)
  for (const detail of logprobs === true ? ['logprobs', ...unsaid] : unsaid) {
    notes.push({ type: 'note', kind: 'field_dropped', detail })
  }
  return {
    request: {
      ...asked,
      sampling,
      extra: withoutForms(request.extra),
      ...(isReminded && messages.length > 0
        ? withReminder(messages, remind(dialect, standingOf(request)))
        : { messages }),
      ...(isTemplate
        ? { tools: reduceTools(shortened(offer, approach.cache), approach.reduced), toolsByTemplate: true as const }
        : { tools: [] }),
      ...(approach.stopsAtResults === true && withResultStop(request, dialect)),
      origin: { request, print: (calls) => printCalls(dialect, calls.map(asPrinted), asFunctions(request.tools)) },
      ...(prefill === undefined ? {} : { prefill }),
      ...(constraint === undefined ? {} : { constraint }),
      // A thought before it would go on for as long as it likes.
      ...((prefill !== undefined || constraint !== undefined) &&
        isForced(toolChoice) &&
        !mayThink && { thinks: false as const }),
    },
    guard,
    notes,
    taught,
  }
}

/** The tools as a service gets them that tells them itself. */
function shortened({ tools, style }: Offer, cache: TurnCache | undefined): readonly Tool[] {
  const shorten = () => shortenTools(tools, style)
  return cache?.shortened.recall(`${style} ${JSON.stringify(tools)}`, shorten) ?? shorten()
}

const withoutTools = ({ messages }: Request): Offer => ({ tools: [], messages, style: 'full', isPart: false })

/** Not where the client itself left tools to a search. */
function isTightened({ isPart, style, tools }: Offer, { listing, toolsBudget }: ModelSettings): boolean {
  const asked = listing === 'auto' ? 'full' : listing
  return toolsBudget !== undefined && tools.length > 0 && (isPart || style !== asked)
}

function sayOffer({ tools, style }: Offer, { tools: all, search }: Request): string {
  const told = tools.filter(({ name }) => name !== search).length
  const count = all.filter(({ name }) => name !== search).length
  return `${told} of ${count} tools, ${style}`
}

/**
 * A model that would go on with a made-up result stops there. Not after a real one: the answer to it may stand between the same
 * marks, and would be lost; nor where the conversation speaks of the mark.
 */
function withResultStop(request: Request, dialect: Dialect): Pick<UpstreamRequest, 'stop'> {
  const { messages, stop = [] } = request
  const { head, stop: mark } = resultMarksOf(dialect)
  if (mark === undefined || messages.at(-1)?.role === 'tool') return {}
  const isSpoken = messages.some((message) => textOf(message.content).includes(head))
  return isSpoken ? {} : { stop: [...stop, mark] }
}

function asPrinted({ kind, ...call }: Call): PrintedCall {
  return kind === 'custom' ? { ...call, arguments: toCustomArguments(call.arguments) } : call
}

function standingOf({ messages, toolChoice }: Request): Standing {
  if (isForced(toolChoice)) return 'forced'
  const said = messages.filter(({ role }) => role !== 'system')
  const results = said.slice(said.findLastIndex(({ role }) => role !== 'tool') + 1)
  if (results.length === 0) return 'asked'
  return results.some(({ content }) => saysFailure(textOf(content))) ? 'failed' : 'told'
}

/** Those that the prompt begins with. The list itself where that is all of them: it is known again. */
function withoutLate(tools: readonly Tool[], messages: readonly Message[]): readonly Tool[] {
  const late = new Set(introducedLater(messages))
  if (late.size === 0) return tools
  const early = tools.filter(({ name }) => !late.has(name))
  return early.length === 0 ? tools : early
}

/** At the very end, so that all before it is the same with every request: what a server keeps of a prompt stays of use. */
function withReminder(messages: readonly Message[], reminder: string): Pick<UpstreamRequest, 'messages' | 'reminder'> {
  const last = messages.at(-1)
  if (last?.role !== 'user') return { messages }
  return { messages: [...messages.slice(0, -1), { ...last, content: joinContents(last.content, reminder) }], reminder }
}

/** So many of a list are told. */
const mostNamed = 20

function notesOf(
  { faults = [], hosted = [], notes: told = [] }: Request,
  { rung, isUntold, reduced }: Approach,
): Note[] {
  const notes: Note[] = [...told]
  if (reduced !== undefined && reduced.size > 0) {
    const detail = [...reduced].slice(0, mostNamed).map(([name, form]) => `${name} (${form})`)
    notes.push({ type: 'note', kind: 'schema_reduced', detail: detail.join(', ') })
  }
  if (isUntold === true) notes.push({ type: 'note', kind: 'template_untold' })
  if (hosted.length > 0) {
    const names = hosted.slice(0, mostNamed).map(({ name }) => name)
    notes.push({ type: 'note', kind: 'tool_dropped', detail: names.join(', ') })
  }
  if (faults.length > 0) {
    const detail = [...new Set(faults.map(({ code }) => code))].join(', ')
    notes.push({ type: 'note', kind: 'history_healed', detail })
  }
  if (rung !== undefined) notes.push({ type: 'note', kind: 'template_fallback', detail: rung })
  return notes
}
