import {
  allBut,
  anyCharacter,
  codeOf,
  has,
  intersection,
  setOf,
  union,
  without,
  wordCharacters,
} from '../grammar/characters.ts'
import {
  type CharacterSet,
  characters,
  choice,
  type GrammarTree,
  literal,
  optional,
  type Rule,
  type RuleBook,
  repeat,
  sequence,
} from '../grammar/tree.ts'
import { alphabetOf, splice } from './pattern.ts'
import { otherThan, type TextLimits, textRule } from './text.ts'

/** How values are written: JSON, and what is like it. */
export interface Notation {
  /** Tells it from others. */
  readonly key: string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  /** Where white space may stand. */
  readonly space: Rule
  readonly colon: Rule
  readonly comma: Rule
  /** Any text of these lengths, with its quotes. */
  text(least: number, most: number | undefined): Rule
  /** Texts that a grammar allows, with quotes; undefined where it may say what would not be read as such. */
  matching(texts: GrammarTree): Rule | undefined
  /** This very text. */
  constant(text: string): Rule
  property(name: string): Rule
  /** The name of a property that is none of these. */
  otherProperty(names: readonly string[]): Rule
}

const controls: CharacterSet = [[0, 31]]
const quoted = union(controls, setOf('"\\'))
const hex = characters(union([[48, 57]], [[65, 70]], [[97, 102]]))
const escapes = sequence(
  literal('\\'),
  choice(characters(setOf('"\\/bfnrt')), sequence(literal('u'), repeat(hex, 4, 4))),
)
const shortEscapes = new Map([
  [8, '\\b'],
  [9, '\\t'],
  [10, '\\n'],
  [12, '\\f'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
])

/** Blanks, or a new line and its indentation. */
const layout = optional(choice(literal(' '), sequence(literal('\n'), repeat(characters(setOf('\t ')), 0, 20))))
const blank = optional(literal(' '))

interface JsonOptions {
  /** Must not stand in a string as they are. */
  readonly marks?: readonly string[]
  /** All on one line. */
  readonly isOneLine?: boolean
}

export function jsonNotation(book: RuleBook, { marks = [], isOneLine = false }: JsonOptions = {}): Notation {
  const space = isOneLine ? blank : book.define('space', 'space', () => layout)
  const alphabet = allBut(quoted)
  const opening = setOf(marks.map((mark) => [...mark][0] ?? '').join(''))
  const limits: TextLimits = { literals: marks, alphabet, escapes }
  return {
    key: JSON.stringify([marks, isOneLine]),
    words: { true: 'true', false: 'false', null: 'null' },
    space,
    colon: sequence(literal(':'), space),
    comma: sequence(literal(','), space),
    text: (least, most) =>
      book.define(`string ${JSON.stringify([marks, least, most])}`, 'string', () =>
        sequence(
          literal('"'),
          textRule(book, { ...limits, least, ...(most === undefined ? {} : { most }), following: literal('"') }),
        ),
      ),
    matching: (texts) =>
      sequence(
        literal('"'),
        splice(book, `json ${marks.join(' ')}`, texts, (set) => encode(set, opening)),
        literal('"'),
      ),
    constant: (text) => literal(safe(JSON.stringify(text), marks)),
    property: (name) => literal(safe(JSON.stringify(name), marks)),
    otherProperty: (names) => sequence(literal('"'), otherThan(book, names, without(alphabet, opening)), literal('"')),
  }
}

/** A set of characters as they stand in a JSON string; those that begin marks in their escaped form. */
function encode(set: CharacterSet, opening: CharacterSet): Rule {
  const raw = without(intersection(set, anyCharacter), union(quoted, opening))
  const options = [...shortEscapes].flatMap(([code, text]) => (has(set, code) ? [literal(text)] : []))
  for (const [code] of opening) if (has(set, code)) options.push(literal(escaped(code)))
  return choice(...(raw.length === 0 ? [] : [characters(raw)]), ...options)
}

function escaped(code: number): string {
  return `\\u${code.toString(16).padStart(4, '0')}`
}

/** JSON of a text in which these marks do not stand as they are. */
function safe(json: string, marks: readonly string[]): string {
  return marks.reduce((text, mark) => {
    // The end of CDATA as the printer has it.
    if (mark === ']]>') return text.replaceAll(mark, `]]${escaped(codeOf('>'))}`)
    const [first = '', ...rest] = mark
    return text.replaceAll(mark, escaped(codeOf(first)) + rest.join(''))
  }, json)
}

/** Python's literals: strings as in JSON. */
export function pythonNotation(book: RuleBook): Notation {
  const json = jsonNotation(book, { isOneLine: true })
  return { ...json, key: 'python', words: { true: 'True', false: 'False', null: 'None' } }
}

/** JSON with a mark of its own around strings, and bare keys. */
export function pseudoNotation(book: RuleBook, quote: string): Notation {
  const json = jsonNotation(book)
  const mark = literal(quote)
  const around = (text: string): Rule => (text.includes(quote) ? json.constant(text) : literal(quote + text + quote))
  return {
    key: `pseudo ${quote}`,
    words: json.words,
    space: literal(''),
    colon: literal(':'),
    comma: literal(','),
    text: (least, most) =>
      choice(
        sequence(
          mark,
          textRule(book, { literals: [quote], least, ...(most === undefined ? {} : { most }), following: mark }),
        ),
        json.text(least, most),
      ),
    matching: (texts) =>
      has(alphabetOf(texts), codeOf(quote))
        ? undefined
        : sequence(mark, splice(book, 'plain', texts, characters), mark),
    constant: around,
    property: (name) => (/^[\w.-]+$/.test(name) ? literal(name) : around(name)),
    otherProperty: (names) => otherThan(book, names, union(wordCharacters, setOf('.-'))),
  }
}
