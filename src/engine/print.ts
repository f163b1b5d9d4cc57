import type { Arguments, Dialect } from '../dialects/dialect.ts'
import type { Tool } from '../protocol/tool.ts'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { compileParameters } from '../schema/compile.ts'
import { endOfString, endOfValue, skipSpace } from '../schema/json-text.ts'
import type { Node } from '../schema/node.ts'
import { closersOf, pairsOf } from './marks/closers.ts'
import { toDialectId } from './marks/ids.ts'
import { openerOf, printTemplate } from './marks/template.ts'

export type Tagged = Extract<Arguments, { as: 'tagged' }>

/** A call as it is printed. */
export interface PrintedCall {
  readonly id: string
  readonly name: string
  /** JSON text of an object. */
  readonly arguments: string
}

/**
 * Calls as the dialect writes them: what its reader, given the same tools, reads back as the same calls. `ordinal` is the
 * number of calls before these in the conversation, for dialects that count.
 */
export function printCalls(
  dialect: Dialect,
  calls: readonly PrintedCall[],
  tools: readonly Tool[] = [],
  ordinal = 0,
): string {
  const { section, call, separator, arguments: spec, marks, ids } = dialect.grammar
  const array = spec.as === 'envelope' && spec.array === true
  const printed = calls.map((one, i) => {
    const slots = { name: one.name, id: toDialectId(ids, one.id, one.name, ordinal + i) }
    const open = printTemplate(call.open[0] ?? '', slots)
    const close = printTemplate(call.close[0] ?? '', slots)
    return open + printArguments(dialect, spec, { ...one, id: slots.id }, tools) + close
  })
  const list = array ? `[${printed.join(', ')}]` : printed.join(separator)
  const all = spec.as === 'envelope' && spec.listKey !== undefined ? `{${JSON.stringify(spec.listKey)}: ${list}}` : list
  return section === undefined || marks === 'none' ? all : `${section.open[0] ?? ''}${all}${section.close[0] ?? ''}`
}

function printArguments(dialect: Dialect, spec: Arguments, call: PrintedCall, tools: readonly Tool[]): string {
  switch (spec.as) {
    case 'json':
      return spec.cdata === true ? `<![CDATA[${call.arguments.replaceAll(']]>', ']]\\u003e')}]]>` : call.arguments
    case 'envelope':
      return printEnvelope(spec, call)
    case 'tagged':
      return printTagged(dialect, spec, call, tools)
    case 'keywords':
      return printKeywords(call.arguments)
    case 'pseudo':
      return printIn(pseudo(spec.quote, dialect.grammar.call.open.map(openerOf)[0] ?? spec.quote), call.arguments)
    case 'yaml':
      return `\n${partsOf(call.arguments)
        .map(([key, lexeme]) => `${JSON.stringify(key)}: ${lexeme.replaceAll('<', '\\u003c')}\n`)
        .join('')}`
    default:
      return spec satisfies never
  }
}

function printEnvelope(spec: Extract<Arguments, { as: 'envelope' }>, call: PrintedCall): string {
  const name = JSON.stringify(call.name)
  if (spec.keyed === true) return `{${name}: ${call.arguments}}`
  const id = spec.idKey === undefined ? '' : `, ${JSON.stringify(spec.idKey)}: ${JSON.stringify(call.id)}`
  return `{${JSON.stringify(spec.nameKey)}: ${name}, ${JSON.stringify(spec.argumentsKey)}: ${call.arguments}${id}}`
}

/** How values are written that are not written as JSON. */
interface Notation {
  readonly text: (text: string) => string
  readonly key: (key: string) => string
  readonly comma: string
  readonly colon: string
  readonly words?: Readonly<Record<string, string>>
}

const python: Notation = {
  text: JSON.stringify,
  key: JSON.stringify,
  comma: ', ',
  colon: ': ',
  words: { true: 'True', false: 'False', null: 'None' },
}

/** With the dialect's own mark around strings. */
function pseudo(quote: string, opener: string): Notation {
  const text = (text: string): string =>
    text.includes(quote) || text.includes(opener) ? JSON.stringify(text) : `${quote}${text}${quote}`
  return { text, key: (key) => (/^[\w.-]+$/.test(key) ? key : text(key)), comma: ',', colon: ':' }
}

