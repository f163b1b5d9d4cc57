import { type Arguments, type Dialect, hasFaintMarks, hasNameMarks } from '../../dialects/dialect.ts'
import { mayStandAt, skipSpace, take, takeAny } from '../text/literals.ts'
import { attempt, known, look, nothing } from '../text/running.ts'
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
  readonly expects: Expectation
}

/** Whether this may be the first character after a mark, white space aside; it is empty where nothing follows. */
type Expectation = (char: string) => boolean

export function expect(literals: readonly string[], isName = false): Expectation {
  const firsts = new Set(literals.map((literal) => literal.charAt(0)))
  return (char) => firsts.has('') || firsts.has(char) || (isName && /["'\p{L}\p{N}_]/u.test(char))
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
    entries.push(['{', { ...entry, expects: expect(['}', '/'], true) }], ['[', { ...entry, expects: expect(['{']) }])
  }
  for (const open of section?.open ?? []) {
    const tokens = tokensAfterOpener(open)
    const [next] = tokens
    const expects = next !== undefined && 'literal' in next ? expect([next.literal]) : expectCalls(dialect)
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
  return expect(literals, openers.includes(''))
}

export function expectTokens({ grammar }: Dialect, [first]: readonly Token[]): Expectation {
  if (first === undefined) return expect(beginnings[grammar.arguments.as] ?? [''])
  if ('slot' in first) return expect([], true)
  const literal = first.literal.trimStart()
  return expect(literal === '>' ? ['>', '/'] : [literal])
}

/** What arguments begin with, where that is always the same. */
const beginnings: Readonly<Partial<Record<Arguments['as'], readonly string[]>>> = {
  envelope: ['{', '[', '`'],
  json: ['{', '"', '`', '<'],
  pseudo: ['{'],
}

/** The entries that may fit what stands after their mark, control tokens aside, in their order. Takes nothing. */
export function fittingAfter(source: Source, literal: string, entries: readonly Entry[]): Step<readonly Entry[]> {
  const { text } = source
  const at = nextWord(text, source.at + literal.length)
  if (mayControl(text, at)) return look(source, () => fittingBehind(source, literal, entries))
  return known(fittingAt(text, at, entries))
}

function* fittingBehind(source: Source, literal: string, entries: readonly Entry[]): Step<readonly Entry[]> {
  yield* take(source, literal)
  yield* skipControl(source)
  yield* skipSpace(source)
  return fittingAt(source.text, source.at, entries)
}

function fittingAt(text: string, at: number, entries: readonly Entry[]): readonly Entry[] {
  const point = text.codePointAt(at)
  const char = point === undefined ? '' : String.fromCodePoint(point)
  return entries.filter(({ expects }) => expects(char))
}

/** Whether a control token stands here, or may yet. */
function mayControl(text: string, at: number): boolean {
  return controlTokens.some((token) => mayStandAt(text, at, token))
}

/** Takes control tokens, and the white space before them. */
export function skipControl(source: Source): Step<void> {
  const { text } = source
  return mayControl(text, nextWord(text, source.at)) ? takeControls(source) : nothing
}

function* takeControls(source: Source): Step<void> {
  function* takeControl(): Step<boolean> {
    return (yield* skipSpace(source)) === 60 && (yield* takeAny(source, controlTokens)) !== undefined
  }
  while (yield* attempt(source, takeControl));
}
