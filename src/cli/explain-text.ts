import { printTable } from './table.ts'
import type { Terminal } from './terminal.ts'

/** What a model said, taken apart; the field names are those of `explain --batch`. */
export interface Explanation {
  readonly content: string | null
  readonly reasoning: string | null
  readonly tool_calls: readonly { readonly name: string; readonly arguments: string }[]
  readonly finish_reason: string | null
  readonly dialect: string | null
  readonly notes: readonly ExplainedNote[]
}

export interface ExplainedNote {
  readonly kind: string
  readonly detail?: string
  /** Which call it is about, counted from 0. */
  readonly index?: number
}

/** One stretch of the answer, in the order it was said. */
export interface Stretch {
  readonly kind: 'text' | 'reasoning' | 'call' | 'broken call'
  /** The words, or the call's name. */
  readonly text: string
}

/** For the eye: the answer with its calls and thoughts marked, the calls as a table, the notes with their reasons. */
export function printExplanation(said: readonly Stretch[], explanation: Explanation, paint: Terminal['paint']): string {
  const { tool_calls: calls, notes, dialect, finish_reason: finish } = explanation
  const sections = [printSaid(said, paint)]
  if (calls.length > 0) {
    const rows = calls.map((call, index) => [String(index + 1), call.name, call.arguments])
    sections.push(paint('bold', 'Calls'), printTable(['#', 'NAME', 'ARGUMENTS'], rows))
  } else sections.push(`${paint('bold', 'Calls')}\nnone: all of it is text\n`)
  if (notes.length > 0) sections.push(`${paint('bold', 'Notes')}\n${notes.map(printNote).join('')}`)
  sections.push(paint('dim', `dialect ${dialect ?? 'none'}, finish_reason ${finish ?? 'none'}\n`))
  return sections.join('\n')
}

function printSaid(said: readonly Stretch[], paint: Terminal['paint']): string {
  let calls = 0
  return said
    .map(({ kind, text }) => {
      switch (kind) {
        case 'text':
          return `${text.replace(/\n*$/, '')}\n`
        case 'reasoning':
          return `${text
            .trim()
            .split('\n')
            .map((line) => paint('dim', `│ ${line}`))
            .join('\n')}\n`
        case 'call':
          return `${paint('cyan', `▶ call ${++calls}: ${text}`)}\n`
        case 'broken call':
          return `${paint('red', '✗ a call that cannot be used; as it was said:')}\n${text.replace(/\n*$/, '')}\n`
      }
    })
    .join('')
}

function printNote({ kind, detail, index }: ExplainedNote): string {
  const reason = reasons[kind.replaceAll('_', '-')]
  const about = index === undefined ? '' : ` (call ${index + 1})`
  const words = [reason, detail].filter((part) => part !== undefined).join(': ')
  return `- ${kind}${about}${words === '' ? '' : `: ${words}`}\n`
}

/** Why something is noted, in words. A kind that is not here speaks for itself. */
const reasons: Readonly<Record<string, string>> = {
  'arguments-first': 'the arguments stood before the name',
  'arguments-repaired': 'the arguments were not in the form the dialect asks for',
  'closer-missing': 'the mark that ends it was left out',
  coerced: "a value was brought to the type the tool's schema declares",
  'cut-after-first-call': 'only the first call counts here, and what followed it was dropped',
  echo: 'the request itself contains this text, so it is a quotation and no call',
  'fence-removed': 'a code fence held nothing but the call',
  'json-repaired': 'the JSON was not quite JSON',
  'mark-dropped': 'a mark that belongs to nothing was left out of the text',
  'name-corrected': 'the name differed from the tool only in its spelling',
  'thought-unclosed': 'the thought was never ended',
  'unknown-tool': 'no tool of this name was offered',
}
