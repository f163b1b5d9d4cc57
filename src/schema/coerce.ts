import type { Json } from '../protocol/json.ts'
import {
  endOfString,
  endOfValue,
  isInfiniteLexeme,
  isIntegerLexeme,
  isJsonText,
  isNumberLexeme,
  kindOf,
  skipSpace,
  toNumberLexeme,
} from './json-text.ts'
import { Kind, type Node } from './node.ts'
import { parsePythonLiteral } from './python-literal.ts'

const numeric = Kind.integer | Kind.number

/** JSON text, and in a few words what was changed to get there, when it was more than reading the text by its type. */
export interface Coerced {
  readonly json: string
  readonly changed?: string
}

/** Whether only strings are possible here, so that a value can go out as it arrives. */
export function isTextOnly(node: Node): boolean {
  return node.declared && node.types === Kind.string
}

/** Makes JSON of a literal that is none, if it can. */
export type LiteralReader = (text: string) => string | undefined

/**
 * The text of a tagged parameter as JSON, by what the schema allows there. Tried in the order null, integer, number, boolean,
 * object, array, string. A declared string stays the exact text; digits are never changed. Where only an array can stand,
 * the text may be its one item, or numbers in a row.
 */
export function coerceText(node: Node, text: string): Coerced {
  const read = readText(node, text, parsePythonLiteral)
  if (!isArrayOnly(node) || (kindOf(read.json) & (Kind.array | Kind.null)) !== 0) return read
  return readItems(node, text) ?? read
}

function readText(node: Node, text: string, literal: LiteralReader | undefined): Coerced {
  const trimmed = text.trim()
  const isLiteral = (): boolean => isJsonText(trimmed) && !isInfiniteLexeme(trimmed)
  if (!node.declared) return { json: isLiteral() ? trimmed : JSON.stringify(text) }
  const listed = node.values !== undefined && (node.types & Kind.string) !== 0 ? node.values : []
  for (const spelling of [text, trimmed]) if (listed.includes(spelling)) return { json: JSON.stringify(spelling) }
  const typed = isTextOnly(node) ? undefined : readTyped(node, trimmed, literal)
  if (typed !== undefined) return typed
  const corrected = onlyMatch(listed, trimmed)
  if (corrected !== undefined) return { json: JSON.stringify(corrected), changed: 'enum case' }
  if ((node.types & Kind.string) === 0 && isLiteral()) return { json: trimmed }
  return { json: JSON.stringify(text) }
}

/**
 * A complete JSON value, made to fit the schema where its type does not and the meaning is plain (`"5"` for an integer). What
 * fits, and whatever lies around what is changed, stays byte for byte. With `literal`, strings may also hold what that reads.
 */
export function coerceJson(node: Node, json: string, literal?: LiteralReader): Coerced {
  if (!node.declared || !isJsonText(json.trim())) return { json }
  return coerceNested(node, json, (place, text) => readText(place, text, literal))
}

function readTyped(node: Node, trimmed: string, literal: LiteralReader | undefined): Coerced | undefined {
  const { types } = node
  const allows = (kind: number): boolean => (types & kind) !== 0
  const lower = trimmed.length <= 5 ? trimmed.toLowerCase() : ''
  if ((lower === 'null' || trimmed === 'None') && (allows(Kind.null) || !allows(Kind.string))) return { json: 'null' }
  if (allows(numeric)) {
    const number = readNumber(types, trimmed)
    if (number !== undefined) return number
  }
  if (allows(Kind.boolean)) {
    if (lower === 'true' || lower === 'false') return { json: lower }
    if (!allows(numeric) && (trimmed === '1' || trimmed === '0')) return { json: trimmed === '1' ? 'true' : 'false' }
  }
  if (!allows(Kind.object | Kind.array)) return undefined
  if (trimmed === '' && (types & ~Kind.null) === Kind.object) return { json: '{}' }
  if (trimmed === '' && (types & ~Kind.null) === Kind.array) return { json: '[]' }
  return readStructure(node, trimmed, literal)
}

function readNumber(types: number, trimmed: string): Coerced | undefined {
  if (isIntegerLexeme(trimmed)) return { json: trimmed }
  if (isInfiniteLexeme(trimmed)) return undefined
  const allowsNumber = (types & Kind.number) !== 0
  if (allowsNumber && isNumberLexeme(trimmed)) return { json: trimmed }
  // Where a string would do as well, `007` and `3.` are strings.
  if ((types & Kind.string) !== 0) return undefined
  const lexeme = toNumberLexeme(trimmed)
  if (lexeme === undefined) return undefined
  const json = allowsNumber ? lexeme : lexeme.replace(/\.0+$/, '')
  if (!allowsNumber && !isIntegerLexeme(json)) return undefined
  return { json, changed: 'number form' }
}

function readStructure(node: Node, trimmed: string, literal: LiteralReader | undefined): Coerced | undefined {
  const first = trimmed[0]
  if (first !== '{' && first !== '[' && first !== '(') return undefined
  const json = isJsonText(trimmed) ? trimmed : literal?.(trimmed)
  if (json === undefined || (kindOf(json) & node.types & (Kind.object | Kind.array)) === 0) return undefined
  const nested = coerceNested(node, json, (place, text) => readText(place, text, literal))
  if (json === trimmed) return nested
  return {
    json: nested.json,
    changed: nested.changed === undefined ? 'python literal' : `python literal; ${nested.changed}`,
  }
}

