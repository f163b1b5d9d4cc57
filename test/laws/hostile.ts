import type { Dialect } from '../../src/dialects/dialect.ts'
import { dialects, findDialect } from '../../src/dialects/registry.ts'
import { marksOf } from './marks.ts'
import {
  atStart,
  callOf,
  inCode,
  inFence,
  inThought,
  type Place,
  placesInCall,
  placesInThought,
  seamsOf,
  toolName,
} from './places.ts'
import { allUnits, beginnings, lineStarts, unitsIn } from './units.ts'

/** A text made to cost as much as it can, at any length. */
export interface HostileText {
  /** What it is made of; enough to make it again. */
  readonly name: string
  /** What it has in common with others: of many that are slow for one reason, a few are enough to look at. */
  readonly kind: string
  /** The dialect that was taught; `none` when only leaks are read. */
  readonly dialect: string
  readonly recipe: Recipe
}

/** Something over and over, or the parts of the dialect's calls in any order. */
export type Recipe =
  | { readonly before: string; readonly unit: string; readonly after: string }
  | { readonly seed: number }

/** Each dialect taught, and none. */
export const listeners: readonly string[] = ['none', ...dialects.map(({ name }) => name)]

/** What is repeated, and what stands around all of it. */
interface Loop {
  readonly kind: string
  readonly before?: string
  readonly unit: string
  readonly after?: string
}

/** The places in a call that are tried with every mark and every call too. */
const wholeCallsIn = ['in a string', 'in a name']

/** Every text that may be hard on a reader of `dialect`, or of none. */
export function* hostileTexts(dialect: string): Generator<HostileText> {
  const taught = findDialect(dialect)
  const seen = new Set<string>()
  for (const loop of taught === undefined ? leaks() : loopsOf(taught)) {
    const { kind, before = '', unit, after = '' } = loop
    const name = nameOf(loop)
    if (unit === '' || seen.has(name)) continue
    seen.add(name)
    yield { name, kind, dialect, recipe: { before, unit, after } }
  }
  for (let seed = 1; seed <= 5; seed++) yield { name: `mixture ${seed}`, kind: 'mixture', dialect, recipe: { seed } }
}

/** A hostile text of some length; a longer one begins like a shorter one. */
export function textOf({ dialect, recipe }: Pick<HostileText, 'dialect' | 'recipe'>, length: number): string {
  if ('seed' in recipe) return mix(partsFor(dialect), recipe.seed, length)
  const { before, unit, after } = recipe
  const room = Math.max(0, length - before.length - after.length)
  return before + unit.repeat(Math.ceil(room / unit.length)).slice(0, room) + after
}

function* loopsOf(dialect: Dialect): Generator<Loop> {
  const inCall = placesInCall(dialect)
  const around = [...placesInThought(dialect), inFence, ...inCall.filter(({ name }) => wholeCallsIn.includes(name))]
  yield* examples()
  for (const [mark, next] of pairsOf(dialect)) {
    yield* loopsOfMark(mark)
    yield* loopsOfMarkAnd(mark, next)
    for (const { name, before } of around) {
      yield { kind: `${name} · mark`, before, unit: mark }
      yield { kind: `${name} · mark and name`, before, unit: `${mark}${toolName}>` }
    }
  }
  yield* loopsOfCalls(dialect, [atStart, ...around])
  yield* loopsOfSeams(dialect)
  yield* loopsOfLines(atStart)
  for (const { name, before } of inCall)
    for (const unit of unitsIn(name)) yield { kind: `${name} · ${unit.kind}`, before, unit: unit.text }
}

/** The marks that count where no dialect is taught: those of all. */
function* leaks(): Generator<Loop> {
  yield* examples()
  for (const dialect of dialects) {
    for (const [mark] of pairsOf(dialect)) {
      yield* loopsOfMark(mark)
      for (const { name, before } of [inThought, inFence])
        yield { kind: `${name} · mark and name`, before, unit: `${mark}${toolName}>` }
    }
    yield* loopsOfCalls(dialect, [atStart, inThought, inFence])
    for (const [before, after] of seamsOf(dialect)) yield { kind: 'blanks inside a call', before, unit: ' ', after }
  }
  for (const place of [atStart, inThought, inFence, inCode]) {
    yield* loopsOfLines(place)
    for (const { kind, text } of allUnits) yield { kind: `${place.name} · ${kind}`, before: place.before, unit: text }
  }
}

/** Every mark of a dialect with the one declared after it. */
function pairsOf(dialect: Dialect): readonly (readonly [mark: string, next: string])[] {
  const marks = marksOf(dialect)
  return marks.map((mark, index) => [mark, marks[(index + 1) % marks.length] ?? ''])
}

/** A mark over and over, before a name, before blanks. */
function* loopsOfMark(mark: string): Generator<Loop> {
  yield { kind: 'mark', unit: mark }
  yield { kind: 'mark, line by line', unit: `${mark}\n` }
  yield { kind: 'mark and name', unit: mark + toolName }
  yield { kind: 'mark and name, line by line', unit: `\n${mark}${toolName}\n` }
  yield { kind: 'mark and tag end', unit: `${mark}${toolName}>\n` }
  yield { kind: 'mark, then blanks', before: mark, unit: ' ' }
  yield { kind: 'mark and name, then blanks', before: mark + toolName, unit: ' ' }
  yield { kind: 'half mark', unit: halfOf(mark) }
}

