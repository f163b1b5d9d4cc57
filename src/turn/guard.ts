import type { Dialect, Wrapper } from '../dialects/dialect.ts'
import type { Tool } from '../protocol/tool.ts'
import { escapePattern } from './pattern.ts'

/** U+2060 WORD JOINER: invisible, breaks no line, and splits a mark for a tokenizer as well as for a reader. */
const joiner = '\u2060'

/**
 * Keeps what users and tools say from looking like the dialect's own marks, so that a file which talks about tool calls
 * cannot teach the model a call, nor a web page forge one.
 */
export interface Guard {
  /** The text with a word joiner inside every mark. */
  neutralise(text: string): string
  /**
   * What the model said with the joiners it copied taken out, so that a file it read and writes back has none. Applied
   * after calls were told from text, never before. It changes nothing unless something was neutralised, and nothing
   * either when the conversation had word joiners of its own, because then they cannot be told apart.
   */
  restore(text: string): string
}

export function createGuard(dialect: Dialect, tools: readonly Tool[]): Guard {
  const marks = marksOf(dialect, tools)
  if (marks.length === 0) return openGuard
  const pattern = new RegExp(marks.map(escapePattern).join('|'), 'gu')
  let broken = false
  let ambiguous = false
  return {
    neutralise(text) {
      if (text.includes(joiner)) ambiguous = true
      return text.replace(pattern, (mark) => {
        broken = true
        const [first = ''] = mark
        return first + joiner + mark.slice(first.length)
      })
    },
    restore(text) {
      return broken && !ambiguous ? text.replaceAll(joiner, '') : text
    },
  }
}

/** For turns that read nothing: every text stays as it is. */
export const openGuard: Guard = { neutralise: (text) => text, restore: (text) => text }

const placeholder = /\{(?:name|id|key|content)\}/
/** Where a template allows white space: every tag is a mark of its own. */
const seam = /\n|(?<=>)(?=<)/
const shortestMark = 3

/** The marks by which a reader knows calls, reasoning and ends of turns. Marks that are ordinary text are left alone. */
function marksOf(
  { grammar, reasoning = [], dropped = [], teaching }: Dialect,
  tools: readonly Tool[],
): readonly string[] {
  const { section, call: one, frame } = grammar
  const frames = frame === undefined ? [] : [...frame.open, ...frame.body, ...frame.close]
  const call = grammar.faint === true ? [] : [...spellings(section), ...spellings(one), ...frames]
  const results = teaching.result.split(placeholder).filter((literal) => literal.trim().startsWith('<'))
  const marks = new Set<string>()
  for (const line of [...call, ...reasoning.flatMap(spellings), ...dropped, ...results].flatMap((mark) =>
    mark.split(seam),
  )) {
    // What stands before the name is the mark, unless the name itself is.
    const isMark = firstLiteral(line).length >= shortestMark
    if (isMark || !line.includes('{name}')) marks.add(firstLiteral(line))
    else for (const { name } of tools) marks.add(firstLiteral(line.replace('{name}', name)))
  }
  return [...marks].filter((mark) => mark.length >= shortestMark)
}

function spellings(wrapper: Wrapper | undefined): string[] {
  return wrapper === undefined ? [] : [...wrapper.open, ...wrapper.close]
}

function firstLiteral(template: string): string {
  const [literal = ''] = template.split(placeholder)
  return literal.trim()
}
