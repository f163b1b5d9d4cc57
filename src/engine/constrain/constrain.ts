import type { Dialect } from '../../dialects/dialect.ts'
import { asFunctions } from '../../protocol/custom.ts'
import type { JsonSchema } from '../../protocol/json.ts'
import { callableTools, isForced, type Tool, type ToolChoice } from '../../protocol/tool.ts'
import { compileSchema } from '../../schema/compile.ts'
import { callsRule, isBareJson } from './calls/calls.ts'
import { needsLine, openersIn } from './calls/openers.ts'
import { type Detail, details, type Widening } from './detail.ts'
import { setOf } from './grammar/characters.ts'
import { printGbnf } from './grammar/print.ts'
import { tidy } from './grammar/tidy.ts'
import {
  characters,
  choice,
  empty,
  type GrammarTree,
  literal,
  type Rule,
  RuleBook,
  repeat,
  sequence,
  tooLarge,
} from './grammar/tree.ts'
import { jsonNotation } from './values/notation.ts'
import { boundedText, textRule } from './values/text.ts'
import { type Means, Values } from './values/values.ts'

export interface ConstrainOptions {
  readonly dialect: Dialect
  readonly tools: readonly Tool[]
  readonly choice?: ToolChoice | undefined
  readonly parallel?: boolean | undefined
  /** The prompt opened a thought, which ends with this: the grammar begins inside it. */
  readonly thought?: string | undefined
  /**
   * A thought has at most about so many characters, or a model that finds no end would never come to its call. Where it need not
   * call, there may be no limit.
   */
  readonly thoughtLimit?: number | undefined
  /** Dialects whose calls would be understood as well: their openers are no words either. */
  readonly others?: readonly Dialect[] | undefined
  /** What the client wants an answer without calls to be: JSON that fits this. */
  readonly format?: JsonSchema | undefined
  /** A grammar of more characters is made coarser. */
  readonly limit?: number | undefined
}

export interface Constrained {
  readonly tree: GrammarTree
  /** What the schemas say and this does not. */
  readonly widened: readonly Widening[]
  /** How much of the schemas it says: 0 is all that can be said. */
  readonly level: number
}

const defaultLimit = 120_000
const defaultThoughtLimit = 8_000

/** What an answer may be: its calls as the dialect prints them, and where the client leaves it to the model, words. */
export function constrain(options: ConstrainOptions): Constrained {
  return finish(constrainSteps(options))
}

/** What comes of steps, taken at once. */
export function finish<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** The same in small steps, for those who have something else to do meanwhile. */
export function* constrainSteps(options: ConstrainOptions): Generator<void, Constrained> {
  const { limit = defaultLimit } = options
  for (const [level, detail] of details.entries()) {
    const isLast = level === details.length - 1
    try {
      const made = yield* build(options, detail, isLast ? Number.POSITIVE_INFINITY : limit)
      yield
      if (isLast || printGbnf(made.tree).length <= limit) return { ...made, level }
    } catch (thrown) {
      if (thrown !== tooLarge) throw thrown
    }
  }
  throw tooLarge
}

/** The tools whose calls count. */
export function toolsOf({ tools, choice }: Pick<ConstrainOptions, 'tools' | 'choice'>): readonly Tool[] {
  return asFunctions(callableTools({ tools, toolChoice: choice }))
}

/** Whether there is to be one call and no more. Who names a tool means one call of it. */
export function isSingle({
  dialect,
  parallel,
  choice: chosen,
}: Pick<ConstrainOptions, 'dialect' | 'parallel' | 'choice'>): boolean {
  return parallel === false || (parallel === undefined && (dialect.grammar.single === true || chosen?.mode === 'named'))
}

function* build(options: ConstrainOptions, detail: Detail, limit: number): Generator<void, Omit<Constrained, 'level'>> {
  const book = new RuleBook(limit)
  const widened = new Map<string, Widening>()
  const names = options.tools.map(({ name }) => name)
  const meansFor = (tool: string) => ({
    book,
    detail,
    tools: names,
    widen: (keyword: string) => void widened.set(`${tool} ${keyword}`, { tool, keyword }),
  })
  const { choice: chosen, dialect } = options
  const mustCall = isForced(chosen)
  const manner = { isSingle: isSingle(options), isLoose: !mustCall && isBareJson(dialect), isForced: mustCall }
  const calls = chosen?.mode === 'none' ? empty : yield* callsRule(dialect, toolsOf(options), manner, meansFor)
  const answer = yield* answerRule(options, book, calls, meansFor('response_format').widen)
  if (!detail.schemas) widened.set('*', { tool: '*', keyword: 'parameters' })
  const root = afterThought(options, book, answer)
  yield
  return { tree: tidy({ root, rules: book.rules }), widened: [...widened.values()] }
}

function afterThought(
  { thought, thoughtLimit = defaultThoughtLimit }: ConstrainOptions,
  book: RuleBook,
  answer: Rule,
): Rule {
  if (thought === undefined) return answer
  const gap = repeat(literal('\n'), 0, 2)
  if (Number.isFinite(thoughtLimit)) return sequence(boundedText(book, thought, thoughtLimit), gap, answer)
  const rest = book.define('after thought', 'answer', () => sequence(literal(thought), gap, answer))
  return textRule(book, { literals: [thought], following: choice(empty, rest) })
}

/** An answer in the form the client wants it in, however coarse the tools are told. */
function formatRule(format: JsonSchema, book: RuleBook, widen: Means['widen']): Rule {
  const [detail] = details
  return new Values({ book, detail, widen }, jsonNotation(book)).value(compileSchema(format))
}

function* answerRule(
  options: ConstrainOptions,
  book: RuleBook,
  calls: Rule,
  widen: Means['widen'],
): Generator<void, Rule> {
  const { dialect, choice: chosen, others = [] } = options
  if (isForced(chosen)) return calls
  const names = options.tools.map(({ name }) => name)
  yield
  const literals = yield* openersIn(dialect, names, others)
  yield
  if (chosen?.mode === 'none') return textRule(book, { literals, after: '\n' })
  const called = book.define('calls', 'calls', () => calls)
  if (options.format !== undefined) return choice(called, formatRule(options.format, book, widen))
  if (!needsLine(dialect)) return textRule(book, { literals, after: '\n', following: choice(empty, called) })
  const line = isBareJson(dialect) ? sequence(repeat(characters(setOf(' \t')), 0, mostIndent), called) : called
  return choice(
    line,
    textRule(book, { literals, after: '\n', following: choice(empty, sequence(literal('\n'), line)) }),
  )
}

const mostIndent = 12
