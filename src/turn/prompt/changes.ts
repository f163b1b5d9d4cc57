import { callsOf } from '../../protocol/message.ts'
import { readsText } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import type { Preparation } from '../../protocol/trace/change.ts'
import type { Approach } from '../plan.ts'
import type { Prepared } from './prepare.ts'

/** What became of a request on its way to the service, in the order it was done. Counts only: never what was said. */
export function preparationsOf(request: Request, approach: Approach, prepared: Prepared): readonly Preparation[] {
  const { mode, dialect, settings } = approach
  const { messages, toolChoice, search } = request
  const tools = request.tools.filter(({ name }) => name !== search)
  const done: Preparation[] = []
  const words = dialect?.name ?? ''
  if (mode === 'native' || mode === 'template')
    done.push({ kind: 'tools_offered', detail: counted(tools.length, 'tool') })
  if (mode === 'prompt') done.push({ kind: 'tools_taught', detail: `${counted(tools.length, 'tool')} as ${words}` })
  if (readsText(approach.mode) && toolChoice !== undefined && toolChoice.mode !== 'auto') {
    done.push({ kind: 'choice_told', detail: toolChoice.mode })
  }
  let calls = 0
  let results = 0
  for (const message of messages) {
    if (message.role === 'assistant') calls += callsOf(message).length
    else if (message.role === 'tool') results += 1
  }
  if (dialect !== undefined && mode !== 'template' && calls + results > 0) {
    const told = `${counted(calls, 'call')} and ${counted(results, 'result')}`
    done.push({ kind: 'history_told', detail: `${told} as ${words}` })
  }
  if (prepared.guard.isChanged) done.push({ kind: 'text_guarded' })
  const hasSystem = mode === 'prompt' || messages.some(({ role }) => role === 'system')
  if (hasSystem && !settings.template.system) done.push({ kind: 'system_folded' })
  if (prepared.request.constraint !== undefined) {
    done.push({ kind: 'answer_constrained', detail: prepared.request.constraint.kind })
  }
  if (prepared.request.prefill !== undefined) done.push({ kind: 'answer_begun' })
  return done
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
