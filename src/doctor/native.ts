import type { Answer } from '../protocol/fold.ts'
import { askAsGateway, askWhole, type Outcome } from './ask.ts'
import type { Check, Finding } from './finding.ts'
import { type Part, type Served, sayFailure } from './part.ts'
import { repairsOf, sayRepairs } from './repairs.ts'
import { type Task, tasks } from './tasks.ts'

export interface NativeExam {
  readonly findings: readonly Finding[]
  /** One call, streamed, came as it should. */
  readonly works: boolean
  readonly parallel: boolean
  /** What had to be put right so that it did. */
  readonly repairs: readonly string[]
}

const none: Omit<NativeExam, 'findings'> = { works: false, parallel: false, repairs: [] }

/** The service's own tool calls, each kind tried for real. */
export async function examineNative(part: Part): Promise<NativeExam> {
  const { upstream, model, reach, settings, progress, signal } = part
  if (upstream.toolsInWords === true) {
    return { ...none, findings: [{ check: 'native', verdict: 'good', says: 'It has none: tools go into the prompt.' }] }
  }
  const remedy = upstream.about?.().toolsRemedy
  const ask = (name: string, task: Task) => {
    progress(`native tools: ${name}`)
    return askAsGateway(upstream, model, { ...settings, tools: 'native' }, task.request, signal)
  }
  const single = await ask('one call, streamed', tasks.single)
  const whole = reach === undefined ? undefined : await wholeCall(part, reach)
  if ('failure' in single) {
    return { ...none, findings: [refused(single.failure, remedy, settings), ...(whole === true ? [onlyWhole] : [])] }
  }
  const works = tasks.single.isDone(single.said.calls)
  if (!works) return { ...none, findings: [missed(single.said, whole, remedy, settings)] }
  const required = await ask('required', tasks.required)
  const named = await ask('one tool by name', tasks.named)
  const parallel = await ask('two calls at once', tasks.parallel)
  const repairs = repairsOf([single, required, named, parallel])
  const isParallel = isDone(parallel, tasks.parallel)
  return {
    works,
    parallel: isParallel,
    repairs,
    findings: [
      repairs.length === 0
        ? { check: 'native', verdict: 'good', says: 'Native tool calls work, streamed.' }
        : {
            check: 'native',
            verdict: 'warning',
            says: `Native tool calls work once Dragoman has put them right. ${sayRepairs(repairs)}`,
            fix: remedy ?? 'Update the model server. Until then, use it through Dragoman.',
          },
      ...(whole === undefined ? [] : [judgeWhole(whole)]),
      judge(
        'required',
        required,
        tasks.required,
        'It makes a call when one is required.',
        'It may make no call even when one is required.',
      ),
      judge(
        'named',
        named,
        tasks.named,
        'It calls the tool that the request names.',
        'It may not call the tool that the request names.',
      ),
      judge(
        'parallel',
        parallel,
        tasks.parallel,
        'It makes two calls in one answer.',
        'It makes only one call per answer, even when asked for two.',
      ),
    ],
  }
}

async function wholeCall({ model, progress, signal }: Part, reach: NonNullable<Part['reach']>): Promise<boolean> {
  progress('native tools: one call, not streamed')
  const outcome = await askWhole(reach, model, tasks.single.request, signal)
  return 'said' in outcome && tasks.single.isDone(outcome.said.calls.map((call) => ({ id: '', ...call })))
}

const onlyWhole: Finding = {
  check: 'whole',
  verdict: 'warning',
  says: 'Without streaming, native tool calls do work.',
  fix: 'Update the model server: its streaming is at fault.',
}

function judgeWhole(works: boolean): Finding {
  if (works) return { check: 'whole', verdict: 'good', says: 'Native tool calls work without streaming, too.' }
  return {
    check: 'whole',
    verdict: 'warning',
    says: 'Without streaming, no tool call came.',
    fix: 'Nothing to do for Dragoman, which always streams. Clients that use the server directly should stream, too.',
  }
}

function refused(failure: Error, remedy: string | undefined, { tools }: Served): Finding {
  return {
    check: 'native',
    verdict: tools === 'native' ? 'bad' : 'warning',
    says: `It refuses native tools: ${sayFailure(failure)}`,
    fix: `${remedy ?? 'Check whether the model server has to be told to take tools.'} Or leave it: Dragoman puts tools into the prompt.`,
  }
}

/** Nothing refuses, so the gateway would go on asking this way: that is worse than a refusal. */
function missed(
  { content, calls }: Answer,
  whole: boolean | undefined,
  remedy: string | undefined,
  { tools }: Served,
): Finding {
  const came = calls.length > 0 ? 'The call that came was not the one asked for.' : 'No call came'
  const instead = calls.length > 0 ? '' : content.trim() === '' ? ', and no words either.' : ', only words.'
  const lost = whole === true ? ' Without streaming it does come, so its streaming loses calls.' : ''
  return {
    check: 'native',
    verdict: tools === 'prompt' ? 'warning' : 'bad',
    says: `It takes native tools, but they don't work. ${came}${instead}${lost}`,
    fix: `${remedy ?? 'Update the model server.'} Or set \`tools: prompt\` for this model.`,
  }
}

function isDone(outcome: Outcome<Answer>, task: Task): boolean {
  return 'said' in outcome && task.isDone(outcome.said.calls)
}

function judge(check: Check, outcome: Outcome<Answer>, task: Task, good: string, poor: string): Finding {
  if (isDone(outcome, task)) return { check, verdict: 'good', says: good }
  const why = 'failure' in outcome ? ` ${sayFailure(outcome.failure)}` : ''
  const fix = check === 'parallel' ? 'Nothing to do: agents go on call by call.' : fixChoice
  return { check, verdict: 'warning', says: `${poor}${why}`, fix }
}

const fixChoice =
  'Leave `tools: auto`: Dragoman then makes sure of it by other means. If your agent insists on calls, set `repair: 1`.'
