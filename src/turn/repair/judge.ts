import { hasFaintMarks, hasNameMarks, type Wrapper } from '../../dialects/dialect.ts'
import { openerOf, printTemplate } from '../../engine/marks/template.ts'
import type { Event } from '../../protocol/event.ts'
import { type Answer as Folded, type FoldedCall, fold } from '../../protocol/fold.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { readsText } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import { nearest } from '../../protocol/text/nearest.ts'
import { callableTools, isForced, type Tool } from '../../protocol/tool.ts'
import { checkArguments } from '../../schema/check.ts'
import { compileParameters } from '../../schema/compile.ts'
import type { Answer } from '../answer/answer.ts'
import { formatProblems } from '../answer/watch/format.ts'
import { createInputChecks } from '../inputs/checks.ts'
import type { Approach } from '../plan.ts'

/** What is wrong with an answer, worded for the model that gave it. */
export interface Verdict {
  readonly problems: readonly string[]
  readonly calls: readonly FoldedCall[]
  /** It is the response format that is not met, not a call. */
  readonly isFormat?: boolean
  /** It begins with a result that the model made up: asking for another answer more than once does not help. */
  readonly isInvented?: boolean
}

const listedTools = 40
const shownLength = 200

/** An answer that was cut short has no problem that asking again would solve. */
export function judge(events: readonly Event[], answer: Answer, request: Request, approach: Approach): Verdict {
  const folded = fold(events)
  const { calls, finish, notes } = folded
  const isStopped = notes.some(({ kind }) => kind === 'loop_stopped')
  if (finish === 'length' || finish === 'content_filter' || isStopped) return { problems: [], calls }
  if (calls.length === 0 && beginsWithResult(folded, answer))
    return { problems: [inventedWords], calls, isInvented: true }
  const problems = calls.flatMap((call) => judgeCall(call, request))
  for (const event of events) {
    if (event.type === 'call-error') problems.push(brokenWords(event.raw))
    if (event.type === 'note' && event.kind === 'call_unfinished') problems.push(brokenWords(''))
  }
  const isUnmet = isForced(request.toolChoice) && !calls.some(({ name }) => isWanted(name, request))
  if (problems.length === 0 && calls.length === 0 && !leavesOthersAsText(request)) {
    const unknown = unknownName(answer.said, request)
    const broken = findBroken(answer.said, approach)
    if (unknown !== undefined) problems.push(unknownWords(unknown, callableTools(request)))
    else if (broken !== undefined) problems.push(brokenWords(broken))
  }
  if (problems.length === 0 && isUnmet) problems.push(missingWords(request))
  if (problems.length > 0) return { problems, calls }
  return { problems: formatProblems(folded, request).map(({ message }) => message), calls, isFormat: true }
}

export const inventedWords =
  'It began with a tool result, and nothing was called: results are given to you. Call a tool, or answer in words.'

/** A service that stops there leaves nothing. */
function beginsWithResult({ notes, content }: Folded, { said, stopsAtResults }: Answer): boolean {
  return notes.some(({ kind }) => kind === 'invented_result') || (stopsAtResults && said + content === '')
}

function judgeCall({ name, arguments: json }: FoldedCall, request: Request): string[] {
  const tools = callableTools(request)
  const tool = tools.find((one) => one.name === name)
  if (tool === undefined) return [unknownWords(name, tools)]
  if (tool.kind === 'custom') {
    const faults = createInputChecks(request).of(name)?.faults(json) ?? []
    return faults.map((fault) => `The text of ${name} ${fault}`)
  }
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch {
    return [`The arguments of ${name} are not valid JSON: ${json.slice(0, shownLength)}`]
  }
  if (!isJsonObject(value)) return [`The arguments of ${name} must be a JSON object.`]
  const wrong = checkArguments(compileParameters(tool.parameters), value)
  return wrong.length === 0
    ? []
    : [`The arguments of ${name} are wrong: ${wrong.map(({ message }) => message).join('; ')}.`]
}

function unknownWords(name: string, tools: readonly Tool[]): string {
  const names = tools.map((tool) => tool.name)
  const meant = nearest(name, names)
  const guess = meant === undefined ? '' : ` Did you mean ${meant}?`
  return `There is no tool called ${name}.${guess} The tools are: ${names.slice(0, listedTools).join(', ')}.`
}

const jsonCall = /"name"\s*:\s*"([\w.-]{1,64})"\s*,\s*"(?:arguments|parameters)"\s*:/
const jsonEnd = /[}\]]\s*(?:```|<\/\w+>)?\s*$/

/** The name in a call that an answer ends with, and that stayed text because no tool has it. */
function unknownName(said: string, request: Request): string | undefined {
  if (!jsonEnd.test(said.slice(-40))) return undefined
  const name = jsonCall.exec(said)?.[1]
  return name === undefined || request.tools.some((tool) => tool.name === name) ? undefined : name
}

/** Where the client names the tools that count, a sound call of another one stands in the text. */
function leavesOthersAsText({ toolChoice }: Request): boolean {
  return toolChoice?.mode === 'named' || toolChoice?.mode === 'allowed'
}

function isWanted(name: string, request: Request): boolean {
  return callableTools(request).some((tool) => tool.name === name)
}

function missingWords(request: Request): string {
  const names = callableTools(request)
    .slice(0, listedTools)
    .map(({ name }) => name)
  return names.length === 1
    ? `The answer must call the tool ${names[0]}.`
    : `The answer must call one of these tools: ${names.join(', ')}.`
}

function brokenWords(raw: string): string {
  const shown = raw.trim().slice(0, shownLength)
  return `A call could not be read${shown === '' ? '' : `: ${shown}`}. It must be complete, with valid arguments.`
}

/** The place where a call was begun and came to nothing: its mark stands in the text as text. */
function findBroken(said: string, { mode, dialect }: Approach): string | undefined {
  if (!readsText(mode) || dialect === undefined || hasFaintMarks(dialect.grammar)) return undefined
  const { section, call } = dialect.grammar
  if (hasNameMarks(dialect.grammar)) return undefined
  const marks = [section, call].flatMap(
    (wrapper: Wrapper | undefined) => wrapper?.open.map((open) => openerOf(printTemplate(open, {}))) ?? [],
  )
  const places = marks.filter((mark) => mark.length > 2).map((mark) => said.indexOf(mark))
  const found = places.filter((place) => place !== -1)
  return found.length === 0 ? undefined : said.slice(Math.min(...found))
}
