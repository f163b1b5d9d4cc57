import { Composer, CST, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml'
import { coerceText } from '../../../schema/coerce.ts'
import { isJsonText } from '../../../schema/json-text.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { findProperty } from '../members.ts'

/** In double quotes, a backslash that begins no escape, as in a pattern, is meant. */
const escapes = /\\(?:[0abtnvfre "/\\N_LP\t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00[01][\da-fA-F]{5})|(\\)/g
const options = { uniqueKeys: false, strict: false, prettyErrors: false, logLevel: 'silent' } as const
const maxDepth = 256

/** A mapping as JSON; undefined when the text is none, or has more tokens than are left. A text of its own costs a few. */
export function readYaml(text: string, node: Node, budget: { tokens: number }): string | undefined {
  // Lists and objects as JSON, of any size.
  const braced = text.startsWith('{') ? text : `{${text}}`
  if (/[[{]/.test(text) && isJsonText(braced)) return braced
  budget.tokens -= 4
  const lexemes = lexemesOf(text, budget)
  if (lexemes === undefined) return undefined
  const parser = new Parser()
  const parsed: CST.Token[] = []
  for (const lexeme of lexemes) parsed.push(...parser.next(lexeme))
  parsed.push(...parser.end())
  const [document, ...others] = new Composer(options).compose(parsed, true, text.length)
  const isRight = others.length === 0 && document?.errors.length === 0
  return isRight && isMap(document?.contents) ? toJson(document.contents, node) : undefined
}

/** What may stand behind a value: on its line, or anywhere between brackets. */
const behindValue = /^[\s,:#\]}]/

/**
 * The lexemes of a text, unless these tell already that it is no YAML: something stands right behind a value, or brackets
 * are too deep. The parser would find that out, too, and make an error with a stack for each.
 */
function lexemesOf(text: string, budget: { tokens: number }): readonly string[] | undefined {
  const lexemes: string[] = []
  let depth = 0
  let isBehindValue = false
  for (const lexeme of new Lexer().lex(text)) {
    if (--budget.tokens < 0 || depth > maxDepth || (isBehindValue && !behindValue.test(lexeme))) return undefined
    const isText = lexemes.at(-1) === CST.SCALAR
    lexemes.push(lexeme.startsWith('"') ? lexeme.replace(escapes, '$&$1') : lexeme)
    if (isText) isBehindValue = /[^\n]$/.test(lexeme)
    else if (/^["'\]}]/.test(lexeme)) isBehindValue = true
    else if (/^[,:]/.test(lexeme) || (depth === 0 && lexeme.includes('\n'))) isBehindValue = false
    if (!isText) depth += /^[[{]$/.test(lexeme) ? 1 : /^[\]}]$/.test(lexeme) ? -1 : 0
  }
  return lexemes
}

/**
 * A YAML value as JSON, its scalars typed by the schema and otherwise as YAML types them. Undefined for what is too
 * deep, and for aliases, which are how a short text becomes a huge one.
 */
function toJson(value: unknown, node: Node, depth = 0): string | undefined {
  if (depth > maxDepth) return undefined
  if (value === null) return 'null'
  if (isScalar(value)) {
    const isPlain = value.type === 'PLAIN'
    const allowsText = (node.types & Kind.string) !== 0
    if (!isPlain && allowsText && node.values === undefined) return JSON.stringify(String(value.value))
    if (isPlain && value.value === null && !allowsText) return 'null'
    return coerceText(node, isPlain ? (value.source ?? '') : String(value.value)).json
  }
  if (isSeq(value)) {
    const items = value.items.map((item, i) => toJson(item, node.item(i), depth + 1))
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
  }
  if (!isMap(value)) return undefined
  const members = value.items.map(({ key, value: member }) => {
    // Half of its quotes was lost.
    if (!isScalar(key) || (key.type === 'PLAIN' && /["'`]/.test(String(key.value)))) return undefined
    const name = String(key.value)
    const json = toJson(member, node.property(findProperty(node, name) ?? name), depth + 1)
    return json && `${JSON.stringify(name)}: ${json}`
  })
  return members.includes(undefined) ? undefined : `{${members.join(', ')}}`
}
