import { type Arguments, type Dialect, hasFaintMarks, type IdForm } from '../../../dialects/dialect.ts'
import { grammarOf } from '../../../protocol/custom.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { printTemplate } from '../../marks/template.ts'
import { digits, setOf, union, wordCharacters } from '../grammar/characters.ts'
import { factored } from '../grammar/factor.ts'
import { characters, choice, empty, literal, type Rule, repeat, sequence } from '../grammar/tree.ts'
import { readTextGrammar } from '../texts/text-grammar.ts'
import { jsonNotation } from '../values/notation.ts'
import type { Means } from '../values/values.ts'
import { argumentsRule } from './arguments.ts'

/** What is written around the arguments of one tool's call. */
export interface Shell {
  readonly name: string
  readonly before: Rule
  readonly after: Rule
}

/** `space`: where its JSON may have white space, if that may be any. */
export function shellOf(dialect: Dialect, name: string, space?: Rule): Shell {
  const { call, arguments: spec, ids } = dialect.grammar
  const id = idRule(ids, name)
  const around = (template: string): Rule => {
    const [first = '', ...rest] = printTemplate(template, { name }).split('{id}')
    return sequence(literal(first), ...rest.flatMap((part) => [id, literal(part)]))
  }
  const [open, close] = envelopeOf(spec, name, id, space)
  const openers = space === undefined ? call.open.slice(0, 1) : call.open
  return {
    name,
    before: sequence(openers.length === 0 ? empty : choice(...openers.map(around)), open),
    after: sequence(close, around(call.close[0] ?? '')),
  }
}

function envelopeOf(spec: Arguments, name: string, id: Rule, space?: Rule): readonly [open: Rule, close: Rule] {
  if (spec.as !== 'envelope') return [empty, empty]
  const put = (json: string) => spaced(json, space)
  const written = JSON.stringify(name)
  if (spec.keyed === true) return [put(`{${written}: `), put('}')]
  const open = put(`{${JSON.stringify(spec.nameKey)}: ${written}, ${JSON.stringify(spec.argumentsKey)}: `)
  if (spec.idKey === undefined) return [open, put('}')]
  return [open, sequence(put(`, ${JSON.stringify(spec.idKey)}: `), literal('"'), id, literal('"'), put('}'))]
}

/** A piece of JSON with its white space as it is printed, or as it may be. */
function spaced(json: string, space: Rule | undefined): Rule {
  if (space === undefined) return literal(json)
  const signs = json.match(/"(?:[^"\\]|\\.)*"|[^\s"]/g) ?? []
  return sequence(
    ...signs.map((sign) => {
      if (sign === '}' || sign === ']') return sequence(space, literal(sign))
      return sign.startsWith('"') ? literal(sign) : sequence(literal(sign), space)
    }),
  )
}

/**
 * Whether calls are bare JSON, for which there is no mark: a model that may also speak writes it as it is used to, and all of that
 * has to be a call.
 */
export function isBareJson({ grammar }: Dialect): boolean {
  return hasFaintMarks(grammar) && grammar.arguments.as === 'envelope'
}

function idRule(form: IdForm | undefined, name: string): Rule {
  if (form === undefined) return repeat(characters(union(wordCharacters, setOf('-'))), 1, 64)
  if ('alphabet' in form) return repeat(characters(setOf(form.alphabet)), form.length, form.length)
  const [before = '', after = ''] = printTemplate(form.template, { name }).split('{number}')
  return sequence(literal(before), repeat(characters(digits), 1, 4), literal(after))
}

/** What stands around all calls and between two of them. */
export interface Frame {
  readonly open: string
  readonly separator: string
  readonly close: string
}

export function frameOf({ grammar }: Dialect): Frame {
  const { section, separator, arguments: spec, marks } = grammar
  const isBare = section === undefined || marks === 'none'
  const list = spec.as === 'envelope' && spec.array === true
  const key = spec.as === 'envelope' && spec.listKey !== undefined ? `{${JSON.stringify(spec.listKey)}: ` : ''
  return {
    open: `${isBare ? '' : (section.open[0] ?? '')}${key}${list ? '[' : ''}`,
    separator: list ? ', ' : separator,
    close: `${list ? ']' : ''}${key === '' ? '' : '}'}${isBare ? '' : (section.close[0] ?? '')}`,
  }
}

/** A call that is forced has no words after it: without a bound, a small model goes on calling until its tokens are spent. */
const mostForcedCalls = 8

interface Manner {
  readonly isSingle: boolean
  /** Its JSON may have any white space. */
  readonly isLoose: boolean
  /** The answer has to be calls. */
  readonly isForced: boolean
}

/** One call or more, in whatever stands around them. Each tool is a step. */
export function* callsRule(
  dialect: Dialect,
  tools: readonly Tool[],
  { isSingle, isLoose, isForced }: Manner,
  meansFor: (tool: string) => Means,
): Generator<void, Rule> {
  const [first] = tools
  if (first === undefined) return { kind: 'choice', options: [] }
  const { book } = meansFor(first.name)
  const space = isLoose ? jsonNotation(book).space : undefined
  const options: Rule[] = []
  for (const tool of tools) {
    const { name, parameters } = tool
    const grammar = grammarOf(tool)
    const means = { ...meansFor(name), texts: grammar && readTextGrammar(grammar) }
    if (grammar !== undefined && means.texts === undefined) means.widen('grammar')
    const { before, after } = shellOf(dialect, name, space)
    const inner = book.define(`arguments ${name}`, 'arguments', () => argumentsRule(means, dialect, name, parameters))
    options.push(sequence(before, inner, after))
    book.expect(options.length, tools.length)
    yield
  }
  const call = book.define('call', 'call', () => factored(options))
  const { open, separator, close } = frameOf(dialect)
  const [mark, list] = [open.slice(0, open.search(/[[{]|$/)), open.slice(open.search(/[[{]|$/))]
  const next = separator.trim() === '' ? literal(separator) : spaced(separator, space)
  const [ended, rest] = [close.slice(0, close.search(/[^\]}]|$/)), close.slice(close.search(/[^\]}]|$/))]
  const more = isSingle ? empty : repeat(sequence(next, call), 0, isForced ? mostForcedCalls - 1 : undefined)
  return sequence(literal(mark), spaced(list, space), call, more, spaced(ended, space), literal(rest))
}
