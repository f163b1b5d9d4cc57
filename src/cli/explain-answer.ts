import { dialects, findDialect } from '../dialects/registry.ts'
import type { readToolChoice } from '../doors/openai-chat/tools.ts'
import { createReader, type Reader } from '../engine/reader.ts'
import { fold } from '../protocol/fold.ts'
import type { Explanation, Stretch } from './explain-text.ts'
import type { Tools } from './explain-tools.ts'
import { Refusal } from './input.ts'

type Event = ReturnType<Reader['push']>[number]

/** What is to be explained: one answer, and the part of the request that decides how it is read. */
export interface Said {
  readonly text: string
  readonly tools: Tools
  /** Absent or `auto`: every dialect with unmistakable marks. */
  readonly dialect?: string | undefined
  readonly toolChoice?: ReturnType<typeof readToolChoice>
  readonly parallelCalls?: boolean | undefined
  readonly finishReason?: 'stop' | 'length' | 'content_filter' | undefined
  /** Feed it in pieces of this many characters, as a stream would. */
  readonly cut?: number | undefined
}

/** Takes an answer apart the way a turn does; without tools, or with none allowed, all of it is text. */
export function explainAnswer(said: Said): { readonly said: readonly Stretch[]; readonly explanation: Explanation } {
  const { text, tools, toolChoice, finishReason = 'stop' } = said
  if (tools.length === 0 || toolChoice?.mode === 'none') {
    const untouched = {
      content: text,
      reasoning: null,
      tool_calls: [],
      finish_reason: finishReason,
      dialect: null,
      notes: [],
    }
    return { said: [{ kind: 'text', text }], explanation: untouched }
  }
  const options = toReaderOptions(said)
  const reader = createReader(options)
  const events: Event[] = []
  for (const piece of piecesOf(text, said.cut)) events.push(...reader.push(piece))
  events.push(...reader.end(finishReason))
  const { content, reasoning, calls, finish, notes } = fold(events)
  const explanation = {
    content: content === '' && calls.length > 0 ? null : content,
    reasoning: reasoning === '' ? null : reasoning,
    tool_calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })),
    finish_reason: finish ?? null,
    dialect: reader.spoken ?? options.dialect?.name ?? null,
    notes: notes.map(({ type: _type, ...note }) => note),
  }
  return { said: toStretches(events), explanation }
}

function toReaderOptions({ tools, dialect, toolChoice, parallelCalls }: Said): Parameters<typeof createReader>[0] {
  const taught = dialect === undefined || dialect === 'auto' ? undefined : findDialect(dialect)
  if (taught === undefined && dialect !== undefined && dialect !== 'auto') {
    throw new Refusal(`There is no dialect "${dialect}". Known: ${dialects.map(({ name }) => name).join(', ')}.`)
  }
  const named = toolChoice?.mode === 'named' ? [toolChoice.name] : undefined
  const allowed = toolChoice?.mode === 'allowed' ? toolChoice.names : named
  let count = 0
  return {
    dialect: taught,
    others: dialects,
    tools: allowed === undefined ? tools : tools.filter(({ name }) => allowed.includes(name)),
    unknownTools: allowed === undefined ? 'auto' : 'text',
    parallel: parallelCalls,
    newId: () => `call_${++count}`,
  }
}

function* piecesOf(text: string, length = text.length): Generator<string> {
  for (let at = 0; at < text.length; at += length) yield text.slice(at, at + length)
}

/** The answer in the order it was said; a call stands where it began. */
function toStretches(events: readonly Event[]): readonly Stretch[] {
  const stretches: { kind: Stretch['kind']; text: string }[] = []
  const calls = new Map<number, { kind: Stretch['kind']; text: string }>()
  for (const event of events) {
    if (event.type === 'text-delta' || event.type === 'reasoning-delta') {
      const kind = event.type === 'text-delta' ? 'text' : 'reasoning'
      const last = stretches.at(-1)
      if (last?.kind === kind) last.text += event.text
      else stretches.push({ kind, text: event.text })
    } else if (event.type === 'call-start') {
      const call = { kind: 'call' as const, text: event.name }
      calls.set(event.index, call)
      stretches.push(call)
    } else if (event.type === 'call-error') {
      Object.assign(calls.get(event.index) ?? {}, { kind: 'broken call', text: event.raw })
    }
  }
  return stretches
}
