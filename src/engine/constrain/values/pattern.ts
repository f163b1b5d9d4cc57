import { allBut, anyCharacter, codeOf, digits, setOf, union, wordCharacters } from '../grammar/characters.ts'
import {
  type CharacterSet,
  characters,
  choice,
  empty,
  type GrammarTree,
  mapParts,
  partsOf,
  type Rule,
  type RuleBook,
  repeat,
  sequence,
} from '../grammar/tree.ts'

const maxLength = 300
const maxTimes = 300
const space = setOf(' \t\n\r\v\f\u00a0\u2028\u2029\ufeff')
const lineEnds = setOf('\n\r\u2028\u2029')
const unreadable = new Error('a pattern with more than a grammar can say')

/** What a dot says: not the end of a line in JavaScript, not `\n` elsewhere, anything at all. */
const dots = { lines: allBut(lineEnds), line: allBut(setOf('\n')), all: anyCharacter } as const

interface PatternOptions {
  readonly longest?: number
  readonly dot?: keyof typeof dots
}

/**
 * What texts a regular expression allows; undefined for one that looks around, refers back, or is too long. Clients' patterns
 * are only ever read: they are never run.
 */
export function readPattern(
  pattern: string,
  { longest = maxLength, dot = 'lines' }: PatternOptions = {},
): Rule | undefined {
  if (pattern.length > longest) return undefined
  const chars = [...pattern]
  let at = 0
  const peek = (): string => chars[at] ?? ''
  const fail = (): never => {
    throw unreadable
  }

  function alternatives(depth: number): Rule {
    const options = [alternative(depth)]
    while (peek() === '|') {
      at++
      options.push(alternative(depth))
    }
    return choice(...options)
  }

  function alternative(depth: number): Rule {
    const parts: Rule[] = []
    const isTop = depth === 0
    const isStarted = isTop && peek() === '^'
    if (isStarted) at++
    let isEnded = false
    while (at < chars.length && peek() !== '|' && peek() !== ')') {
      if (peek() === '$') {
        at++
        isEnded = isTop && (at >= chars.length || peek() === '|')
        if (!isEnded) fail()
        break
      }
      if (peek() === '^') fail()
      parts.push(quantified(atom(depth)))
    }
    const anything = repeat(characters(anyCharacter), 0)
    return sequence(isTop && !isStarted ? anything : empty, ...parts, isTop && !isEnded ? anything : empty)
  }

  function quantified(rule: Rule): Rule {
    const times = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})/.exec(chars.slice(at, at + 12).join(''))
    if (times === null) return rule
    at += times[0].length
    if (peek() === '?') at++
    const [, sign, least, comma, most] = times
    if (sign !== undefined) return sign === '?' ? repeat(rule, 0, 1) : repeat(rule, sign === '*' ? 0 : 1)
    const from = Number(least)
    const to = comma === '' ? from : most === '' ? undefined : Number(most)
    if (from > maxTimes || (to ?? 0) > maxTimes || (to !== undefined && to < from)) fail()
    return repeat(rule, from, to)
  }

  function atom(depth: number): Rule {
    const char = peek()
    at++
    if (char === '.') return characters(dots[dot])
    if (char === '[') return characters(set())
    if (char === '\\') return characters(escaped(false))
    if (char === '(') {
      const group = /^\?(?::|<[A-Za-z]\w*>)/.exec(chars.slice(at, at + 40).join(''))
      if (group !== null) at += group[0].length
      else if (peek() === '?') fail()
      const inner = alternatives(depth + 1)
      if (peek() !== ')') fail()
      at++
      return inner
    }
    if ('*+?{}'.includes(char)) fail()
    return { kind: 'literal', text: char }
  }

  function set(): CharacterSet {
    const isNegated = peek() === '^'
    if (isNegated) at++
    let members: CharacterSet = []
    while (peek() !== ']') {
      if (at >= chars.length) fail()
      const from = member()
      if (peek() === '-' && chars[at + 1] !== ']' && from.length === 1 && from[0]?.[0] === from[0]?.[1]) {
        at++
        const to = member()
        if (to.length !== 1 || to[0]?.[0] !== to[0]?.[1]) fail()
        members = union(members, [[from[0]?.[0] ?? 0, to[0]?.[1] ?? 0]])
      } else members = union(members, from)
    }
    at++
    return isNegated ? allBut(members) : members
  }

  function member(): CharacterSet {
    const char = peek()
    at++
    return char === '\\' ? escaped(true) : [[codeOf(char), codeOf(char)]]
  }

  function escaped(inSet: boolean): CharacterSet {
    const char = peek()
    at++
    switch (char) {
      case 'd':
        return digits
      case 'D':
        return allBut(digits)
      case 'w':
        return wordCharacters
      case 'W':
        return allBut(wordCharacters)
      case 's':
        return space
      case 'S':
        return allBut(space)
      case 'n':
        return setOf('\n')
      case 't':
        return setOf('\t')
      case 'r':
        return setOf('\r')
      case 'f':
        return setOf('\f')
      case 'v':
        return setOf('\v')
      case 'x':
      case 'u': {
        const hex = chars.slice(at, at + (char === 'x' ? 2 : 4)).join('')
        if (!/^[\da-fA-F]+$/.test(hex)) fail()
        at += hex.length
        return [[Number.parseInt(hex, 16), Number.parseInt(hex, 16)]]
      }
      default:
        if (char === '' || /[A-Za-z0-9]/.test(char)) return inSet && char === 'b' ? setOf('\b') : fail()
        return setOf(char)
    }
  }

  try {
    const rule = alternatives(0)
    return at < chars.length ? undefined : rule
  } catch (thrown) {
    if (thrown === unreadable) return undefined
    throw thrown
  }
}

/** `[a-z]*` and its like with lengths of their own, where that is all a pattern says. */
export function withLengths(rule: Rule, least: number | undefined, most: number | undefined): Rule | undefined {
  if (least === undefined && most === undefined) return rule
  if (rule.kind !== 'repeat' || rule.of.kind !== 'class') return undefined
  const from = Math.max(rule.least, least ?? 0)
  const to = Math.min(rule.most ?? Number.POSITIVE_INFINITY, most ?? Number.POSITIVE_INFINITY)
  return to < from ? undefined : repeat(rule.of, from, Number.isFinite(to) ? to : undefined)
}

/** The same among other rules, with every character written as `encode` says. `word` names what it refers to. */
export function splice(
  book: RuleBook,
  word: string,
  { root, rules }: GrammarTree,
  encode: (set: CharacterSet) => Rule,
): Rule {
  const key = `${word} ${book.numberOf(rules)}`
  const put = (rule: Rule): Rule => {
    switch (rule.kind) {
      case 'literal':
        return sequence(...[...rule.text].map((char) => encode(setOf(char))))
      case 'class':
        return encode(rule.set)
      case 'reference':
        return book.define(`${key} ${rule.name}`, 'input', () => put(rules.get(rule.name) ?? empty))
      default:
        return mapParts(rule, put)
    }
  }
  return put(root)
}

/** Every character a grammar can say. */
export function alphabetOf({ root, rules }: GrammarTree): CharacterSet {
  const inRule = (rule: Rule): CharacterSet => {
    if (rule.kind === 'literal') return setOf(rule.text)
    return rule.kind === 'class' ? rule.set : union(...partsOf(rule).map(inRule))
  }
  return union(...[root, ...rules.values()].map(inRule))
}
