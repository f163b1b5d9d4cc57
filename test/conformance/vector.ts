import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { type Dialect, hasFaintMarks, hasNameMarks } from '../../src/dialects/dialect.ts'
import { dialects } from '../../src/dialects/registry.ts'
import { startOf } from '../../src/engine/answer/start.ts'
import { think } from '../../src/engine/marks/vocabulary.ts'
import type { ReaderOptions } from '../../src/engine/reader.ts'
import type { JsonSchema } from '../../src/protocol/json.ts'
import type { Tool } from '../../src/protocol/tool.ts'

/** One line of a vector file: what some engine's own tests feed its parser, and what they expect back. */
export interface Vector {
  /** `file:line`, to find it again. */
  readonly id: string
  readonly source: string
  readonly test: string
  readonly format: string
  readonly tier: 'A' | 'B' | 'C'
  readonly text: string
  readonly chunks?: readonly string[]
  readonly tools?: readonly DeclaredTool[]
  readonly expected_calls: readonly { readonly name: string; readonly arguments: unknown }[]
  readonly expected_content: string | null
  readonly expected_reasoning?: string | null
  /** The expected arguments are only some of those that must be there. */
  readonly partial_args?: boolean
  /** False: the vector has no content. */
  readonly content_known?: boolean
  /** The text is only what stands inside the wrapper of calls. */
  readonly inner_only?: boolean
  /** The prompt may have opened a thought, so the text may begin inside it. */
  readonly has_thinking?: boolean
  readonly enable_thinking?: boolean
  readonly reasoning_format?: string
}

interface DeclaredTool {
  readonly name?: string
  readonly description?: string
  readonly parameters?: JsonSchema
  readonly function?: DeclaredTool
}

export function readVectors(path: string): readonly Vector[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      if (line.trim() === '') return []
      const json = line.replace(notJson, '$1"$2"')
      const { expected_calls } = parseExactly(json) as Vector
      return [{ ...(JSON.parse(json) as Vector), expected_calls, id: `${basename(path, '.jsonl')}:${index + 1}` }]
    })
}

/** Python writes these as bare words, which only a string can stand for in JSON; they occur as members' values alone. */
const notJson = /(": )(NaN|-?Infinity)(?=[,}])/g

interface RawJson {
  readonly rawJSON: string
}
const exact = JSON as unknown as {
  parse(text: string, revive: (key: string, value: unknown, context: { source?: string }) => unknown): unknown
  rawJSON(text: string): RawJson
}

/** JSON whose numbers keep their digits, and whose objects have their keys in order: equal values print as equal text. */
export function parseExactly(text: string): unknown {
  return exact.parse(text, (_, value, { source }) => {
    if (typeof value === 'number') return exact.rawJSON(source ?? String(value))
    if (typeof value !== 'object' || value === null || Array.isArray(value) || 'rawJSON' in value) return value
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
  })
}

const byName = new Map(dialects.map((dialect) => [dialect.name, dialect]))

export interface Reading {
  readonly pieces: { readonly whole: string; readonly recorded?: readonly string[] }
  readonly options: Omit<ReaderOptions, 'newId'>
}

/**
 * How a vector is put to our reader; undefined when its format is no dialect of ours. All calls are asked for, also in
 * dialects that teach one a message: that is a rule of the gateway's, not of the format.
 */
export function toReading(vector: Vector): Reading | undefined {
  const dialect = byName.get(vector.format)
  if (dialect === undefined) return undefined
  const [before, after] = vector.inner_only === true ? wrapperOf(dialect) : ['', '']
  const recorded = vector.chunks === undefined ? {} : { recorded: [before, ...vector.chunks, after] }
  return {
    pieces: { whole: before + vector.text + after, ...recorded },
    options: {
      dialect,
      others: dialects,
      parallel: true,
      startsIn: startsIn(vector, dialect),
      ...toolsOf(vector, dialect),
    },
  }
}

/**
 * Vectors without tools were recorded with a parser that takes any name for a tool's. Ours does too, except where the
 * marks are ordinary text or the name itself: there a tool must be known, so those that are expected are declared.
 */
function toolsOf(vector: Vector, dialect: Dialect): Pick<ReaderOptions, 'tools' | 'unknownTools'> {
  const tools = declaredTools(vector)
  if (tools.length > 0) return { tools }
  const names = needsNames(dialect) ? [...new Set(vector.expected_calls.map(({ name }) => name))] : []
  return { tools: names.map((name) => ({ kind: 'function', name })), unknownTools: 'call' }
}

/** Whether the marks are ordinary text, or the tool's own name. */
export function needsNames({ grammar }: Dialect): boolean {
  return hasFaintMarks(grammar) || hasNameMarks(grammar)
}

export function declaredTools(vector: Vector): readonly Tool[] {
  return (vector.tools ?? []).map(toTool)
}

function toTool(declared: DeclaredTool): Tool {
  const { name = '', parameters } = declared.function ?? declared
  return { kind: 'function', name, ...(parameters === undefined ? {} : { parameters }) }
}

/**
 * Where the text begins. The vectors do not hold the prompt that may have opened a thought, but the text gives it away: it
 * has a closer without an opener, or begins with the words of the thought that is expected.
 */
function startsIn({ text, expected_reasoning: expected }: Vector, dialect: Dialect): 'text' | 'reasoning' {
  if (startOf(text, dialect) === 'reasoning') return 'reasoning'
  const openers = [think, ...(dialect.reasoning ?? [])].flatMap(({ open }) => open)
  if (!expected || openers.some((open) => text.includes(open))) return 'text'
  return text.trimStart().startsWith(expected.slice(0, 8)) ? 'reasoning' : 'text'
}

/** What a model would have written around `inner_only` text: the outermost wrapper that has no name in it. */
function wrapperOf({ grammar }: Dialect): readonly [string, string] {
  const wrapper = grammar.section ?? grammar.call
  const [open = ''] = wrapper.open
  const [close = ''] = wrapper.close
  return open.includes('{') ? ['', ''] : [open, close]
}