/** An array without its brackets. A text that begins with one is a list that cannot be read, not an item. */
function readItems(node: Node, text: string): Coerced | undefined {
  const trimmed = text.trim()
  if (trimmed.startsWith('[')) return undefined
  const item = node.item(0)
  const json = trimmed.startsWith('"') && isJsonText(trimmed) ? trimmed : readText(item, text, parsePythonLiteral).json
  if (isAccepted(item, json)) return { json: `[${json}]` }
  const numbers = isNumeric(item) ? numbersOf(trimmed) : undefined
  const isFitting = numbers?.every((number, index) => isAccepted(node.item(index), number))
  return isFitting === true ? { json: `[${numbers?.join(',')}]`, changed: 'numbers to array' } : undefined
}

function isNumeric(node: Node): boolean {
  return node.declared && (node.types & numeric) !== 0 && (node.types & Kind.string) === 0
}

/** Numbers between commas, line ends, or both. */
function numbersOf(text: string): readonly string[] | undefined {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const numbers = lines
    .map((line, index) => (index < lines.length - 1 ? line.trim().replace(/,$/, '') : line))
    .flatMap((line) => line.split(',').map((number) => number.trim()))
  return numbers.every((number) => isNumberLexeme(number) && !isInfiniteLexeme(number)) ? numbers : undefined
}

/** The one string of a closed list that differs from the text in case alone. */
function onlyMatch(values: readonly unknown[], text: string): string | undefined {
  const lower = text.toLowerCase()
  const matches = values.filter((value) => typeof value === 'string' && value.toLowerCase() === lower)
  return matches.length === 1 ? (matches[0] as string) : undefined
}

/** Deeper values are left as they are. */
const depthLimit = 200
const container = Kind.array | Kind.object

const kindNames = new Map<number, string>(Object.entries(Kind).map(([name, kind]) => [kind, name]))

function isArrayOnly(node: Node): boolean {
  return node.declared && (node.types & ~Kind.null) === Kind.array
}

/** Whether a value may stand here as it is; of an array or object, whether one may. */
function isAccepted(node: Node, json: string): boolean {
  if (!node.declared) return true
  const kind = kindOf(json)
  if ((kind & node.types) === 0) return false
  return node.values === undefined || (kind & container) !== 0 || node.values.includes(JSON.parse(json) as Json)
}

/** A string that begins with a bracket is a list that cannot be read. */
function isLoneItem(node: Node, raw: string, kind: number): boolean {
  return (kind & container) === 0 && !/^"\s*\[/.test(raw) && isAccepted(node, raw)
}

/** Walks the text of a value, which must be valid JSON, beside its schema and replaces only the values that do not fit. */
function coerceNested(root: Node, json: string, readText: (node: Node, text: string) => Coerced): Coerced {
  const pieces: string[] = []
  const changes: string[] = []
  const path: (string | number)[] = []
  let copied = 0
  let changeCount = 0

  /** Passes over one value from its first character and returns where it ends. */
  function value(node: Node, start: number): number {
    const first = json[start]
    const kind = first === '{' ? Kind.object : first === '[' ? Kind.array : 0
    if (!node.declared) return endOfValue(json, start)
    if (kind !== 0 && (node.types & kind) !== 0 && path.length < depthLimit) {
      return kind === Kind.object ? members(node, start) : items(node, start)
    }
    const end = endOfValue(json, start)
    const raw = json.slice(start, end)
    const fitted = refit(node, raw)
    if (fitted === undefined) return end
    pieces.push(json.slice(copied, start), fitted.json)
    copied = end
    changeCount += 1
    if (changes.length < 3) changes.push(describe(kindOf(raw), fitted))
    return end
  }

  function refit(node: Node, raw: string): Coerced | undefined {
    const kind = kindOf(raw)
    const fits = (kind & numeric) === 0 ? kind & node.types : node.types & numeric
    if (fits !== 0 || kind === Kind.null) return undefined
    if (kind !== Kind.string && (node.types & ~Kind.null) === Kind.string) return { json: JSON.stringify(raw) }
    if (kind === Kind.string) {
      const read = readText(node, JSON.parse(raw) as string)
      if ((kindOf(read.json) & node.types) !== 0) return read
    }
    return isArrayOnly(node) && isLoneItem(node.item(0), raw, kind) ? { json: `[${raw}]` } : undefined
  }

  function members(node: Node, start: number): number {
    let index = skipSpace(json, start + 1)
    while (json[index] !== '}') {
      const nameEnd = endOfString(json, index)
      const name = JSON.parse(json.slice(index, nameEnd)) as string
      // Past the name: the colon, then the value.
      index = skipSpace(json, skipSpace(json, nameEnd) + 1)
      path.push(name)
      index = next(value(node.property(name), index))
      path.pop()
    }
    return index + 1
  }

  function items(node: Node, start: number): number {
    let index = skipSpace(json, start + 1)
    for (let place = 0; json[index] !== ']'; place += 1) {
      path.push(place)
      index = next(value(node.item(place), index))
      path.pop()
    }
    return index + 1
  }

  /** From the end of a value to the next one, or to the closing mark. */
  function next(end: number): number {
    const index = skipSpace(json, end)
    return json[index] === ',' ? skipSpace(json, index + 1) : index
  }

  function describe(from: number, to: Coerced): string {
    const change = `${kindNames.get(from)} to ${kindNames.get(kindOf(to.json))}`
    const place = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('')
    return place === '' ? change : `${change} at ${place.replace(/^\./, '')}`
  }

  value(root, skipSpace(json, 0))
  if (changeCount === 0) return { json }
  pieces.push(json.slice(copied))
  const more = changeCount > changes.length ? [`${changeCount - changes.length} more`] : []
  return { json: pieces.join(''), changed: [...changes, ...more].join('; ') }
}
