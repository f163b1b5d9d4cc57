import type { Dialect } from '../../dialects/dialect.ts'
import { printCalls, printResults } from '../../engine/print.ts'
import type { Call } from '../../protocol/call.ts'
import { asFunction, toCustomArguments } from '../../protocol/custom.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { AssistantMessage, Content, ToolMessage, UserMessage } from '../../protocol/message.ts'
import { textOf } from '../../protocol/message.ts'
import type { Request } from '../../protocol/request.ts'
import type { Tool } from '../../protocol/tool.ts'
import type { Guard } from './guard.ts'

type Spoken = UserMessage | AssistantMessage

/** Told for a tool that answered nothing: an empty block reads like a result that went missing. */
const emptyResult = '(no output)'

/** Between what the assistant said and the calls it made after it. */
const beforeCalls = '\n\n'

/**
 * A conversation with tools as one without: calls become the assistant's own words in the dialect, results become words of
 * the user. Results of one turn are told in the order of their calls, whatever order they came in, because several
 * dialects tell a model only the tool's name and the order is all it has to tell two results of one tool apart.
 *
 * The guard is for what was said; what is printed around it has real marks.
 */
export function tellHistory(
  { messages, tools }: Pick<Request, 'messages' | 'tools'>,
  dialect: Dialect,
  guard: Guard,
): readonly Spoken[] {
  const told: Spoken[] = []
  const functions = tools.map(asFunction)
  const calls = new Map<string, Placed>()
  let place = 0
  let results: ToolMessage[] = []

  function tellResults(): void {
    if (results.length === 0) return
    told.push({ role: 'user', content: toResultContent(results, calls, dialect, guard) })
    results = []
  }

  for (const message of messages) {
    if (message.role === 'tool') {
      results.push(message)
      continue
    }
    tellResults()
    if (message.role === 'assistant') {
      told.push(tellCalls(keepWords(message, guard), dialect, functions, place))
      // Ids are often reused from one turn to the next: the latest call by an id is the one being answered.
      for (const { id, name } of message.calls) calls.set(id, { name, place: place++ })
    } else if (message.role === 'user') {
      told.push({ ...message, content: mapText(message.content, guard.neutralise) })
    }
  }
  tellResults()
  return told
}

interface Placed {
  readonly name: string
  /** Among all calls of the conversation: some dialects write it as the id of the call and of its result. */
  readonly place: number
}

function tellCalls(
  message: AssistantMessage,
  dialect: Dialect,
  tools: readonly Tool[],
  place: number,
): AssistantMessage {
  if (message.calls.length === 0) return message
  const printed = printCalls(dialect, message.calls.map(toPrintable), tools, place)
  const said = textOf(message.content)
  return { ...message, content: said === '' ? printed : said + beforeCalls + printed, calls: [] }
}

function toPrintable({ id, kind, name, arguments: given }: Call): { id: string; name: string; arguments: string } {
  return { id, name, arguments: kind === 'custom' ? toCustomArguments(given) : toObjectText(given) }
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

/** What the assistant said before, its calls included, as it said it. */
function keepWords(message: AssistantMessage, guard: Guard): AssistantMessage {
  const calls = message.calls.map((call) => ({
    ...call,
    arguments: call.kind === 'custom' ? guard.keep(call.arguments) : guard.keepJson(call.arguments),
  }))
  const { reasoning, keepsake: _, ...rest } = message
  return {
    ...rest,
    content: mapText(message.content, guard.keep),
    calls,
    ...(reasoning === undefined ? {} : { reasoning: guard.keep(reasoning) }),
  }
}

function mapText(content: Content, change: (text: string) => string): Content {
  if (typeof content === 'string') return change(content)
  return content.map((part) => (part.type === 'text' ? { ...part, text: change(part.text) } : part))
}
