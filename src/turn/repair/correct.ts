import type { Call } from '../../protocol/call.ts'
import { parseObject } from '../../protocol/json.ts'
import { inUsualOrder, type Message } from '../../protocol/message.ts'
import type { Approach } from '../plan.ts'
import type { Guard } from '../prompt/guard/guard.ts'
import { joinContents } from '../prompt/history/normalise.ts'
import type { Prepared } from '../prompt/prepare.ts'
import { remind } from '../prompt/teach/teach.ts'
import type { Verdict } from './judge.ts'

/** The question put again: the conversation, the answer it got, and what was wrong with it. */
export function correct(prepared: Prepared, said: string, verdict: Verdict, approach: Approach): Prepared {
  const { request, guard } = prepared
  const added =
    approach.mode === 'native' && verdict.calls.length > 0
      ? correctNative(said, verdict)
      : correctWords(said, verdict, guard, approach)
  return { ...prepared, request: { ...request, messages: append(request.messages, added) } }
}

/** What the model said is as it said it; what it is told of it was read from that, and is not. */
function correctWords(
  said: string,
  { problems, isFormat }: Verdict,
  guard: Guard,
  { mode, dialect }: Approach,
): readonly Message[] {
  const [fault, remedy] =
    isFormat === true
      ? ['does not have the form that was asked for', 'answer again, whole, as nothing but JSON of that form']
      : ['was not carried out', 'call again, correct and complete']
  const content = `Your answer ${fault}.\n${listOf(problems)}\n\nWrite the ${remedy}.`
  const isTaught = mode === 'prompt' && isFormat !== true && dialect !== undefined
  const how = isTaught ? `\n${remind(dialect, 'failed')}` : ''
  const correction: Message = { role: 'user', content: guard.keep(content) + how }
  return said.trim() === '' ? [correction] : [{ role: 'assistant', content: said }, correction]
}

/** Natively the answer to a call is its result. */
function correctNative(said: string, { calls, problems }: Verdict): readonly Message[] {
  const made = calls.map(({ id, name, arguments: json, metadata }): Call => {
    const call = { id, kind: 'function' as const, name, arguments: parseObject(json) !== undefined ? json : '{}' }
    return metadata === undefined ? call : { ...call, metadata }
  })
  const content = `Not carried out.\n${listOf(problems)}\n\nMake all calls of this answer again, correct and complete.`
  return [
    { role: 'assistant', content: inUsualOrder({ content: said, calls: made }) },
    ...made.map(({ id }): Message => ({ role: 'tool', callId: id, content })),
  ]
}

function listOf(problems: readonly string[]): string {
  return problems.map((problem) => `- ${problem}`).join('\n')
}

/** Two messages of one role in a row are more than some templates take. */
export function append(messages: readonly Message[], added: readonly Message[]): readonly Message[] {
  const last = messages.at(-1)
  const [first, ...rest] = added
  if (first?.role !== 'user' || last?.role !== 'user') return [...messages, ...added]
  return [...messages.slice(0, -1), { ...last, content: joinContents(last.content, first.content) }, ...rest]
}
