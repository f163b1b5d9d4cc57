import { dialects, findDialect } from '../../dialects/registry.ts'
import { type readToolChoice, readTools } from '../../doors/openai-chat/request/tools.ts'
import { startOf } from '../../engine/answer/start.ts'
import { createReader, type Reader } from '../../engine/reader.ts'
import { fold } from '../../protocol/fold.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { callableTools } from '../../protocol/tool.ts'
import type { Span } from '../../protocol/trace/span.ts'
import { Trace } from '../../protocol/trace/trace.ts'
import { Refusal } from '../terminal/input.ts'
import type { Explanation, Step } from './text.ts'

/** What is to be explained: one answer, and the part of the request that decides how it is read. */
export interface ExplainRequest {
  readonly text: string
  readonly tools: Tools
  /** Absent or `auto`: every dialect with unmistakable marks. */
  readonly dialect?: string | undefined
  readonly toolChoice?: ReturnType<typeof readToolChoice>
  readonly parallelCalls?: boolean | undefined
  readonly finishReason?: 'stop' | 'length' | 'content_filter' | undefined
  /** Where it begins; absent: found out. */
  readonly startsIn?: 'text' | 'reasoning' | undefined
  readonly unknownTools?: 'auto' | 'call' | 'text' | undefined
  /** Calls that stand in the request: repeated, not made. */
  readonly quoted?: readonly { readonly name: string; readonly arguments: string }[] | undefined
  /** Feed it in pieces of this many characters, as a stream would. */
  readonly cut?: number | undefined
}

export interface Explained {
  readonly explanation: Explanation
  /** One step per push. */
  readonly steps: readonly Step[]
  /** What became of each part of the text, where that was asked for. */
  readonly spans: readonly Span[]
}

/**
 * Takes an answer apart the way a turn does: with no tools allowed, all of it is text. Without any tools it is text too,
 * unless the dialect is named: then its calls are shown, whatever they call.
 */
export function explainAnswer(said: ExplainRequest, isTraced = true): Explained {
  const { text, tools, toolChoice, finishReason = 'stop' } = said
  const isNamed = said.dialect !== undefined && said.dialect !== 'auto'
  if ((tools.length === 0 && !isNamed) || toolChoice?.mode === 'none') return leaveAsItIs(text, finishReason)
  const trace = isTraced ? new Trace() : undefined
  const options = toReaderOptions(said)
  const reader = createReader({ ...options, trace })
  const steps = toSteps(reader, piecesOf(text, said.cut), finishReason, trace)
  const { content, reasoning, calls, finish, notes } = fold(steps.flatMap(({ events }) => events))
  const explanation = {
    content: content === '' && calls.length > 0 ? null : content,
    reasoning: reasoning === '' ? null : reasoning,
    tool_calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })),
    finish_reason: finish ?? null,
    dialect: reader.spoken ?? options.dialect?.name ?? null,
    notes: notes.map(({ type: _type, ...note }) => note),
  }
  return { explanation, steps, spans: trace?.spans() ?? [] }
}

function leaveAsItIs(text: string, finish: 'stop' | 'length' | 'content_filter'): Explained {
  const explanation = {
    content: text,
    reasoning: null,
    tool_calls: [],
    finish_reason: finish,
    dialect: null,
    notes: [],
  }
  const events = [
    { type: 'text-delta', text },
    { type: 'finish', reason: finish },
  ] as const
  const spans = text === '' ? [] : [{ kind: 'text', from: 0, to: text.length } as const]
  return { explanation, steps: [{ given: text, events, held: '' }], spans }
}

function toReaderOptions({
  text,
  tools,
  dialect,
  toolChoice,
  parallelCalls,
  startsIn,
  unknownTools,
  quoted = [],
}: ExplainRequest): Parameters<typeof createReader>[0] {
  const taught = dialect === undefined || dialect === 'auto' ? undefined : findDialect(dialect)
  if (taught === undefined && dialect !== undefined && dialect !== 'auto') {
    throw new Refusal(`There is no dialect "${dialect}". Known: ${dialects.map(({ name }) => name).join(', ')}.`)
  }
  const isChosen = toolChoice?.mode === 'named' || toolChoice?.mode === 'allowed'
  let count = 0
  return {
    dialect: taught,
    others: dialects,
    startsIn: startsIn ?? startOf(text, taught),
    tools: callableTools({ tools, toolChoice }),
    unknownTools: unknownTools ?? (tools.length === 0 ? 'call' : isChosen ? 'text' : 'auto'),
    quoted: {
      mayHave: (called) => quoted.some(({ name }) => name === called),
      has: (called, json) => quoted.some((call) => call.name === called && call.arguments === json),
    },
    parallel: parallelCalls,
    newId: () => `call_${++count}`,
  }
}

function* piecesOf(text: string, length = text.length): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

/** Feeds a reader piece by piece; the last step is the end of the answer. Without a trace `held` is empty. */
function toSteps(
  reader: Reader,
  pieces: Iterable<string>,
  ending: Parameters<Reader['end']>[0],
  trace?: Trace,
): readonly Step[] {
  const steps: Step[] = []
  let said = ''
  let isOpen = false
  for (const given of pieces) {
    const events = reader.push(given)
    said += given
    const last = events.findLast(({ type }) => type.startsWith('call-'))
    if (last !== undefined) isOpen = last.type === 'call-start' || last.type === 'call-delta'
    const held = isOpen || reader.done || trace === undefined ? '' : said.slice(trace.settled)
    steps.push({ given, events, held })
  }
  return [...steps, { given: '', events: reader.end(ending), held: '' }]
}

export type Tools = ReturnType<typeof readTools>

/**
 * Tools as people have them at hand: OpenAI's array, a request that holds one, or bare functions. They are read by the
 * rules of the gateway's own door, which throws what a client would be told.
 */
export function toTools(value: unknown): Tools {
  const list = isJsonObject(value) ? (value['tools'] ?? value['functions'] ?? [value]) : (value ?? [])
  const tools: unknown = Array.isArray(list) ? withoutCopies(list.map(toOpenAiTool)) : list
  return readTools({ tools } as Parameters<typeof readTools>[0], Number.MAX_SAFE_INTEGER)
}

/** A tool that is given twice, word for word, is one. */
function withoutCopies(list: readonly unknown[]): readonly unknown[] {
  return [...new Map(list.map((tool) => [JSON.stringify(tool), tool])).values()]
}

function toOpenAiTool(value: unknown): unknown {
  if (!isJsonObject(value) || isJsonObject(value['custom'])) return value
  if (isJsonObject(value['function'])) return { type: 'function', ...value }
  if (typeof value['name'] !== 'string') return value
  const { type: _type, ...bare } = value
  return { type: 'function', function: bare }
}
