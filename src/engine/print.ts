import type { Arguments, Dialect } from '../dialects/dialect.ts'
import type { Tool } from '../protocol/tool.ts'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { compileParameters } from '../schema/compile.ts'
import { endOfString, endOfValue, skipSpace } from '../schema/json-text.ts'
import type { Node } from '../schema/node.ts'
import { openerOf, printTemplate } from './template.ts'

type Tagged = Extract<Arguments, { as: 'tagged' }>

export interface PrintedCall {
  readonly id: string
  readonly name: string
  /** JSON text of an object. */
  readonly arguments: string
}

/** Calls as the dialect writes them: what its reader, given the same tools, reads back as the same calls. */
export function printCalls(dialect: Dialect, calls: readonly PrintedCall[], tools: readonly Tool[] = []): string {
  const { section, call, separator, arguments: spec } = dialect.grammar
  const array = spec.as === 'envelope' && spec.array === true
  const printed = calls.map((one) => {
    const slots = { name: one.name, id: one.id }
    const open = printTemplate(call.open[0] ?? '', slots)
    const close = printTemplate(call.close[0] ?? '', slots)
    return open + printArguments(dialect, spec, one, tools) + close
  })
  const all = array ? `[${printed.join(', ')}]` : printed.join(separator)
  return section === undefined ? all : `${section.open[0] ?? ''}${all}${section.close[0] ?? ''}`
}

function printArguments(dialect: Dialect, spec: Arguments, call: PrintedCall, tools: readonly Tool[]): string {
  switch (spec.as) {
    case 'json':
      return call.arguments
    case 'envelope':
      return `{${JSON.stringify(spec.nameKey)}: ${JSON.stringify(call.name)}, ${JSON.stringify(spec.argumentsKey)}: ${call.arguments}}`
    case 'tagged':
      return printTagged(dialect, spec, call, tools)
    default:
      return spec satisfies never
  }
}

function printTagged(dialect: Dialect, spec: Tagged, call: PrintedCall, tools: readonly Tool[]): string {
  const node = compileParameters(tools.find((tool) => tool.name === call.name)?.parameters)
  return membersOf(call.arguments)
    .map(([key, lexeme]) => {
      const value = quoteText(dialect, spec, call, key, toText(node.property(key), lexeme))
      const lines = spec.layout === 'lines' || (spec.layout === 'either' && value.includes('\n'))
      return `${printTemplate(spec.open, { key })}${lines ? `\n${value}\n` : value}${printTemplate(spec.close, { key })}\n`
    })
    .join('')
}

/** A value's text between its tags. A string that would be read as something else where it stands keeps its quotes. */
function toText(node: Node, lexeme: string): string {
  if (!lexeme.startsWith('"')) return lexeme
  const text = JSON.parse(lexeme) as string
  return isTextOnly(node) || coerceText(node, text).json === JSON.stringify(text) ? text : lexeme
}

/** A text that holds the dialect's own marks goes into CDATA, so that it reads back as it was. */
function quoteText(dialect: Dialect, spec: Tagged, call: PrintedCall, key: string, text: string): string {
  const { section, call: wrapper } = dialect.grammar
  const marks = [
    printTemplate(spec.close, { key }),
    openerOf(printTemplate(spec.open, { key })),
    ...wrapper.close.map((close) => openerOf(printTemplate(close, { name: call.name }))),
    ...(section?.close ?? []),
    '<![CDATA[',
  ].filter((mark) => mark !== '')
  if (!marks.some((mark) => text.includes(mark))) return text
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** The members of a JSON object with their values' own text, so that numbers keep their digits. */
function membersOf(json: string): readonly (readonly [key: string, lexeme: string])[] {
  const members: [string, string][] = []
  let at = skipSpace(json, json.indexOf('{') + 1)
  while (json.charAt(at) === '"') {
    const keyEnd = endOfString(json, at)
    const from = skipSpace(json, skipSpace(json, keyEnd) + 1)
    const to = endOfValue(json, from)
    members.push([JSON.parse(json.slice(at, keyEnd)) as string, json.slice(from, to)])
    at = skipSpace(json, to)
    if (json.charAt(at) === ',') at = skipSpace(json, at + 1)
  }
  return members
}

export interface PrintedResult {
  readonly id: string
  readonly name: string
  readonly content: string
}

/** Results as the dialect shows them to the model. */
export function printResults(dialect: Dialect, results: readonly PrintedResult[]): string {
  const { result, resultSeparator } = dialect.teaching
  return results.map(({ id, name, content }) => printTemplate(result, { id, name, content })).join(resultSeparator)
}