/** A mark before other marks, halves of them and beginnings of arguments, and after blanks. */
function* loopsOfMarkAnd(mark: string, next: string): Generator<Loop> {
  yield { kind: 'mark and some blanks', unit: mark + ' '.repeat(64) }
  yield { kind: 'mark and next', unit: mark + next }
  yield { kind: 'mark and next, line by line', unit: `${mark}\n${next}${toolName}>\n` }
  yield { kind: 'mark and half of next', unit: mark + halfOf(next) }
  yield { kind: 'nearly a mark', unit: mark.slice(0, -1) }
  for (const start of beginnings) yield { kind: `mark and ${start}`, unit: mark + start }
  for (const unit of ['{', '[', '"', '\n', 'a']) yield { kind: `mark, then ${unit}`, before: mark, unit }
  yield { kind: 'mark and name, then newlines', before: mark + toolName, unit: '\n' }
  yield { kind: 'mark and name, then letters', before: mark + toolName, unit: 'a' }
  yield { kind: 'blanks before a mark', before: 'Some text.', unit: ' ', after: mark }
  yield { kind: 'newlines before a mark', unit: '\n', after: mark }
}

/** Whole calls and broken ones, over and over. */
function* loopsOfCalls(dialect: Dialect, places: readonly Place[]): Generator<Loop> {
  const call = callOf(dialect)
  const [last = ['', '']] = seamsOf(dialect).slice(-2)
  const quote = call.lastIndexOf('"')
  const units = {
    call: `${call}\n`,
    'call, no line between': call,
    'call without its closer': `${last[0]}\n`,
    'call without a quote': `${call.slice(0, quote)}${call.slice(quote + 1)}\n`,
    'half a call': `${call.slice(0, call.length / 2)}\n`,
    'call of another tool': `${call.replaceAll(toolName, 'nobody')}\n`,
    'call and words': `${call}\nDone.\n`,
    'call without arguments': `${callOf(dialect, '{}')}\n`,
  }
  for (const { name, before } of places)
    for (const [what, unit] of Object.entries(units)) yield { kind: `${name} · ${what}`, before, unit }
  const [before = '', after = ''] = callOf(dialect, '{"path": "#"}').split('#')
  yield { kind: 'in a string that ends · call', before, unit: `${call}\n`, after }
  yield { kind: 'in a string that ends · call, no line between', before, unit: call, after }
  yield { kind: 'after a call · call in a fence', unit: `Like so:\n\`\`\`\n${call}\n\`\`\`\n` }
}

/** Blanks and newlines at every seam of a call. */
function* loopsOfSeams(dialect: Dialect): Generator<Loop> {
  for (const [before, after] of seamsOf(dialect)) {
    yield { kind: 'blanks inside a call', before, unit: ' ', after }
    yield { kind: 'newlines inside a call', before, unit: '\n', after }
  }
}

/** What may begin a call at the start of a line. */
function* loopsOfLines({ name, before }: Place): Generator<Loop> {
  for (const line of lineStarts) {
    yield { kind: `${name} · line starts`, before, unit: `${line}\n` }
    yield { kind: `${name} · line starts with blanks`, before, unit: `${line} \n\n` }
    yield { kind: `${name} · line start, repeated`, before, unit: line }
  }
}

/** What a model that loops was seen to say. */
function* examples(): Generator<Loop> {
  const kind = 'seen'
  yield { kind, before: '<think>\n', unit: '<function=read_file>' }
  yield { kind, before: '<|tool_call_begin|>functions.', unit: ' ' }
  yield { kind, before: '<|tool_calls_section_begin|><|tool_call_begin|>functions.', unit: ' ' }
  for (const name of ['command-r-plus', 'deepseek-v3']) {
    const dialect = findDialect(name)
    if (dialect !== undefined) yield { kind, before: inFence.before, unit: `${callOf(dialect)}\n` }
  }
  yield { kind, unit: '<tool_call>\n<call=read_file>\n' }
  yield { kind, before: '<tool_call>', unit: ' ' }
  const open = '<tool_call>\n<function=read_file>\n<parameter=path>\na.txt\n</parameter>\n'
  yield { kind, before: open, unit: ' ', after: '</function>\n</tool_call>' }
}

function partsFor(dialect: string): readonly string[] {
  const taught = findDialect(dialect)
  return (taught === undefined ? dialects : [taught]).flatMap(partsOf)
}

function partsOf(dialect: Dialect): readonly string[] {
  const marks = marksOf(dialect)
  const others = [toolName, 'path', 'word ', ' ', '\n', '        ', '"', "'", '`', '```\n', '{', '}', '\\', '<think>\n']
  return [...marks, ...marks, ...marks.map(halfOf), ...others, ...beginnings, callOf(dialect), `${toolName}>\n`]
}

/** Parts in any order, the same for the same seed. */
function mix(parts: readonly string[], seed: number, length: number): string {
  let state = seed
  let text = ''
  while (text.length < length) {
    // Numerical Recipes' generator: poor, short, and the same everywhere.
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    text += parts[Math.floor((state / 2 ** 32) * parts.length)] ?? ''
  }
  return text.slice(0, length)
}

function halfOf(mark: string): string {
  return mark.slice(0, Math.ceil(mark.length / 2))
}

function nameOf({ before = '', unit, after = '' }: Loop): string {
  const quoted = [before, unit, after].map((part) => JSON.stringify(part))
  return `${before === '' ? '' : `${quoted[0]} + `}${quoted[1]} × n${after === '' ? '' : ` + ${quoted[2]}`}`
}
