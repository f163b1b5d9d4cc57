import { GatewayError } from '../errors.ts'
import type { Event } from '../protocol/event.ts'
import { toKey } from '../protocol/memory/memory.ts'
import { hasMedia } from '../protocol/message.ts'
import type { Request } from '../protocol/request.ts'
import { createClientWords } from '../protocol/text/client-words.ts'
import { BadGeneration, QuotedRefusal, SchemaRefusal, type Upstream } from '../upstreams/upstream.ts'
import { createAnswer } from './answer/answer.ts'
import { openAnswer } from './answer/opening.ts'
import { reread } from './answer/reread.ts'
import { rescued } from './answer/text/rescue.ts'
import { countPrompt, withUsage } from './answer/usage/usage.ts'
import { watchFormat } from './answer/watch/format.ts'
import { createForcing, createRefusals, refusalScope } from './forcing.ts'
import { type Asking, observed } from './observer.ts'
import { type Approach, type PlanParts, planTurn, readingText, toPlan } from './plan.ts'
import { preparationsOf } from './prompt/changes.ts'
import { schemaOf } from './prompt/force/format.ts'
import {
  isConstraintFailure,
  isQuotedTemplate,
  isTemplateFailure,
  isToolsFailure,
  rungsBelow,
} from './prompt/history/template.ts'
import { withSearch } from './prompt/offer/offer.ts'
import { type Prepared, prepare } from './prompt/prepare.ts'
import { mayPersist, persistTurn } from './repair/persist.ts'
import { type Asked, repairTurn } from './repair/repair.ts'
import { unlessStopped } from './repair/stopped.ts'
import { runTurn } from './run.ts'
import { createSchemaRefusals } from './schemas.ts'
import { searchTurn } from './search.ts'
import { toolsWarning } from './services/context.ts'
import type { Relay } from './services/relay.ts'
import { createTerms } from './services/terms.ts'
import type { ModelSettings } from './settings.ts'
import { createThread, type KeptThread, ownerOf } from './thread.ts'
import type { Turn, TurnContext } from './turn.ts'

export type Attempt = (
  request: Request,
  settings: ModelSettings,
  upstream: Upstream,
  context: TurnContext,
) => Promise<Turn>

/** How long a form that was refused is not tried again, at first; and tools that a failing template cost. */
const formForMs = 3_600_000
const promptForMs = 60_000

/**
 * One answer from one upstream. Where its template or its server refuses the form the request was put in, it is put in a
 * plainer one before anything was promised to the client; what worked is where the next request of that kind begins.
 */
