import { stripTypeScriptTypes } from 'node:module'

/** One small change to a file: what a test suite worth having notices. */
export interface Mutant {
  readonly file: string
  readonly line: number
  /** What was changed into what. */
  readonly change: string
  readonly source: string
}

interface Edit {
  readonly from: number
  readonly to: number
  readonly text: string
}

const swaps: readonly (readonly [pattern: RegExp, replacement: string])[] = [
  [/===/g, '!=='],
  [/!==/g, '==='],
  [/ < /g, ' <= '],
  [/ > /g, ' >= '],
  [/ <= /g, ' < '],
  [/ >= /g, ' > '],
  [/&&(?!=)/g, '||'],
  [/\|\|(?!=)/g, '&&'],
  [/ \+ 1\b/g, ' - 1'],
  [/ - 1\b/g, ' + 1'],
  [/\+\+/g, '--'],
  [/\btrue\b/g, 'false'],
  [/\bfalse\b/g, 'true'],
]
const condition = /\b(?:if|while) \(/g
const number = /(?<=[ ([])\d+\b(?!\.)/g
const statement = /^ +(?:yield\* )?[\w.#?]+(?:\(.*\)|\+\+| \+?= [^{[]*[^{[(,&|])$/

/** All mutants of one file: operators and words swapped, conditions fixed, numbers moved by one, texts emptied, statements left out. */
export function mutantsOf(file: string, source: string): readonly Mutant[] {
  const { code, texts } = mask(source)
  const edits: Edit[] = texts.map(({ from, to }) => ({ from, to, text: `''` }))
  for (const [pattern, text] of swaps) {
    for (const { index, 0: found } of code.matchAll(pattern))
      edits.push({ from: index, to: index + found.length, text })
  }
  for (const { index, 0: found } of code.matchAll(number))
    edits.push({ from: index, to: index + found.length, text: String(Number(found) + 1) })
  for (const { index, 0: found } of code.matchAll(condition)) {
    const from = index + found.length
    const to = closing(code, from)
    edits.push({ from, to, text: 'false' })
    if (found.startsWith('if')) edits.push({ from, to, text: 'true' })
  }
  let at = 0
  for (const line of code.split('\n')) {
    if (statement.test(line)) edits.push({ from: at, to: at + line.length, text: '' })
    at += line.length + 1
  }
  // What is erased before it runs, such as a type made of texts, can change nothing.
  const run = stripTypeScriptTypes(source)
  const felt = edits.filter(({ from, to }) => run.slice(from, to).trim() !== '')
  return felt.map(({ from, to, text }) => ({
    file,
    line: source.slice(0, from).split('\n').length,
    change: `${source.slice(from, to).trim()} → ${text === '' ? 'nothing' : text.trim()}`,
    source: source.slice(0, from) + text + source.slice(to),
  }))
}

/** The source with comments, texts, patterns and types blanked out, position for position, and where its quoted texts stand. */
function mask(source: string): { readonly code: string; readonly texts: readonly { from: number; to: number }[] } {
  const texts: { from: number; to: number }[] = []
  const token =
    /\/\*[\s\S]*?\*\/|\/\/.*|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|(?<=[(=,:?!&|] ?|return )\/(?![/*])(?:[^/\\\n[]|\\.|\[(?:[^\]\\]|\\.)*\])+\/[a-z]*|^(?:import|export type|type|(?:export )?interface)\b[\s\S]*?(?=\n(?:\n|\S))/gm
  const code = source.replace(token, (found: string, at: number) => {
    const isLabel =
      /(?:import|export type|type|interface)\b/.test(found.slice(0, 12)) || /['"]$/.test(source.slice(0, at))
    if (found.startsWith("'") && found.length > 2 && !isLabel) texts.push({ from: at, to: at + found.length })
    return found.replace(/[^\n]/g, '_')
  })
  return { code, texts }
}

function closing(code: string, from: number): number {
  let depth = 1
  let at = from
  for (; depth > 0 && at < code.length; at++) depth += code[at] === '(' ? 1 : code[at] === ')' ? -1 : 0
  return at - 1
}
