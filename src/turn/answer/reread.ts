import { dialects } from '../../dialects/registry.ts'
import { createReader, type ReaderOptions } from '../../engine/reader.ts'
import { asFunction } from '../../protocol/custom.ts'
import { fold } from '../../protocol/fold.ts'
import { readsText } from '../../protocol/plan.ts'
import type { Request } from '../../protocol/request.ts'
import { callableTools } from '../../protocol/tool.ts'
import type { Span } from '../../protocol/trace/span.ts'
import { Trace } from '../../protocol/trace/trace.ts'
import type { RawAnswer, Recipe, Reread } from '../observer.ts'
import type { Approach } from '../plan.ts'
import { createQuotedCalls } from './quoted/quoted.ts'
import { createPrefill } from './text/prefill.ts'
import { readerOptions } from './text/reader.ts'
import { leakOptions, ownDialectOf } from './text/rescue.ts'

/**
 * An answer read once more, the way its turn read it, with what became of each part of it. The first reading is not
 * traced: that would cost more than reading it again, which is rarely needed.
 */
export function reread(request: Request, approach: Approach, prefill: string, answer: RawAnswer): Reread {
  const { text, calledAt = text.length } = answer
  if (approach.mode === 'none') return { spans: asWords(0, text.length) }
  if (readsText(approach.mode)) return readAgain(request, approach, withPrefill(prefill, text), answer)
  const { spans, recipe } = readAgain(request, approach, { text: text.slice(0, calledAt), added: 0 }, answer)
  if (answer.calledAt === undefined) return { spans, ...(recipe && { recipe }) }
  const later = {
    text: text.slice(calledAt),
    added: 0,
    follows: { hasSpoken: calledAt > 0 },
  } as const
  const { spans: after } = readAgain(request, approach, later, answer)
  // Native calls are counted with them, so their own numbers mean nothing.
  const all = [...spans, ...after.map((span) => ({ ...span, from: span.from + calledAt, to: span.to + calledAt }))]
  return { spans: all.map(({ index: _, ...span }) => span) }
}

function asWords(from: number, to: number): readonly Span[] {
  return from === to ? [] : [{ kind: 'text', from, to }]
}

interface Whole {
  readonly text: string
  /** How much of it the model did not say. */
  readonly added: number
  readonly follows?: ReaderOptions['follows']
}

function withPrefill(given: string, text: string): Whole {
  const prefill = createPrefill(given)
  const whole = prefill.push(text) + prefill.end()
  return { text: whole, added: whole.length - text.length }
}

function readAgain(request: Request, approach: Approach, whole: Whole, { ending, calledAt }: RawAnswer): Reread {
  const { text, added, follows } = whole
  const tools = callableTools(request).map(asFunction)
  const quoted: Recipe['quoted'][number][] = []
  const known = createQuotedCalls(request, tools)
  const options: ReaderOptions = {
    ...(readsText(approach.mode)
      ? readerOptions(request, approach)
      : leakOptions(request, ownDialectOf(approach.settings), follows)),
    others: dialects,
    tools,
    quoted: {
      mayHave: (name) => known.mayHave(name),
      has(name, json) {
        const isQuoted = known.has(name, json)
        if (isQuoted) quoted.push({ name, arguments: json })
        return isQuoted
      },
    },
    newId: () => 'call',
  }
  const isBefore = calledAt !== undefined && follows === undefined
  const trace = new Trace()
  const reader = createReader({ ...options, trace })
  const { content, reasoning, calls, finish } = fold([
    ...reader.push(text),
    ...reader.end(isBefore ? 'called' : ending),
  ])
  return {
    spans: trace.spans().flatMap((span) => shifted(span, added)),
    recipe: {
      text,
      tools,
      dialect: options.dialect?.name,
      parallel: options.parallel,
      startsIn: options.startsIn ?? 'text',
      unknownTools: options.unknownTools ?? 'auto',
      ending,
      quoted,
      content,
      reasoning,
      calls: calls.map((call) => ({ name: call.name, arguments: call.arguments })),
      finish,
    },
  }
}

/** Without what the model did not say. */
function shifted(span: Span, by: number): readonly Span[] {
  if (by === 0) return [span]
  const from = Math.max(0, span.from - by)
  const to = span.to - by
  return to > from ? [{ ...span, from, to }] : []
}
