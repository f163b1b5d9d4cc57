import { GatewayError } from '../../errors.ts'
import type { Event, Note, Usage } from '../../protocol/event.ts'
import { inUsualOrder, type Message, textOf } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import { addUsage } from '../../protocol/usage.ts'
import type { Approach } from '../plan.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { remind } from '../prompt/teach/teach.ts'
import { append } from './correct.ts'
import { inventedWords } from './judge.ts'
import { type Asked, repairsNote } from './repair.ts'

interface Persist {
  readonly request: Request
  readonly approach: Approach
  readonly signal: AbortSignal
}

/** How often a model may be asked to go on. */
function timesToPersist({ settings: { persist } }: Approach): number {
  return persist === 'off' ? 0 : persist === 'auto' ? 1 : persist
}

/** Whether the end of an answer waits for that. */
export function mayPersist(approach: Approach): boolean {
  return approach.mode !== 'none' && (timesToPersist(approach) > 0 || approach.settings.loop === 'steer')
}

/**
 * An answer that comes to nothing is asked to go on before its end is told. What was said stays said, and what follows is
 * appended. Nothing but the end of an answer waits for that.
 */
export async function* persistTurn(
  first: Asked,
  ask: (prepared: Prepared) => Asked,
  { request, approach, signal }: Persist,
): AsyncGenerator<readonly Event[], void> {
  const { repair, persist, loop } = approach.settings
  const steers = loop === 'steer'
  // With `repair` that has been asked about already.
  let answer = yield* readToEnd(first, { isBehind: false, holdsInvented: repair === 0 && persist !== 'off', steers })
  let spent = answer.usage
  const notes: Note[] = []
  const times = Math.max(timesToPersist(approach), steers ? 1 : 0)
  for (let left = times; left > 0 && answer.idle !== undefined; left--) {
    const { hasSpoken } = answer
    try {
      const again = ask(goOn(answer, request, approach))
      answer = yield* readToEnd(again, { isBehind: hasSpoken, holdsInvented: false, steers })
      spent = addUsage(spent, answer.usage)
    } catch (thrown) {
      // The client knows nothing of this asking: the answer before it is what there is.
      if (signal.aborted || !(thrown instanceof GatewayError)) throw thrown
      notes.push({ type: 'note', kind: 'repair_refused', detail: thrown.message })
      break
    }
  }
  if (answer.asked !== first) {
    notes.push({ type: 'note', kind: answer.idle === undefined ? 'persisted' : 'persist_failed' })
    notes.push(repairsNote(spent, answer.usage))
  }
  const end = answer.end.map((event) => (event.type === 'usage' ? { type: event.type, ...spent } : event))
  yield [...answer.held, ...notes, ...end]
}

/** Why an answer came to nothing. */
type Idle = 'empty_answer' | 'announced_call' | 'invented_result' | 'loop_stopped'

/** A request of any length would drown the question. */
const mostRepeated = 2_000

/** Measured on a small model (docs/weak-models.md): it goes on where it is told again what it was asked, and else apologises. */
function followUpFor(idle: Idle, { messages }: Request): string {
  const asked = messages.findLast(({ role }) => role === 'user')
  const told = asked === undefined ? '' : `The request was: ${textOf(asked.content).slice(0, mostRepeated).trim()}`
  const hasResults = messages.at(-1)?.role === 'tool'
  const next = 'If the results above are enough, answer it in words. If not, make the next call.'
  switch (idle) {
    case 'announced_call':
      return `Make that call now. ${told}`
    case 'empty_answer':
      return `${told}\n${hasResults ? next : 'Make the call that it needs, or answer it in words.'}`
    case 'loop_stopped':
      return `That call was left out: it has brought the same result each time. ${told}\n${next}`
    case 'invented_result':
      return inventedWords
  }
}

/** The question put again: the answer as it was, and that it goes on. What was asked before stays as it is, byte for byte. */
function goOn({ asked, idle, words, thoughts }: ReadAnswer, client: Request, { dialect, mode }: Approach): Prepared {
  const { request, guard } = asked.prepared
  const followUp = guard.keep(followUpFor(idle ?? 'empty_answer', client))
  const how = mode === 'prompt' && dialect !== undefined ? `\n${remind(dialect, 'told')}` : ''
  const question: Message = { role: 'user', content: followUp + how }
  const isKept = idle === 'announced_call'
  const said = inUsualOrder({ content: words, ...(thoughts !== '' && { reasoning: thoughts }) })
  const added: readonly Message[] = isKept ? [{ role: 'assistant', content: said }, question] : [question]
  return {
    ...asked.prepared,
    request: { ...request, stop: client.stop ?? [], messages: append(request.messages, added) },
  }
}

/** One answer read to its end. */
interface ReadAnswer {
  readonly asked: Asked
  readonly idle: Idle | undefined
  readonly words: string
  readonly thoughts: string
  /** The client has got words, of this asking or of one before. */
  readonly hasSpoken: boolean
  /** Words that have not left. */
  readonly held: readonly Event[]
  /** The last events: figures and finish. */
  readonly end: readonly Event[]
  readonly usage: Usage
}

interface ReadOptions {
  /** Words have left before. Then those of this asking wait: with a call, they are talk about the question. */
  readonly isBehind: boolean
  /** What stands in a made-up result at the beginning waits: there may be an answer instead. */
  readonly holdsInvented: boolean
  /** A call that was left out because it brings nothing new is asked to be another one. */
  readonly steers: boolean
}

async function* readToEnd(
  asked: Asked,
  { isBehind, holdsInvented, steers }: ReadOptions,
): AsyncGenerator<readonly Event[], ReadAnswer> {
  const end: Event[] = []
  const heldWords: Event[] = []
  let idle: Idle | undefined
  let isHolding = isBehind
  let hasSpoken = isBehind
  let hasCalls = false
  let usage: Usage = { promptTokens: 0, completionTokens: 0 }
  let words = ''
  let thoughts = ''

  function passes(event: Event): boolean {
    switch (event.type) {
      case 'usage':
        usage = event
        end.push(event)
        return false
      case 'finish':
        end.push(event)
        return false
      case 'note':
        if (event.kind === 'loop_stopped' && steers) idle = event.kind
        if (event.kind === 'empty_answer' || event.kind === 'announced_call') idle = event.kind
        if (event.kind === 'invented_result' && holdsInvented && words.trim() === '' && !hasCalls) {
          idle = event.kind
          isHolding = true
        }
        return true
      case 'reasoning-delta':
        thoughts += event.text
        return true
      case 'call-start':
        hasCalls = true
        isHolding = false
        return true
      case 'text-delta':
        words += event.text
        if (isHolding) heldWords.push(event)
        else hasSpoken ||= event.text.trim() !== ''
        return !isHolding
      default:
        return true
    }
  }

  for await (const events of asked.events) {
    const live = events.filter(passes)
    if (live.length > 0) yield live
  }
  if (hasCalls) idle = undefined
  // What announces the same again has nothing to add.
  const isTold = !hasCalls && !(isBehind && idle !== undefined) && heldWords.length > 0
  const gap: readonly Event[] = isBehind ? [{ type: 'text-delta', text: '\n\n' }] : []
  return { asked, idle, words, thoughts, hasSpoken, held: isTold ? [...gap, ...heldWords] : [], end, usage }
}
