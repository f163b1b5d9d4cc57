import { Composer, type CST, isMap, isScalar, isSeq, Lexer, Parser } from 'yaml'
import { coerceText, isTextOnly } from '../schema/coerce.ts'
import { isJsonText } from '../schema/json-text.ts'
import { Kind, type Node } from '../schema/node.ts'

/**
 * What parsing may still cost, a character 1 and a token 64: some four thousand tokens, or a quarter of a megabyte, which
 * takes 40 ms at worst.
 */
export interface Budget {
  left: number
}

export function createBudget(): Budget {
  return { left: 1 << 18 }
}

const costOfToken = 64

/** A mapping as JSON; undefined when the text is none, or costs more than is left. */
export function readYaml(text: string, node: Node, budget: Budget): string | undefined {
  const contents = parse(text, budget)
  return isMap(contents) ? toJson(contents, node) : undefined
}

/** What stands after a member's colon, as JSON. */
export function readYamlValue(text: string, node: Node, budget: Budget): string | undefined {
  const line = text.trim()
  if (/^["[{]/.test(line) && isJsonText(line))
    return line.startsWith('"') ? coerceQuoted(JSON.parse(line) as string, node) : line
  // Brackets need no indentation to be understood, once they stand alone.
  if (/^[[{]/.test(line)) return toJson(parse(line, budget), node)
  const contents = parse(`k: ${text}`, budget)
  return isMap(contents) && contents.items.length === 1 ? toJson(contents.items[0]?.value, node) : undefined
}

const options = { uniqueKeys: false, strict: false, prettyErrors: false, logLevel: 'silent' } as const

function parse(text: string, budget: Budget): unknown {
  budget.left -= text.length + 4 * costOfToken
  if (budget.left < 0) return undefined
  const parser = new Parser()
  const tokens: CST.Token[] = []
  for (const lexeme of new Lexer().lex(text)) {
    budget.left -= costOfToken
    if (budget.left < 0) return undefined
    tokens.push(...parser.next(lexeme.startsWith('"') ? mendEscapes(lexeme) : lexeme))
  }
  tokens.push(...parser.end())
  const [document, ...others] = new Composer(options).compose(tokens, true, text.length)
  return document === undefined || others.length > 0 || document.errors.length > 0 ? undefined : document.contents
}

const escapes = /\\(?:([0abtnvfre "/\\N_LP\t\r\n]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U00(?:0[\da-fA-F]|10)[\da-fA-F]{4})|)/g

/** In double quotes, a backslash that begins no escape, as in a pattern, is meant. */
export function mendEscapes(quoted: string): string {
  return quoted.replace(escapes, (written, known?: string) => (known === undefined ? '\\\\' : written))
}

const maxDepth = 256

/**
 * A YAML value as JSON, its scalars typed by the schema and otherwise as YAML types them. Undefined for what is too deep,
 * and for aliases, which are how a short text becomes a huge one.
 */
function toJson(value: unknown, node: Node, depth = 0): string | undefined {
  if (depth > maxDepth) return undefined
  if (value === null) return 'null'
  if (isScalar(value)) {
    if (value.type !== 'PLAIN') return coerceQuoted(String(value.value), node)
    const isNull = value.value === null && node.declared && (node.types & Kind.string) === 0
    if (isNull || (typeof value.value === 'string' && !node.declared)) return JSON.stringify(value.value)
    return coerceText(node, value.source ?? '').json
  }
  if (isSeq(value)) {
    const items = value.items.map((item, i) => toJson(item, node.item(i), depth + 1))
    return items.includes(undefined) ? undefined : `[${items.join(', ')}]`
  }
  if (!isMap(value)) return undefined
  const members = value.items.map(({ key, value: member }) => {
    const name = String(isScalar(key) ? key.value : key)
    const json = toJson(member, node.property(name), depth + 1)
    return json && `${JSON.stringify(name)}: ${json}`
  })
  return members.includes(undefined) ? undefined : `{${members.join(', ')}}`
}

/** Text in quotes or in a block: a string wherever one may stand. */
export function coerceQuoted(text: string, node: Node): string {
  const isListed = isTextOnly(node) && node.values !== undefined
  const isTyped = node.declared && (node.types & Kind.string) === 0
  return isListed || isTyped ? coerceText(node, text).json : JSON.stringify(text)
}
