import { type Arguments, type Dialect, hasFaintMarks, hasNameMarks } from '../../dialects/dialect.ts'
import { skipSpace, take, takeAny } from '../text/literals.ts'
import { attempt, known, later, look, nothing } from '../text/running.ts'
import { nextWord, type Source, type Step } from '../text/source.ts'
import { literalsOf, openerOf, type Token, tokensAfterOpener } from './template.ts'
import { controlTokens } from './vocabulary.ts'

/**
 * How sure a mark is. `firm`: nobody writes it by accident. `line`: nobody does at the start of a line. `faint`: ordinary
 * text, which counts where its dialect was taught, and after other words only at the end of the answer. `unmarked`: a form
 * that was not taught; it counts at the end of an answer, if it fits a tool.
 */
export type Trust = 'firm' | 'line' | 'faint' | 'unmarked'

/** What is to be read after the mark of a call. */
export interface Way {
  readonly dialect: Dialect
  /** The rest of the opening. */
  readonly tokens: readonly Token[]
  /** The tool, where its name was the mark, or was read already. */
  readonly name?: string | undefined
}

/** A way into a dialect's calls: where the mark that was read leads, and how sure it is. */
export interface Entry extends Way {
  /**
   * Where it leads: to one call, to a section, to a list that is itself the mark and is not taken, or to a call whose name
   * stands alone on its line, without the tag it should be in.
   */
  readonly at: 'call' | 'section' | 'list' | 'name'
  readonly trust: Trust
  /** A mark that is not firm counts at the start of a line; this one after a sentence, too. */
  readonly inline?: boolean
  /** What may stand after the mark, white space aside. */
  readonly expects: Expectation
}

interface Expectation {
  readonly literals: readonly string[]
  /** A name may stand here. */
  readonly name: boolean
}

/** The marks that open calls, each with its way in. */
type Entries = readonly (readonly [literal: string, entry: Entry])[]

/**
 * Says which marks open calls in a dialect. Where names are marks, those of `names` are, and with `anyName` whatever looks
 * like one.
 */
export type EntriesOf = (dialect: Dialect, names: Iterable<string>, anyName: boolean) => Entries

/** The marks that open calls in a dialect, unless these are names. */
export function entriesOf(dialect: Dialect): Entries {
  const { section, call, marks } = dialect.grammar
  const entries: [string, Entry][] = []
  if (hasNameMarks(dialect.grammar)) return entries
  if (marks === 'none') {
    const entry = { dialect, at: 'list', tokens: [], trust: 'faint', inline: true } as const
    entries.push(['{', { ...entry, expects: member }], ['[', { ...entry, expects: { literals: ['{'], name: false } }])
  }
  for (const open of section?.open ?? []) {
    const tokens = tokensAfterOpener(open)
    const [next] = tokens
    const expects =
      next !== undefined && 'literal' in next ? { literals: [next.literal], name: false } : expectCalls(dialect)
    const trust = trustOf(dialect, open)
    entries.push([openerOf(open), { dialect, at: 'section', tokens, trust, inline: openerOf(open) === '[', expects }])
  }
  for (const open of call.open) {
    const opener = openerOf(open)
    const tokens = tokensAfterOpener(open)
    const expects = expectTokens(dialect, tokens)
    // A single character is no mark: such calls are read in their section only.
    if (opener.length > 1)
      entries.push([
        opener,
        { dialect, at: 'call', tokens, trust: trustOf(dialect, open), inline: opener.startsWith('<'), expects },
      ])
  }
  return entries
}

/** What stands after the brace of an object. */
const member: Expectation = { literals: ['"', "'", '}'], name: true }

/** In a dialect of faint marks, those that look like tokens of their own are not; nor are those in two parts. */
export function trustOf(dialect: Dialect, open: string): Trust {
  if (!hasFaintMarks(dialect.grammar) || /^<\||^\[[A-Z_]+\]/.test(open)) return 'firm'
  return literalsOf(open).length > 1 ? 'line' : 'faint'
}

function expectCalls(dialect: Dialect): Expectation {
  const openers = dialect.grammar.call.open.map(openerOf)
  if (openers.length === 0) return expectTokens(dialect, [])
  const closers = dialect.grammar.section?.close.map(openerOf) ?? []
  const envelopes = hasFaintMarks(dialect.grammar) ? [] : ['{', '[']
  const literals = [...openers.filter((opener) => opener !== ''), ...closers, ...envelopes]
  return { literals, name: openers.includes('') }
}

export function expectTokens({ grammar }: Dialect, [first]: readonly Token[]): Expectation {
  if (first === undefined) return { literals: beginnings[grammar.arguments.as] ?? [''], name: false }
  if ('slot' in first) return { literals: [], name: true }
  const literal = first.literal.trimStart()
  return { literals: literal === '>' ? ['>', '/>'] : [literal], name: false }
}

/** What arguments begin with, where that is always the same. */
const beginnings: Readonly<Partial<Record<Arguments['as'], readonly string[]>>> = {
  envelope: ['{', '[', '```'],
  json: ['{', '"', '```', '<![CDATA['],
  pseudo: ['{'],
}

/** The entries that fit what stands after their mark, control tokens aside, in their order. Takes nothing. */
export function fittingAfter(source: Source, literal: string, entries: readonly Entry[]): Step<readonly Entry[]> {
  const { text } = source
  const at = nextWord(text, source.at + literal.length)
  const isControl = text.charCodeAt(at) === 60 && controlTokens.some((token) => text.startsWith(token, at))
  if (at + longestExpected > text.length || isControl)
    return look(source, () => fittingBehind(source, literal, entries))
  const rest = text.slice(at, at + longestExpected)
  return known(entries.filter(({ expects }) => fits(expects, rest)))
}

function* fittingBehind(source: Source, literal: string, entries: readonly Entry[]): Step<readonly Entry[]> {
  yield* take(source, literal)
  yield* skipControl(source)
  yield* skipSpace(source)
  return yield* fittingHere(source, entries) ?? later(source, fittingHere, entries)
}

function fittingHere({ text, at, ended }: Source, entries: readonly Entry[]): Step<readonly Entry[]> | undefined {
  const rest = text.slice(at, at + longestExpected)
  const fitting = entries.filter(({ expects }) => fits(expects, rest))
  const isOpen = rest === '' || entries.some((entry) => !fitting.includes(entry) && mayFit(entry.expects, rest))
  return ended || !isOpen ? known(fitting) : undefined
}

const longestExpected = 128

function fits({ literals, name }: Expectation, rest: string): boolean {
  return literals.some((literal) => rest.startsWith(literal)) || (name && /^["']?[\p{L}\p{N}_]/u.test(rest))
}

/** Whether more text could yet make it fit. */
function mayFit({ literals, name }: Expectation, rest: string): boolean {
  return (
    literals.some((literal) => literal.length > rest.length && literal.startsWith(rest)) ||
    (name && (rest === '"' || rest === "'"))
  )
}

/** Takes control tokens, and the white space before them. */
export function skipControl(source: Source): Step<void> {
  const { text } = source
  const at = nextWord(text, source.at)
  return at < text.length && text.charCodeAt(at) !== 60 ? nothing : takeControls(source)
}

function* takeControls(source: Source): Step<void> {
  function* takeControl(): Step<boolean> {
    return (yield* skipSpace(source)) === 60 && (yield* takeAny(source, controlTokens)) !== undefined
  }
  while (yield* attempt(source, takeControl));
}