export function createAttempt(
  parts: PlanParts,
  newId: () => string,
  report: Relay['report'],
  now: () => number,
): Attempt {
  const remembered = createTerms<string>(now)
  const refusals = createRefusals(now)
  const schemaRefusals = createSchemaRefusals(now)

  async function start(request: Request, planned: Approach, context: TurnContext): Promise<Turn> {
    const { cache } = parts
    const approach = { ...planned, cache }
    const { upstream, settings } = approach
    const { signal } = context
    const hasFormat = schemaOf(request.responseFormat) !== undefined
    const repaired = settings.repair > 0 && (approach.mode !== 'none' || hasFormat)

    function ask(request: Request, prepared: Prepared, asked: Prepared, thread?: KeptThread): Asked {
      const corrected = asked === prepared ? undefined : asked.request
      const observers = (context.observers ?? []).map((one) => one.ask(toAsking(approach), { request, corrected }))
      const question = {
        ...asked.request,
        owner: ownerOf(context),
        headers: Object.assign({}, ...observers.map(({ headers }) => headers)),
        ...(thread !== undefined && { thread }),
        ...(observers.length > 0 && {
          onSent: (body: string | Uint8Array) => observers.forEach((one) => one.sent?.(body)),
        }),
      }
      const chat = (abort: AbortSignal) => {
        const answered = upstream.chat(question, abort)
        const said = observers.length === 0 ? answered : observed(answered, observers)
        return approach.mode === 'native' ? rescued(said, request, approach, newId) : said
      }
      // Under repair, calls wait for the verdict anyway: it has to see what was read of a broken one.
      const read =
        settings.repair > 0 ? { ...approach, settings: { ...settings, arguments: 'stream' as const } } : approach
      const answer = createAnswer(request, read, asked, newId)
      const counted = { upstream, prepared: asked, answer, signal, isReported: context.usage, counts: cache.counts }
      const count = (last: readonly Event[]) => withUsage(last, counted)
      const events = runTurn({ chat, answer, signal, count, thread })
      return { prepared: asked, answer, events }
    }

    function answer(request: Request, prepared: Prepared, thread?: KeptThread): AsyncIterable<readonly Event[]> {
      const asking = { request, approach, signal }
      const once = (asked: Prepared) => ask(request, prepared, asked)
      const again = () => once({ ...prepared, request: { ...prepared.request, stop: request.stop ?? [] } }).events
      function whole(one: Asked): Asked {
        if (repaired) return { ...one, events: repairTurn(one, once, asking) }
        return one.answer.stopsAtResults ? { ...one, events: unlessStopped(one.events, again) } : one
      }
      const first = whole(ask(request, prepared, prepared, thread))
      return mayPersist(approach) ? persistTurn(first, (next) => whole(once(next)), asking) : first.events
    }

    const put = prepare(request, approach, context)
    const large = toolsWarning(put, parts.capabilityCache.contextOf(upstream.name, settings.model))
    const prepared = { ...put, notes: [...put.notes, ...large] }
    const events = searchTurn(
      answer(request, prepared, createThread(request, approach, context)),
      (searched) => answer(searched, prepare(searched, approach, context)),
      request,
      approach,
    )
    const watched = hasFormat ? watchFormat(events, request) : events
    const opened = await openAnswer(watched, context.whole === true, (failure) => {
      if (!signal.aborted) report(upstream, failure)
    })
    return {
      plan: toPlan(approach),
      preparations: () => preparationsOf(request, approach, prepared),
      promptTokens: () => countPrompt(prepared.request, cache.counts),
      events: opened,
    }
  }

  return async (asked, settings, upstream, context) => {
    const request = withSearch(asked, settings, parts.cache)
    const input = { parts, request, settings, upstream, context }
    const planned = await planTurn(input)
    // One client's conversations must not change the form of another's.
    const key = toKey(upstream.name, settings.model, planned.mode, context.client ?? '')
    const tools = context.overrides?.tools ?? settings.tools
    const mayPrompt = tools === 'template' || (tools === 'auto' && context.overrides?.tools === undefined)
    const climbDown = () => ladderOf(planned, mayPrompt, () => readingText('prompt', input))
    const learnt = remembered.known(key)
    // The plainer forms are made only once they are needed.
    let ladder: readonly Approach[] = learnt === undefined ? [planned] : await climbDown()
    const known = ladder.findIndex(({ rung }) => rung !== undefined && rung === learnt)
    let refusal: unknown
    /** All that was refused so far is the form of the messages. */
    let isForm = true
    let refusedTools = false
    const scope = () => refusalScope(upstream, settings.model, context.client)
    const forcing = createForcing(refusals, scope)
    const schemas = schemaRefusals.ladder(request.tools, scope())
    for (let place = Math.max(known, 0); place < ladder.length; ) {
      const rung = ladder[place]
      if (rung === undefined) break
      const hasTools = rung.mode === 'native' || rung.mode === 'template'
      if (hasTools && schemas.form === undefined && mayPrompt) {
        isForm = false
        ladder = await climbDown()
        place = placeOfPrompt(ladder, place)
        continue
      }
      const reduced = hasTools ? schemas.form : undefined
      const approach = { ...(await forcing.settle(rung)), ...(reduced !== undefined && { reduced }) }
      try {
        const turn = await start(request, approach, context)
        forcing.confirm(approach)
        schemas.confirm()
        // That tools were refused is remembered as a verdict, which ends some day; a bad generation is not the rule.
        if (isForm && approach.rung !== undefined) {
          remembered.learn(key, approach.rung, approach.mode === planned.mode ? formForMs : promptForMs)
        }
        // Only what another way of asking put right was about the tools.
        if (refusedTools && approach.mode === 'prompt')
          parts.capabilityCache.refuse(upstream, settings.model, context.client)
        return turn
      } catch (thrown) {
        if (context.signal.aborted) throw thrown
        if (approach.force?.constraint !== undefined && isConstraintFailure(thrown)) {
          forcing.refuse(approach)
          continue
        }
        if (hasTools && thrown instanceof SchemaRefusal && schemas.form !== undefined) {
          refusal ??= thrown
          schemas.refuse(thrown.message)
          if (schemas.form === undefined && !mayPrompt) throw refusal
          continue
        }
        refusedTools ||= approach.mode === 'native' && isToolsFailure(thrown)
        const inWords =
          hasTools && (isToolsFailure(thrown) || thrown instanceof QuotedRefusal || thrown instanceof BadGeneration)
        if (!inWords && !isTemplateFailure(thrown)) throw atClientsPlace(thrown, request)
        refusal ??= thrown
        if (ladder.length === 1) ladder = await climbDown()
        const said = { messages: request.messages, tools: request.tools }
        isForm &&= !inWords && !isQuotedTemplate(thrown, createClientWords(said))
        place = inWords ? placeOfPrompt(ladder, place) : place + 1
      }
    }
    throw refusal
  }
}

function toAsking(approach: Approach): Asking {
  // The means there were hold the request they were made for; the one that was taken does not.
  const { forces: _, ...taken } = approach
  const { rung } = taken
  return {
    plan: toPlan(taken),
    rung,
    look({ request, corrected }) {
      const prepared = prepare(request, taken)
      const put = corrected ?? prepared.request
      return {
        request: put,
        taught: prepared.taught,
        reread: (answer) => reread(request, taken, put.prefill ?? '', answer),
      }
    },
  }
}

/** A refusal of what is no text names the message as the service got it; the client knows it by its own place. */
function atClientsPlace(thrown: unknown, { messages }: Request): unknown {
  if (!(thrown instanceof GatewayError) || thrown.code !== 'unsupported_parameter') return thrown
  const place = messages.findIndex(hasMedia)
  if (place === -1 || !thrown.param?.endsWith('.content')) return thrown
  return new GatewayError(thrown.code, thrown.message, { param: `messages[${place}].content`, cause: thrown.cause })
}

function placeOfPrompt(ladder: readonly Approach[], after: number): number {
  const place = ladder.findIndex(({ mode }, index) => index > after && mode === 'prompt')
  return place === -1 ? ladder.length : place
}

/** The planned approach and those to fall back on, in order. */
async function ladderOf(planned: Approach, mayPrompt: boolean, prompt: () => Promise<Approach>): Promise<Approach[]> {
  const ladder = [planned, ...below(planned)]
  if (planned.mode === 'prompt' || planned.mode === 'none' || !mayPrompt) return ladder
  const taught = await prompt()
  return [...ladder, { ...taught, rung: 'prompt' }, ...below(taught)]
}

function below(approach: Approach): readonly Approach[] {
  return rungsBelow(approach).map(({ name, template }) => ({
    ...approach,
    settings: { ...approach.settings, template },
    rung: name,
  }))
}
