import { type Dialect, hasFaintMarks } from '../../../dialects/dialect.ts'
import { printCalls, printResults } from '../../../engine/print.ts'
import type { Call } from '../../../protocol/call.ts'
import { asFunctions, toCustomArguments } from '../../../protocol/custom.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import type { AssistantMessage, Content, Message, Part, Spoken, ToolMessage } from '../../../protocol/message.ts'
import { callsOf, textOf, thoughtsOf } from '../../../protocol/message.ts'
import type { Request } from '../../../protocol/request.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { type Guard, mapText } from '../guard/guard.ts'
import type { ListingStyle } from '../teach/shorten.ts'
import { listTools } from '../teach/teach.ts'
import { joinContents, type PromptMessage } from './normalise.ts'

/**
 * What a model is told before it first answers: that goes to the beginning. Instructions that come later stand where they
 * came, so that all before them is the same as in the request before and what a server keeps of a prompt stays of use.
 */
export function openingTexts(messages: readonly Message[]): readonly string[] {
  const answered = messages.findIndex(({ role }) => role === 'assistant')
  const before = answered === -1 ? messages : messages.slice(0, answered)
  return before.flatMap(({ role, content }) => {
    const text = role === 'system' ? textOf(content) : ''
    return text === '' ? [] : [text]
  })
}

/** The names of tools that became available after the first answer: they are declared where that happened. */
export function introducedLater(messages: readonly Message[]): readonly string[] {
  const answered = messages.findIndex(({ role }) => role === 'assistant')
  if (answered === -1) return []
  return messages.slice(answered).flatMap((message) => (message.role === 'assistant' ? [] : (message.introduces ?? [])))
}

/** Instructions on the way, in words that any template takes. */
export function printInstructions(text: string): string {
  return `(From the system, not from the user:)\n${text}`
}

/** Told for a tool that answered nothing: an empty block reads like a result that went missing. */
const emptyResult = '(no output)'

/**
 * A conversation with tools as one without: calls become the assistant's own words in the dialect, each where it was made;
 * results become words of the user. Results of one turn are told in the order of their calls, whatever order they came in,
 * because several dialects tell a model only the tool's name and the order is all it has to tell two results of one tool
 * apart.
 *
 * The guard is for what was said; what is printed around it has real marks.
 */
export function printHistory(
  { messages, tools }: Pick<Request, 'messages' | 'tools'>,
  dialect: Dialect,
  guard: Guard,
  style: ListingStyle = 'full',
): readonly PromptMessage[] {
  const told: PromptMessage[] = []
  const calls = new Map<string, Placed>()
  const functions = asFunctions(tools)
  let place = 0
  let isAnswered = false
  let results: ToolMessage[] = []
  const late = new Set(introducedLater(messages))

  /** The declarations of tools that the prompt did not begin with, where they come. */
  function printTools(names: readonly string[]): void {
    const tools = functions.filter(({ name }) => names.includes(name) && late.delete(name))
    if (tools.length > 0)
      told.push({ role: 'user', content: `(These can be called, too.)\n${listTools(dialect, tools, style)}` })
  }

  function printResults(): void {
    if (results.length === 0) return
    told.push({ role: 'user', content: toResultContent(results, calls, dialect, guard) })
    printTools(results.flatMap(({ introduces = [] }) => introduces))
    results = []
  }

  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    printResults()
    if (message.role === 'assistant') {
      isAnswered = true
      told.push(printAssistant(message, { dialect, tools: functions, place, guard }))
      // Ids are often reused from one turn to the next: the latest call by an id is the one being answered.
      for (const { id, name } of callsOf(message)) calls.set(id, { name, place: place++ })
    } else if (message.role === 'user') {
      const { introduces = [], ...said } = message
      told.push({ ...said, content: mapText(message.content, guard.neutralise) })
      if (isAnswered) printTools(introduces)
    } else if (isAnswered) {
      const text = textOf(message.content)
      if (text !== '') told.push({ role: 'user', content: guard.keep(printInstructions(text)) })
      printTools(message.introduces ?? [])
    }
  }
  printResults()
  return told
}

