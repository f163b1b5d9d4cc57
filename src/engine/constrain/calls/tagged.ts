import type { Dialect } from '../../../dialects/dialect.ts'
import type { Json, JsonObject } from '../../../protocol/json.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { printTemplate } from '../../marks/template.ts'
import { marksInValue, printValue, type Tagged, typeOf } from '../../print.ts'
import { anyCharacter, intersection, setOf, union, without, wordCharacters } from '../grammar/characters.ts'
import { oneOf } from '../grammar/factor.ts'
import { characters, choice, type GrammarTree, literal, optional, type Rule, sequence } from '../grammar/tree.ts'
import { largest, smallest } from '../values/keywords.ts'
import { jsonNotation } from '../values/notation.ts'
import { alphabetOf, splice } from '../values/pattern.ts'
import { canCount, otherThan, type TextLimits, textRule } from '../values/text.ts'
import { textsWithout } from '../values/texts-without.ts'
import { type Means, Values } from '../values/values.ts'

const kindNames: readonly (readonly [name: string, kinds: number])[] = [
  ['number', Kind.number | Kind.integer],
  ['boolean', Kind.boolean],
  ['null', Kind.null],
  ['array', Kind.array],
  ['object', Kind.object],
]

const entities = choice(...['&amp;', '&lt;', '&gt;', '&quot;', '&apos;'].map(literal))

/** Arguments as one element each. */
export function taggedArguments(
  means: Means,
  dialect: Dialect,
  spec: Tagged,
  tool: string,
  node: Node,
  rules: readonly JsonObject[],
): Rule {
  const plain = new Values(means, jsonNotation(means.book))
  return plain.members(node, rules, literal(''), {
    key: `tagged ${tool}`,
    member: (name, member) => element(means, dialect, spec, tool, name, member),
    other(names, member) {
      // Two names that must be the same are more than a grammar can say.
      if (/\{key\}/.test(spec.close)) {
        means.widen('additionalProperties')
        return undefined
      }
      const key = otherThan(means.book, names, union(wordCharacters, setOf('-')))
      return element(means, dialect, spec, tool, '', member, key)
    },
  })
}

function element(
  means: Means,
  dialect: Dialect,
  spec: Tagged,
  tool: string,
  name: string,
  node: Node,
  key: Rule = literal(name),
): Rule {
  const marks = valueMarks(means, dialect, spec, tool, name)
  const close = sequence(literal(printTemplate(spec.close, { key: name })), optional(literal('\n')))
  const json = new Values(means, jsonNotation(means.book, { marks }))
  const quoted = new Values(means, jsonNotation(means.book, { marks: [']]>'] }))

  /** `isAny`: a text that may begin and end with a new line by itself. */
  function around(type: string, value: Rule, isAny: boolean): Rule {
    const [before = '', ...after] = printTemplate(spec.open, { type, string: String(type === 'string') }).split('{key}')
    const open = sequence(literal(before), ...after.flatMap((part) => [key, literal(part)]))
    const lines = sequence(literal('\n'), value, literal('\n'))
    const isBoth = spec.layout === 'either' && !isAny
    const placed = spec.layout === 'lines' ? lines : isBoth ? choice(value, lines) : value
    return sequence(open, placed, close)
  }

  function valuesOf(kinds: number): Rule {
    const value = json.ofKinds(node, kinds)
    const nests = (kinds & (Kind.array | Kind.object) & node.types) !== 0
    if (!nests || !means.detail.quotations) return value
    const inside = quoted.ofKinds(node, kinds & (Kind.array | Kind.object))
    return choice(value, sequence(literal('<![CDATA['), inside, literal(']]>')))
  }

  const constant = (value: Json): Rule => {
    const printed = literal(printValue(dialect, spec, tool, name, node, JSON.stringify(value)))
    return typeof value === 'object' ? choice(printed, json.constant(value)) : printed
  }
  const isTyped = /\{(?:type|string)\}/.test(spec.open)
  const options: Rule[] = []
  const listed = means.detail.schemas ? node.values : undefined
  if (listed !== undefined) {
    if (!isTyped) return around('', oneOf(listed.map(constant)), false)
    for (const type of new Set(listed.map(typeOf))) {
      const values = listed.filter((value) => typeOf(value) === type)
      options.push(around(type, oneOf(values.map(constant)), false))
    }
    return choice(...options)
  }
  const isFree = !node.declared || !means.detail.schemas
  const types = isFree ? Kind.any : node.types
  if (!isFree && !isTyped && (types & Kind.string) !== 0 && node.branches.some(isBounded)) means.widen('anyOf')
  const texts = (types & Kind.string) === 0 ? [] : textsOf(means, spec, marks, isFree ? [] : node.branches, json)
  for (const { rule, isAny } of texts) {
    options.push(around('string', rule, isAny))
    // Whatever else could stand here is a text as well.
    if (isAny && !isTyped) return choice(...options)
  }
  if (isTyped && /\{type\}/.test(spec.open)) {
    for (const [type, kinds] of kindNames) if ((types & kinds) !== 0) options.push(around(type, valuesOf(kinds), false))
  } else if ((types & ~Kind.string) !== 0) options.push(around('other', valuesOf(Kind.any & ~Kind.string), false))
  return choice(...options)
}