/** A JSON value in another notation. */
function printIn(notation: Notation, lexeme: string): string {
  if (lexeme.startsWith('"')) return notation.text(JSON.parse(lexeme) as string)
  if (!/^[{[]/.test(lexeme)) return notation.words?.[lexeme] ?? lexeme
  const isObject = lexeme.startsWith('{')
  const parts = partsOf(lexeme).map(
    ([key, value]) => (isObject ? notation.key(key) + notation.colon : '') + printIn(notation, value),
  )
  return isObject ? `{${parts.join(notation.comma)}}` : `[${parts.join(notation.comma)}]`
}

/** Keyword arguments; where a key is no name, all of them as one dict. */
function printKeywords(json: string): string {
  const members = partsOf(json)
  if (!members.every(([key]) => /^[\p{L}_][\p{L}\p{N}_]*$/u.test(key))) return printIn(python, json)
  return members.map(([key, lexeme]) => `${key}=${printIn(python, lexeme)}`).join(', ')
}

function printTagged(dialect: Dialect, spec: Tagged, call: PrintedCall, tools: readonly Tool[]): string {
  const node = compileParameters(tools.find((tool) => tool.name === call.name)?.parameters)
  return partsOf(call.arguments)
    .map(([key, lexeme]) => {
      const value = printValue(dialect, spec, call.name, key, node.property(key), lexeme)
      const lines =
        spec.layout === 'lines' ||
        (spec.layout === 'either' && (value.includes('\n') || (spec.trims === true && value !== value.trim())))
      const slots = { key, string: String(lexeme.startsWith('"')), type: typeOf(JSON.parse(lexeme)) }
      return `${printTemplate(spec.open, slots)}${lines ? `\n${value}\n` : value}${printTemplate(spec.close, { key })}${spec.isCompact === true ? '' : '\n'}`
    })
    .join('')
}

/** The text between the tags of one argument of a call. */
export function printValue(
  dialect: Dialect,
  spec: Tagged,
  name: string,
  key: string,
  own: Node,
  lexeme: string,
): string {
  const isText = lexeme.startsWith('"')
  const text = isText ? (JSON.parse(lexeme) as string) : lexeme
  const doubtful = isText && isDoubtful(own, text)
  // Where nothing is declared, the JSON string itself says what it is.
  return quoteText(dialect, spec, name, key, doubtful && !own.declared ? lexeme : text, doubtful && own.declared)
}

/** The name of a value's type in JSON. */
export function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}

/** Whether a text would be read as something else where it stands, or lose a character at its ends. */
function isDoubtful(node: Node, text: string): boolean {
  if (/^\r|\r$/.test(text)) return true
  return !(isTextOnly(node) && node.values === undefined) && coerceText(node, text).json !== JSON.stringify(text)
}

/** A text that holds the dialect's own marks, or would be mistaken, goes into CDATA, so that it reads back as it was. */
function quoteText(dialect: Dialect, spec: Tagged, name: string, key: string, text: string, quote: boolean): string {
  if (spec.entities === true && !quote) return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  if (!quote && !marksInValue(dialect, spec, name, key).some((mark) => text.includes(mark))) return text
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** The marks that would not be read as part of a value that stands between its tags as it is. */
export function marksInValue(dialect: Dialect, spec: Tagged, name: string, key: string): readonly string[] {
  return [
    printTemplate(spec.close, { key }),
    openerOf(printTemplate(spec.open, { key })),
    ...[spec, ...(spec.also ?? [])].map(({ open }) => openerOf(open)).filter((opener) => opener.length > 1),
    ...[...pairsOf(dialect, { name }).values()].flat(),
    ...closersOf(dialect, name),
    '<![CDATA[',
  ].filter((mark) => mark !== '')
}

/** The members of a JSON object, or the items of an array, with their own text, so that numbers keep their digits. */
function partsOf(json: string): readonly (readonly [key: string, lexeme: string])[] {
  const parts: [string, string][] = []
  const isArray = json.startsWith('[')
  let at = skipSpace(json, isArray ? 1 : json.indexOf('{') + 1)
  while (isArray ? at < json.length && json.charAt(at) !== ']' : json.charAt(at) === '"') {
    const keyEnd = isArray ? at : endOfString(json, at)
    const from = isArray ? at : skipSpace(json, skipSpace(json, keyEnd) + 1)
    const to = endOfValue(json, from)
    parts.push([isArray ? '' : (JSON.parse(json.slice(at, keyEnd)) as string), json.slice(from, to)])
    at = skipSpace(json, to)
    if (json.charAt(at) === ',') at = skipSpace(json, at + 1)
  }
  return parts
}

/** A result as it is printed. */
export interface PrintedResult {
  readonly id: string
  readonly name: string
  readonly content: string
  /** The place of its call among all calls of the conversation. */
  readonly ordinal?: number
}

/** Results as the dialect shows them to the model. */
export function printResults(dialect: Dialect, results: readonly PrintedResult[]): string {
  const { result, resultSeparator } = dialect.teaching
  return results
    .map(({ id, name, content, ordinal = 0 }) =>
      printTemplate(result, { id: toDialectId(dialect.grammar.ids, id, name, ordinal), name, content }),
    )
    .join(resultSeparator)
}
