import { type Dialect, hasNameMarks } from '../../../dialects/dialect.ts'
import { dialects, findDialect } from '../../../dialects/registry.ts'
import { hasMarkAt } from '../../../engine/marks/marks.ts'
import { type Sign, signsFor } from '../../../engine/marks/signs.ts'
import { openerOf, printTemplate } from '../../../engine/marks/template.ts'
import { escapePattern } from '../../../protocol/text/escape-pattern.ts'
import type { Reading } from './texts.ts'

/** A place in a text from which a call may be read. */
export interface Place {
  /** Put before the text: the beginning of a call, where it has none or one that proves nothing. */
  readonly prefix: string
  readonly from: number
  /** Where the text ends that belongs to the call, where that is known: a place, or the end of these parentheses. */
  readonly to?: number | 'parenthesis'
  /** Put after that end. */
  readonly suffix?: string
  /** The dialect to read by, where its marks count only when it is taught. */
  readonly dialect?: Dialect | undefined
  /** A call without arguments read from here is none: many a name stands in such a place. */
  readonly needsArguments?: boolean
}

/** How far a name may stand from the mark before it, or from its arguments. */
const reach = 256
const maxEarlier = 4

const numbers = /[>\]]\s*\d+\s*</g

/** Whether there is anything in it that could be a call with a number for a name. */
export function isNumbered(reading: Reading): boolean {
  return reading.has('', numbers)
}

/** A tool that is looked for. */
export interface Wanted {
  readonly name: string
  readonly pattern: RegExp
  /** Of the arguments it declares. */
  readonly keys: readonly string[]
}

