import type { Dialect } from '../../../dialects/dialect.ts'
import { printTemplate } from '../../../engine/marks/template.ts'
import { printCalls } from '../../../engine/print.ts'
import { asFunction } from '../../../protocol/custom.ts'
import type { Tool, ToolChoice } from '../../../protocol/tool.ts'
import { listings } from './listing.ts'
import { listAsTypeScript } from './listings/typescript.ts'
import { type ListingStyle, shortenTools } from './shorten.ts'

/** What a model is told about tools: the same bytes for the same tools, so that its prompt cache stays warm. */
export function teach(dialect: Dialect, tools: readonly Tool[], style: ListingStyle = 'full'): string {
  return dialect.teaching.intro + listTools(dialect, tools.map(asFunction), style) + sayRules(dialect)
}

/** Tools as the dialect declares them, or as signatures between its marks. */
export function listTools(dialect: Dialect, tools: readonly Tool[], style: ListingStyle): string {
  const { tools: listing } = dialect.teaching
  const list = style === 'signatures' ? listAsTypeScript : listings[listing.style]
  const listed = shortenTools(tools, style).map((tool) => list(tool, dialect))
  return listing.open + listed.join(listing.separator) + listing.close
}

/** What stands after the tools, whatever they are. */
export function sayRules(dialect: Dialect): string {
  return dialect.teaching.rules.replaceAll('{example}', () => printPattern(dialect))
}

/** Nothing in it can be taken for an argument of a real tool. */
const placeholder = {
  id: 'call_1',
  name: 'tool_name',
  arguments: '{"parameter_1": "value_1", "parameter_2": "value_2"}',
}

function printPattern(dialect: Dialect): string {
  return printCalls(dialect, [placeholder])
}

/** Where the model stands: it must call, a call of it has just failed, it was told results, or it was asked something. */
export const standings = ['forced', 'failed', 'told', 'asked'] as const
export type Standing = (typeof standings)[number]

/**
 * One line for where the model looks last, in parentheses, because it is not the user's. It names the mark a call begins with: shown
 * the whole pattern, small models copy the pattern (docs/real-models.md).
 */
export function remind(dialect: Dialect, standing: Standing): string {
  const mark = firstMarkOf(dialect)
  const inMark = mark === '' ? '' : ` in ${mark}`
  switch (standing) {
    case 'forced':
      return `(Reply with a call${inMark} and nothing else.)`
    case 'failed':
      return `(A call failed. If it can be put right, reply with the corrected call${inMark} and nothing else.)`
    case 'told':
      return `(If another call is needed, reply with it${inMark} and nothing else. Otherwise answer in words.)`
    case 'asked':
      return `(If a tool helps, reply with the call${inMark} and nothing else. If none is needed, answer in words.)`
  }
}

/** The first tag, token or word that a call begins with; nothing where that is its name, a bracket or a message's header. */
function firstMarkOf({ grammar, reasoning = [] }: Dialect): string {
  const { section, call, marks, frame } = grammar
  if (frame !== undefined) return ''
  const opener = (section !== undefined && marks !== 'none' ? section.open[0] : undefined) ?? call.open[0] ?? ''
  const [line = ''] = opener.trim().split('\n')
  const mark = /^<[^<>]*>/.exec(line)?.[0] ?? line.split(/\{(?:name|id)\}/, 1)[0] ?? ''
  // What thoughts begin with too opens any message.
  const isShared = reasoning.some(({ open }) => open.some((thought) => thought.startsWith(mark)))
  return isShared || /^[[{(]?$/.test(mark) ? '' : printTemplate(mark.trim(), { name: placeholder.name })
}

export const mustCall = 'Your next answer must call a tool.'
export const mustCallOneOfThem = 'Your next answer must call one of them.'
export const onlyOneCall = 'Call at most one tool in an answer.'

/**
 * What the client asks of this one answer, in words. It stands after the taught tools and not among them: the directive may
 * change from turn to turn, the tools before it stay the same bytes.
 */
export function printDirectives(choice: ToolChoice | undefined, onlyOne: boolean): string {
  const directives: string[] = []
  if (choice?.mode === 'required') directives.push(mustCall)
  if (choice?.mode === 'named') directives.push(`Your next answer must call the tool ${choice.name} and no other tool.`)
  if (choice?.mode === 'allowed') {
    directives.push(`For now, use only these tools: ${choice.names.join(', ')}.`)
    if (choice.required) directives.push(mustCallOneOfThem)
  }
  if (onlyOne) directives.push(onlyOneCall)
  return directives.join(' ')
}