interface Placed {
  readonly name: string
  /** Among all calls of the conversation: some dialects write it as the id of the call and of its result. */
  readonly place: number
}

interface HistoryOptions {
  readonly dialect: Dialect
  readonly tools: readonly Tool[]
  /** How many calls were made before. */
  readonly place: number
  readonly guard: Guard
}

/** What the assistant said before, as it said it; calls with nothing between them are printed together. */
function printAssistant(message: AssistantMessage, options: HistoryOptions): PromptMessage {
  const { content, ...rest } = message
  const { dialect, tools, guard } = options
  if (typeof content === 'string') return { ...rest, content: guard.keep(content) }
  let { place } = options
  const told = runsOf(hasFaintMarks(dialect.grammar) ? callsLast(content) : content).map((run): Content => {
    if (run.calls.length === 0) return mapText(run.words, guard.keep)
    const printed = printCalls(
      dialect,
      run.calls.map((call) => toPrintable(call, guard)),
      tools,
      place,
    )
    place += run.calls.length
    return printed
  })
  const thoughts = thoughtsOf(message)
  const [first = '', ...others] = told
  return {
    ...rest,
    content: others.reduce(joinContents, first),
    ...(thoughts === undefined ? {} : { reasoning: guard.keep(thoughts) }),
  }
}

interface Run {
  readonly words: Part[]
  readonly calls: Call[]
}

/** Words and calls by turns. */
function runsOf(content: readonly Spoken[]): readonly Run[] {
  const runs: Run[] = []
  for (const part of content) {
    if (part.type === 'thought' || (part.type === 'text' && part.text === '')) continue
    const last = runs.at(-1)
    const isCall = part.type === 'call'
    const goesOn = last !== undefined && isCall === last.calls.length > 0
    const run = goesOn ? last : { words: [], calls: [] }
    if (!goesOn) runs.push(run)
    if (isCall) run.calls.push(part.call)
    else run.words.push(part)
  }
  return runs
}

/** In marks that are ordinary text, a call with words on both sides only shows how one looks. */
function callsLast(content: readonly Spoken[]): readonly Spoken[] {
  return [...content.filter(({ type }) => type !== 'call'), ...content.filter(({ type }) => type === 'call')]
}

function toPrintable(
  { id, kind, name, arguments: given }: Call,
  guard: Guard,
): { id: string; name: string; arguments: string } {
  const text = kind === 'custom' ? toCustomArguments(guard.keep(given)) : toObjectText(guard.keepJson(given))
  return { id, name, arguments: text }
}

/** Arguments a dialect can print. What is no object, as an aborted answer leaves behind, is shown to the model as it was. */
function toObjectText(given: string): string {
  if (given.trim() === '') return '{}'
  try {
    if (isJsonObject(JSON.parse(given))) return given
  } catch {
    // Not JSON at all: shown below.
  }
  return JSON.stringify({ arguments: given })
}

function toResultContent(
  results: readonly ToolMessage[],
  calls: ReadonlyMap<string, Placed>,
  dialect: Dialect,
  guard: Guard,
): Content {
  const placeOf = ({ callId }: ToolMessage) => calls.get(callId)?.place ?? Number.MAX_SAFE_INTEGER
  const ordered = results.toSorted((a, b) => placeOf(a) - placeOf(b))
  const printed = printResults(
    dialect,
    ordered.map(({ callId, name, content }) => {
      const text = textOf(content)
      const call = calls.get(callId)
      return {
        id: callId,
        name: call?.name ?? name ?? 'tool',
        content: text === '' ? emptyResult : guard.neutralise(text),
        ...(call !== undefined && { ordinal: call.place }),
      }
    }),
  )
  const shown = ordered.flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.filter((part) => part.type !== 'text'),
  )
  return shown.length === 0 ? printed : [{ type: 'text', text: printed }, ...shown]
}