/** Wherever a tool's name stands next to what may be its mark or its arguments. */
export function* placesOf(text: string, { name, pattern, keys }: Wanted): Iterable<Place> {
  let marked = 0
  let objects: readonly number[] | undefined
  for (const match of text.matchAll(pattern)) {
    const start = match.index
    const end = start + match[0].length
    yield* marksBefore(text, Math.max(marked, start - reach), start)
    marked = start
    const before = text.slice(Math.max(0, start - reach), start)
    const after = text.slice(end, end + reach)
    yield* insideTag(before, start)
    yield* insideEnvelope(before, start)
    yield* beforeParentheses(name, before, after, end)
    yield* beforeObject(name, after, end)
    yield* beforeTags(name, keys, after, end)
    yield* beforeInput(name, after, end)
    if (!afterArguments.test(before)) continue
    objects ??= [...text.matchAll(/["'][\w-]+["']\s*:\s*["']?(?=\{)/g)].map((member) => member.index + member[0].length)
    yield* afterObjects(name, objects, start)
  }
}

/** Where a call has only a number for a name: whose it is, its arguments tell. */
export function* numberedPlaces(text: string): Iterable<Place> {
  for (const { index } of text.matchAll(numbers)) yield* marksBefore(text, Math.max(0, index - 64), index)
}

/** The name as a model may spell it, standing by itself. */
export function patternOf(name: string): RegExp {
  const characters = name.replace(/[-_.]/g, '').split('').map(escapePattern)
  return new RegExp(`(?<![\\p{L}\\p{N}_])${characters.join('[-_. ]?')}(?![\\p{L}\\p{N}_])`, 'giu')
}

/** The marks that open calls between two places. */
function* marksBefore(text: string, from: number, to: number): Iterable<Place> {
  const { marks } = signsFor(undefined, dialects, new Set())
  for (let at = from; at < to; at++) {
    if (marks.starts[text.charCodeAt(at)] !== 0 && hasMarkAt(marks, text, at, isOpener)) yield { prefix: '', from: at }
  }
}

function isOpener(_: string, sign: Sign): boolean {
  return sign.kind === 'header' || (sign.kind === 'call' && sign.entry.trust === 'firm')
}

/** Dialects whose marks count only when they are taught. Copies, because the engine keeps its tables by dialect. */
const namedDialects = dialects
  .filter(({ grammar }) => hasNameMarks(grammar) && grammar.call.open.some((open) => open.startsWith('<')))
  .map((dialect) => ({ ...dialect }))
const tagDialect = namedDialects.find(({ grammar }) => grammar.arguments.as === 'tagged')
const wordDialect = { ...findDialect('react') } as Dialect

/** `<run>…</run>` */
function* insideTag(before: string, start: number): Iterable<Place> {
  if (before.endsWith('<')) for (const dialect of namedDialects) yield { prefix: '', from: start - 1, dialect }
}

/** `{"name": "run", …` */
function* insideEnvelope(before: string, start: number): Iterable<Place> {
  const at = before.lastIndexOf('{')
  if (at < 0 || !/["']\s*:\s*["']$/.test(before)) return
  yield { prefix: '<tool_call>\n', from: start - before.length + at, needsArguments: true }
}

/** `run(command="ls")`. Without arguments it is how people speak of a function, unless it stands in a list. */
function* beforeParentheses(name: string, before: string, after: string, end: number): Iterable<Place> {
  const open = /^(?:\.call)?\s*\(/.exec(after)?.[0]
  if (open === undefined) return
  const needsArguments = !/[[,]\s*(?:\w+\.)*$/.test(before)
  const from = end + open.length - 1
  yield { prefix: `<function_calls>\n${name}`, from, to: 'parenthesis', suffix: '\n</function_calls>', needsArguments }
}

const asJson = (name: string, from: number): Place => ({ prefix: `[TOOL_CALLS]${name}[ARGS]`, from })
const pseudoDialects = dialects.filter(({ grammar }) => grammar.arguments.as === 'pseudo')

/** `"run", "arguments": {…}`, `run\n{…}`, `run:0<|…|>{…}` */
function* beforeObject(name: string, after: string, end: number): Iterable<Place> {
  const at = after.indexOf('{')
  const gap = after.slice(0, at)
  if (at < 0 || hasWords(gap) || !/^\{\s*(?:["'}<]|[\p{L}_][\w-]*\s*:)/u.test(after.slice(at))) return
  yield { ...asJson(name, end + at), needsArguments: !/["']\s*[:=]|\n|>/.test(gap) }
  if (gap.trim() !== '' || !/^\{\s*[^\s"'}]/.test(after.slice(at))) return
  for (const { grammar } of pseudoDialects)
    yield { prefix: printTemplate(grammar.call.open[0] ?? '', { name }), from: end + at }
}

/** Openers of arguments, each with the opener of a call that takes them. */
const tagged = new Map(
  dialects.flatMap(({ grammar: { arguments: spec, call } }) => {
    const [open] = call.open
    return spec.as === 'tagged' && open !== undefined && openerOf(spec.open).length > 2
      ? [[openerOf(spec.open), open] as const]
      : []
  }),
)

/** `run\n<arg_key>command</arg_key>…`, `run\n<command>…` */
function* beforeTags(name: string, keys: readonly string[], after: string, end: number): Iterable<Place> {
  if (!after.includes('<')) return
  for (const [opener, open] of tagged) {
    const at = after.indexOf(opener)
    if (at >= 0 && !hasWords(after.slice(0, at))) yield { prefix: printTemplate(open, { name }), from: end + at }
  }
  for (const key of keys) {
    const at = after.indexOf(`<${key}>`)
    if (at >= 0 && !hasWords(after.slice(0, at))) yield { prefix: `<${name}>\n`, from: end + at, dialect: tagDialect }
  }
}

/** `run\nAction Input: ls -la` */
function* beforeInput(name: string, after: string, end: number): Iterable<Place> {
  const input = /^["'`]?\s*Action Input:[^\n]*/.exec(after)?.[0]
  if (input !== undefined) yield { prefix: `Action: ${name}`, from: end, to: end + input.length, dialect: wordDialect }
}

const afterArguments = /\}["']?\s*,\s*["'][\w-]+["']\s*:\s*["']?$/

/** `{"arguments": {…}, "name": "run"}`: any of the last objects before the name may be its arguments. */
function* afterObjects(name: string, objects: readonly number[], start: number): Iterable<Place> {
  let next = 0
  for (let end = objects.length; next < end; ) {
    const middle = (next + end) >> 1
    if ((objects[middle] ?? 0) < start) next = middle + 1
    else end = middle
  }
  for (const from of objects.slice(Math.max(0, next - maxEarlier), next)) yield asJson(name, from)
}

/** What may stand between a name and its arguments and is no speech: tags, quoted keys, what introduces arguments. */
const furniture =
  /<[^<>]*>|^["'`]|"[^"\n]*"|'[^'\n]*'|\b(?:true|false|null|None|json|Action Input|(?:arguments|args|parameters|params|kwargs|input|id|type)\s*[:=])|✿ARGS✿/gu

function hasWords(gap: string): boolean {
  return /\p{L}/u.test(gap.replace(furniture, ' '))
}
