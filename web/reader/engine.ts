import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { startOf } from '../../src/engine/answer/start.ts'
import { createLeanReader } from '../../src/engine/lean-reader.ts'
import * as parts from '../../src/engine/parts.ts'
import { printCalls } from '../../src/engine/print.ts'
import type { Event } from '../../src/protocol/event.ts'
import { type Answer, fold } from '../../src/protocol/fold.ts'
import type { Tool } from '../../src/protocol/tool.ts'
import type { Span } from '../../src/protocol/trace/span.ts'
import { Trace } from '../../src/protocol/trace/trace.ts'

/* The gateway's own reader, in the page, without what only makes it faster. It is fetched when the reader is opened. */

export const dialectNames: readonly string[] = dialects.map(({ name }) => name)

export interface Reading {
  readonly text: string
  readonly tools: readonly Tool[]
  /** `auto`: every dialect with unmistakable marks. */
  readonly dialect: string
  readonly finish: 'stop' | 'length'
  /** Characters a push; 0: all at once. */
  readonly cut: number
  /** Calls that stand in the request: repeated, not made. */
  readonly quoted?: readonly { readonly name: string; readonly arguments: string }[]
}

export interface Step {
  readonly given: string
  readonly events: readonly Event[]
}

/** How things stand after some of the pushes. */
export interface Standing {
  /** What has gone in. */
  readonly text: string
  readonly spans: readonly Span[]
  /** From here on nothing is certain yet, or a call is being read. */
  readonly certain: number
  readonly tail: 'held' | 'call' | undefined
  readonly answer: Answer
  readonly steps: readonly Step[]
  readonly spoken: string | undefined
}

export function pushesOf({ text, cut }: Pick<Reading, 'text' | 'cut'>): number {
  return cut === 0 ? Math.min(1, text.length) : Math.ceil(text.length / cut)
}

/** Reads the first so many pushes. After the last of them, one more is the end of the answer. */
export function read(reading: Reading, pushes: number): Standing {
  const { text, tools, dialect, cut, finish, quoted = [] } = reading
  const taught = findDialect(dialect)
  const trace = new Trace()
  let count = 0
  const known = new Set(quoted.map((call) => `${call.name} ${canonical(call.arguments)}`))
  const names = new Set(quoted.map(({ name }) => name))
  const reader = createLeanReader(parts, {
    dialect: taught,
    others: dialects,
    startsIn: startOf(text, taught),
    tools,
    unknownTools: tools.length === 0 ? 'call' : 'auto',
    newId: () => `call_${++count}`,
    trace,
    quoted: { mayHave: (name) => names.has(name), has: (name, json) => known.has(`${name} ${canonical(json)}`) },
  })
  const size = cut === 0 ? text.length : cut
  const steps: Step[] = []
  let at = 0
  for (let i = 0; i < pushes && at < text.length; i++, at += size) {
    const given = text.slice(at, at + size)
    steps.push({ given, events: reader.push(given) })
  }
  const isOver = pushes > pushesOf(reading)
  if (isOver) steps.push({ given: '', events: reader.end(finish) })
  const said = text.slice(0, at)
  const isOpen = openCall(steps)
  const certain = isOver || reader.done ? said.length : isOpen ? trace.end : Math.min(trace.settled, said.length)
  return {
    text: said,
    spans: trace.spans(),
    certain,
    tail: certain >= said.length ? undefined : isOpen ? 'call' : 'held',
    answer: fold(steps.flatMap(({ events }) => events)),
    steps,
    spoken: reader.spoken,
  }
}

function openCall(steps: readonly Step[]): boolean {
  const last = steps.flatMap(({ events }) => events).findLast(({ type }) => type.startsWith('call-'))
  return last?.type === 'call-start' || last?.type === 'call-delta'
}

function canonical(json: string): string {
  try {
    return JSON.stringify(JSON.parse(json), (_key, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
        : value,
    )
  } catch {
    return json
  }
}

/** What a model that speaks this dialect would say, as an example. */
export function sampleFor(dialect: string, tools: readonly Tool[]): string {
  const calls = [
    { id: 'call_1', name: 'read_file', arguments: '{"path": "src/main.ts", "limit": 40}' },
    { id: 'call_2', name: 'search', arguments: '{"query": "createReader", "paths": ["src", "test"]}' },
  ]
  const spoken = findDialect(dialect)
  return `I'll look at the file first.\n\n${spoken === undefined ? '' : printCalls(spoken, calls, tools)}`
}
