import type { Event, FinishReason, Usage } from '../../protocol/event.ts'
import { finishReason } from '../../protocol/finish.ts'
import { readsText } from '../../protocol/plan.ts'
import type { ProviderMetadata } from '../../protocol/provider-metadata.ts'
import type { Request } from '../../protocol/request.ts'
import type { Approach } from '../plan.ts'
import type { StopCut } from './text/stop.ts'
import type { IdleWatch } from './watch/idle.ts'

/** All that is known of an answer when its last words are read. */
interface Ending {
  readonly request: Request
  readonly mode: Approach['mode']
  /** Why it ended, as the service says. */
  readonly said: FinishReason
  /** And by what was read. */
  readonly read: FinishReason
  /** The names of the calls that are complete. */
  readonly calls: readonly string[]
  /** What looks whether it came to nothing, where the model was to do something and ended by itself. */
  readonly idle: IdleWatch | undefined
  /** Cut off after its last call had ended, it has lost nothing that anyone could miss. */
  readonly endsWithCall: boolean
  readonly stop: StopCut
  readonly isPrefillRepeated: boolean
  readonly metadata: ProviderMetadata | undefined
  /** As the service counts, where it does. */
  readonly usage: Usage | undefined
  estimate(): Usage
}

/** What is to be said of an answer as a whole. A finish is the very last. */
export function endingEvents(ending: Ending): readonly Event[] {
  const { mode, said, read, calls, stop, metadata, usage } = ending
  const events: Event[] = []
  if (stop.isCut) events.push({ type: 'note', kind: 'stop_cut' })
  if (ending.isPrefillRepeated) events.push({ type: 'note', kind: 'prefill_repeated' })
  const isCut = read === 'length' && !ending.endsWithCall
  if (mode === 'native' && (said === 'tool_calls') !== calls.length > 0 && !isCut) {
    events.push({ type: 'note', kind: 'finish_corrected', detail: said })
  }
  if (mode !== 'none' && !isChoiceMet(ending.request, calls)) events.push({ type: 'note', kind: 'tool_choice_unmet' })
  const idle = read === 'stop' || read === 'tool_calls' ? ending.idle?.note() : undefined
  if (idle !== undefined) events.push(idle)
  // It goes with native calls; a history in words has no place for it.
  if (metadata !== undefined && !readsText(mode)) events.push({ type: 'provider-metadata', fields: metadata })
  if (usage === undefined) events.push({ type: 'note', kind: 'usage_estimated' })
  events.push({ type: 'usage', ...(usage ?? ending.estimate()) })
  events.push({
    type: 'finish',
    reason: finishReason(read, calls.length, isCut),
    ...(stop.found !== undefined && { stop: stop.found }),
  })
  return events
}

/** Whether the calls that were made are what the client insisted on. */
function isChoiceMet({ toolChoice }: Request, made: readonly string[]): boolean {
  switch (toolChoice?.mode) {
    case 'required':
      return made.length > 0
    case 'named':
      return made.includes(toolChoice.name)
    case 'allowed':
      return !toolChoice.required || made.some((name) => toolChoice.names.includes(name))
    default:
      return true
  }
}
