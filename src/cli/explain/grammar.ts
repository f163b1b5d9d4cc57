import { dialects, findDialect } from '../../dialects/registry.ts'
import { startOf } from '../../engine/answer/start.ts'
import { constrain } from '../../engine/constrain/constrain.ts'
import { matchGrammar } from '../../engine/constrain/grammar/match.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { ExplainRequest } from './answer.ts'

/** Whether a text is what a grammar of its dialect allows; the field names are those of `explain --grammar --json`. */
export interface GrammarFinding {
  readonly dialect: string | null
  /** Null where it can't be told. */
  readonly fits: boolean | null
  /** Where it leaves the grammar: counted from 0, and as people count. */
  readonly at?: number
  readonly line?: number
  readonly column?: number
  /** The character that may not stand there; null at the end of the text. */
  readonly found?: string | null
  /** What could have stood there, as grammars write it. */
  readonly expected?: readonly string[]
}

const mostExpected = 8

/** Where a text leaves the grammar that its tools have in a dialect. */
export function findInGrammar(
  { text, tools, toolChoice, parallelCalls }: ExplainRequest,
  spoken: string | null,
): GrammarFinding {
  const dialect = spoken === null ? undefined : findDialect(spoken)
  if (dialect === undefined || tools.length === 0) return { dialect: spoken, fits: null }
  const isThinking = startOf(text, dialect) === 'reasoning'
  const { tree } = constrain({
    dialect,
    tools,
    choice: toolChoice,
    parallel: parallelCalls,
    others: dialects,
    ...(isThinking && { thought: '</think>', thoughtLimit: Number.POSITIVE_INFINITY }),
  })
  const match = matchGrammar(tree, text)
  // Editors end a file with a new line.
  const isWhole = match.fits === false && matchGrammar(tree, text.trimEnd()).fits === true
  if (isWhole && text.slice(match.at).trim() === '') return { dialect: dialect.name, fits: true }
  if (match.fits === true) return { dialect: dialect.name, fits: true }
  if (match.fits === 'unknown') return { dialect: dialect.name, fits: null }
  const { at, expected } = match
  const before = text.slice(0, at).split('\n')
  return {
    dialect: dialect.name,
    fits: false,
    at,
    line: before.length,
    column: [...(before.at(-1) ?? '')].length + 1,
    found: at < text.length ? String.fromCodePoint(text.codePointAt(at) ?? 0) : null,
    expected: expected.slice(0, mostExpected),
  }
}

/** The same for people: the line it happened in, and what would have been right. */
export function printInGrammar(text: string, finding: GrammarFinding, paint: Terminal['paint']): string {
  const { dialect, fits, at = 0, line, column = 1, found, expected = [] } = finding
  const head = `\n${paint('bold', 'Grammar')}\n`
  if (dialect === null) return `${head}      Can't tell: no call shows the dialect. Name it with --dialect.\n`
  if (fits === null) return `${head}      Can't tell whether the output fits the grammar of ${dialect}.\n`
  if (fits) return `${head}      ${paint('green', `The output fits the grammar of ${dialect}.`)}\n`
  const start = text.lastIndexOf('\n', at - 1) + 1
  const end = text.indexOf('\n', at)
  const shown = text.slice(Math.max(start, at - 40), end < 0 ? at + 20 : Math.min(end, at + 20))
  const caret = ' '.repeat([...text.slice(Math.max(start, at - 40), at)].length)
  const what = found === null ? 'ends too soon' : `has ${JSON.stringify(found)}`
  return [
    `${head}      ${paint('red', `The output leaves the grammar of ${dialect} at line ${line}, column ${column}: it ${what}.`)}`,
    `      ${shown}`,
    `      ${caret}${paint('red', '^')}`,
    `      Allowed here: ${expected.join('  or  ')}`,
    '',
  ].join('\n')
}