/** What a value that is no text has to keep to. */
const bounds = [
  ...['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  ...['items', 'prefixItems', 'minItems', 'maxItems', 'properties', 'required', 'additionalProperties'],
]

/** Beside a text, where nothing tells which it is: a text that looks like this one is read as one. */
function isBounded({ node, rules }: Node['branches'][number]): boolean {
  return (
    (node.types & ~Kind.string) !== 0 && rules.some((rule) => bounds.some((keyword) => Object.hasOwn(rule, keyword)))
  )
}

interface Text {
  readonly rule: Rule
  /** Anything at all may be said. */
  readonly isAny: boolean
}

/** The texts that may stand between tags, one for each alternative of the schema. */
function textsOf(
  means: Means,
  spec: Tagged,
  marks: readonly string[],
  branches: Node['branches'],
  values: Values,
): readonly Text[] {
  const textual = branches.filter(({ node }) => (node.types & Kind.string) !== 0)
  if (branches.length === 0 || textual.length === 0) return [{ rule: freeText(means, spec, marks), isAny: true }]
  return textual.map(({ node, rules }): Text => {
    values.leave(rules)
    if (node.values !== undefined) {
      const words = node.values.filter((value) => typeof value === 'string')
      return { rule: oneOf(words.map(literal)), isAny: false }
    }
    const matching = values.matching(rules)
    const written = matching && matchingText(means, spec, marks, matching)
    if (written !== undefined) return { rule: written, isAny: false }
    values.leaveTexts(rules)
    const [least, most] = [largest(rules, 'minLength'), smallest(rules, 'maxLength')]
    // Counted one by one beside the marks, many characters make a large grammar.
    const isLong = !canCount(marks, Math.max(least ?? 0, most ?? 0))
    if (isLong) means.widen('maxLength')
    const { from, to } = isLong ? { from: 0, to: undefined } : values.lengths(least, most, 'minLength', 'maxLength')
    const isAny = from === 0 && to === undefined
    return { rule: freeText(means, spec, marks, from, to), isAny }
  })
}

/** The texts of a grammar as they stand between tags. */
function matchingText(
  { book, detail }: Means,
  spec: Tagged,
  marks: readonly string[],
  texts: GrammarTree,
): Rule | undefined {
  const risky = setOf(['<&', ...marks.map((mark) => [...mark][0] ?? '')].join(''))
  if (intersection(alphabetOf(texts), risky).length === 0) return splice(book, 'plain', texts, characters)
  // With the marks looked for at every place, it is the largest part of a grammar.
  return spec.entities === true || detail.marks !== 'own' ? undefined : textsWithout(book, texts, marks)
}

/** A text without the marks that would end it, or one in CDATA. */
function freeText({ book }: Means, spec: Tagged, marks: readonly string[], least = 0, most?: number): Rule {
  const lengths = { least, ...(most === undefined ? {} : { most }) }
  const limits: TextLimits =
    spec.entities === true
      ? { literals: [], alphabet: without(anyCharacter, setOf('<&')), escapes: entities }
      : { literals: marks }
  const isCounted = least > 0 || most !== undefined
  const plain = textRule(book, { ...limits, ...lengths })
  const end = literal(']]>')
  const inside = (): Rule =>
    book.define(`cdata ${least} ${most}`, 'cdata', () => {
      if (isCounted) return textRule(book, { literals: [']]>'], ...lengths, following: end })
      const more = optional(sequence(literal('<![CDATA['), inside()))
      return textRule(book, { literals: [']]>'], following: sequence(end, more) })
    })
  return choice(plain, sequence(literal('<![CDATA['), inside()))
}

/** They stand for a name in marks, and in no text. */
const [anyTool, anyKey] = ['\ue000', '\ue001']
const shortName = 3

/** The marks that a value may not have, as exactly as the grammar tells them. */
function valueMarks(
  { detail, tools }: Means,
  dialect: Dialect,
  spec: Tagged,
  tool: string,
  key: string,
): readonly string[] {
  if (detail.marks === 'own') return marksInValue(dialect, spec, tool, key)
  const marks = marksInValue(dialect, spec, anyTool, detail.marks === 'key' ? key : anyKey)
  const isFirst = detail.marks === 'first'
  const beginnings = new Map([
    [anyTool, isFirst ? [''] : [...new Set(tools.map((name) => name.slice(0, shortName)))]],
    [anyKey, [isFirst ? '' : key.slice(0, shortName)]],
  ])
  const cut = marks.flatMap((mark) => {
    const at = mark.search(/[\ue000\ue001]/)
    return at < 0 ? [mark] : (beginnings.get(mark.charAt(at)) ?? []).map((name) => mark.slice(0, at) + name)
  })
  return [...new Set(cut)].filter((mark) => mark !== '')
}
