import { isCutOff } from './cut-off.ts'
import type { Comparison } from './judge.ts'
import { type Finding, type Ground, grounds } from './promises.ts'

const kept = 'The row drops what the model said around its calls.'
const asItWas = 'The row drops a call that cannot be read, or its marks.'
const leaked = 'The row shows marks of calls that it read.'
const isCall = 'It follows from the calls: what is a call is not content, and what is none is.'
const named = 'The row drops markup for a name in it.'
const invented = 'The row holds white space that the model did not write.'
const nothing = 'Marks with nothing between them are no text.'
const thought = 'The row shows a thought.'

/**
 * Why our content differs. `calls` is what the calls rest on where they differ too; undefined when they rest on nothing: then what
 * looks like a call in the content may be one.
 */
export function explainContent(row: Comparison, calls: Ground | undefined): Finding | undefined {
  const content = squeeze(row.got.content)
  const wanted = squeeze(row.vector.expected_content ?? '')
  const spoken = withoutThought(wanted, squeeze(row.got.reasoning))
  if (spoken === wanted) return explain(row, wanted, content, calls)
  const rest = explain(row, spoken, content, calls)
  return spoken === content || rest !== undefined ? { ground: grounds.thoughts, why: thought } : undefined
}

function explain(row: Comparison, wanted: string, content: string, calls: Ground | undefined): Finding | undefined {
  const { vector, got } = row
  const text = squeeze(vector.text)
  if (content === wanted)
    return hasUnsaidSpace(vector.expected_content ?? '', vector.text) ? finding(grounds.content, invented) : undefined
  const more = surplus(content, wanted)
  if (more !== undefined) {
    const isThought = squeeze(vector.expected_reasoning ?? '').includes(more)
    if (!mark.test(more))
      return isSaid(got.content, vector.text) && !isThought ? finding(grounds.content, kept) : undefined
    const isWhole = isWholeElement(more, text)
    if (!row.calls) return calls && (content === text || isWhole) ? finding(calls, isCall) : undefined
    if (!isWhole) return undefined
    if (sensitive.test(more)) return finding(grounds.names, named)
    if (/^<(?:param|arg_)/.test(more)) return undefined
    return finding(isCutOff(text) && !/[>\]]$/.test(text) ? grounds.cutOff : grounds.malformed, asItWas)
  }
  const less = surplus(wanted, content)
  if (less === undefined || mark.test(content)) return undefined
  if (!row.calls) return calls && finding(calls, isCall)
  if (!hasWords(less) && got.calls.length === 0) return finding(grounds.enough, nothing)
  return got.calls.length > 0 && /^[<[{`]/.test(less) ? finding(grounds.content, leaked) : undefined
}

function finding(ground: Ground, why: string): Finding {
  return { ground, why }
}

/** Any character that marks are made of. Prose that has one is taken for a leak. */
const mark = /[<>{}[\]|｜`]/

/** Also with its first letter written as an escape. */
const sensitive = /__proto__|prototype|onstructor/

function squeeze(text: string): string {
  return text.replace(/\s+/g, '')
}

/** What `more` has beyond `less`: one run, at either end or in the middle; or all of it, where it is an element around `less`. */
function surplus(more: string, less: string): string | undefined {
  let same = 0
  while (same < less.length && more[same] === less[same]) same++
  if (more.length > less.length && more.endsWith(less.slice(same)))
    return more.slice(same, more.length - less.length + same)
  return more.includes(`>${less}</`) && /^<([^<>]+)>.*<\/\1>$/.test(more) ? more : undefined
}

/** Whether every word of the content stands in the text, in order. */
function isSaid(content: string, text: string): boolean {
  let at = 0
  return (content.match(/\S+/g) ?? []).every((word) => {
    const found = text.indexOf(word, at)
    at = found + word.length
    return found >= 0
  })
}

function hasUnsaidSpace(wanted: string, text: string): boolean {
  return (wanted.trim().match(/\s/g) ?? []).some((space) => !text.includes(space))
}

/**
 * Whether a run of the text was left as it was: it begins with an opener, has words, and goes on to its closer or to the end. A
 * stray mark is not, nor is a call with marks taken out of it.
 */
function isWholeElement(run: string, text: string): boolean {
  if (run === text) return hasWords(run)
  const isLast = text.endsWith(run)
  const opens = isLast ? /^[,;]?(?:<(?!\/)|[[{]|functools)/ : /^<(?!\/).*>$/
  const closers = [...run.matchAll(/<\/([^<>]+)>/g)]
  return text.includes(run) && opens.test(run) && hasWords(run) && closers.every(([, name]) => run.includes(`<${name}`))
}

function hasWords(run: string): boolean {
  return /\w/.test(run.replace(/<[^<>]*>|functools|\[\/?TOOL_CALLS\]/g, ''))
}

/** The row's content without what we heard as a thought, and without the marks around it. */
function withoutThought(wanted: string, reasoning: string): string {
  return reasoning === '' ? wanted : wanted.replace(reasoning, '').replace(/<\/?think(?:ing)?>/g, '')
}
