import type { Arguments, Dialect, IdForm } from '../../dialects/dialect.ts'
import type { Tool } from '../../protocol/tool.ts'
import { printTemplate } from '../marks/template.ts'
import { argumentsRule } from './arguments.ts'
import { digits, setOf, union, wordCharacters } from './characters.ts'
import { factored } from './factor.ts'
import { characters, empty, literal, type Rule, repeat, sequence } from './tree.ts'
import type { Means } from './values.ts'

/** What is written around the arguments of one tool's call. */
export interface Shell {
  readonly name: string
  readonly before: Rule
  readonly after: Rule
}

export function shellOf(dialect: Dialect, name: string): Shell {
  const { call, arguments: spec, ids } = dialect.grammar
  const id = idRule(ids, name)
  const around = (template: string): Rule => {
    const [first = '', ...rest] = printTemplate(template, { name }).split('{id}')
    return sequence(literal(first), ...rest.flatMap((part) => [id, literal(part)]))
  }
  const [open, close] = envelopeOf(spec, name, id)
  return {
    name,
    before: sequence(around(call.open[0] ?? ''), open),
    after: sequence(close, around(call.close[0] ?? '')),
  }
}

function envelopeOf(spec: Arguments, name: string, id: Rule): readonly [open: Rule, close: Rule] {
  if (spec.as !== 'envelope') return [empty, empty]
  const written = JSON.stringify(name)
  if (spec.keyed === true) return [literal(`{${written}: `), literal('}')]
  const open = literal(`{${JSON.stringify(spec.nameKey)}: ${written}, ${JSON.stringify(spec.argumentsKey)}: `)
  if (spec.idKey === undefined) return [open, literal('}')]
  return [open, sequence(literal(`, ${JSON.stringify(spec.idKey)}: "`), id, literal('"}'))]
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

/** One call or more, in whatever stands around them. Each tool is a step. */
export function* callsRule(
  dialect: Dialect,
  tools: readonly Tool[],
  isSingle: boolean,
  meansFor: (tool: string) => Means,
): Generator<void, Rule> {
  const [first] = tools
  if (first === undefined) return { kind: 'choice', options: [] }
  const { book } = meansFor(first.name)
  const options: Rule[] = []
  for (const { name, parameters } of tools) {
    const means = meansFor(name)
    const { before, after } = shellOf(dialect, name)
    const inner = book.define(`arguments ${name}`, 'arguments', () => argumentsRule(means, dialect, name, parameters))
    options.push(sequence(before, inner, after))
    book.expect(options.length, tools.length)
    yield
  }
  const call = book.define('call', 'call', () => factored(options))
  const { open, separator, close } = frameOf(dialect)
  const more = isSingle ? empty : repeat(sequence(literal(separator), call), 0)
  return sequence(literal(open), call, more, literal(close))
}
