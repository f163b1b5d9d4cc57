import {
  characters,
  choice,
  empty,
  type GrammarTree,
  literal,
  partsOf,
  type Rule,
  repeat,
  sequence,
} from '../grammar/tree.ts'
import { readPattern } from '../values/pattern.ts'
import { type LarkToken, readLarkTokens } from './lark-tokens.ts'

/** What Lark's own library calls by these names, as far as texts for tools import it. */
const common = `
LF: "\\n"
CR: "\\r"
NEWLINE: (CR? LF)+
WS_INLINE: (" " | "\\t")+
WS: /[ \\t\\f\\r\\n]/+
DIGIT: "0".."9"
HEXDIGIT: "a".."f" | "A".."F" | DIGIT
INT: DIGIT+
SIGNED_INT: ["+" | "-"] INT
DECIMAL: INT "." INT? | "." INT
FLOAT: INT EXP | DECIMAL EXP?
EXP: ("e" | "E") SIGNED_INT
SIGNED_FLOAT: ["+" | "-"] FLOAT
NUMBER: FLOAT | INT
SIGNED_NUMBER: ["+" | "-"] NUMBER
LCASE_LETTER: "a".."z"
UCASE_LETTER: "A".."Z"
LETTER: UCASE_LETTER | LCASE_LETTER
WORD: LETTER+
CNAME: ("_" | LETTER) ("_" | LETTER | DIGIT)*
ESCAPED_STRING: "\\"" /([^"\\\\\\n]|\\\\.)*/ "\\""
`

const longestGrammar = 50_000
const longestPattern = 2_000
const maxTimes = 300
const unreadable = new Error('a grammar with more than is read here')

/**
 * What texts a grammar in Lark's notation allows; undefined for one that says more than is read here (templates, priorities
 * that decide, patterns that look around), or nothing. Every way to cut a text into terminals counts, so that a text Lark would
 * refuse for the one it chooses may pass; none that it takes is refused.
 */
export function readLark(definition: string): GrammarTree | undefined {
  if (definition.length > longestGrammar) return undefined
  try {
    const { bodies, ignored, imported } = readDefinitions(definition)
    const library = imported.size === 0 ? bodies : new Map([...readDefinitions(common).bodies, ...bodies])
    for (const [name, origin] of imported) {
      const body = library.get(origin)
      if (body === undefined) throw unreadable
      library.set(name, body)
    }
    return toTree(library, ignored)
  } catch (thrown) {
    if (thrown === unreadable) return undefined
    throw thrown
  }
}

/** A rule as it stands; what is left out between its terminals is not in it yet. */
interface Definitions {
  readonly bodies: Map<string, Rule>
  readonly ignored: readonly Rule[]
  /** Names from the library, and what they are called there. */
  readonly imported: ReadonlyMap<string, string>
}

function readDefinitions(text: string): Definitions {
  const tokens = readLarkTokens(text)
  if (tokens === undefined) throw unreadable
  const bodies = new Map<string, Rule>()
  const ignored: Rule[] = []
  const imported = new Map<string, string>()
  let at = 0
  const peek = (ahead = 0): LarkToken | undefined => tokens[at + ahead]
  const isSign = (sign: string, ahead = 0): boolean => peek(ahead)?.kind === 'sign' && peek(ahead)?.text === sign

  function take(kind: LarkToken['kind'], sign?: string): string {
    const token = peek()
    if (token?.kind !== kind || (sign !== undefined && token.text !== sign)) throw unreadable
    at++
    return token.text
  }

  function skipLines(): void {
    while (peek()?.kind === 'line') at++
  }

  /** Alternatives may go on in the next line. */
  function alternatives(): Rule {
    const options = [alternative()]
    for (;;) {
      const before = at
      skipLines()
      if (!isSign('|')) {
        at = before
        return choice(...options)
      }
      at++
      skipLines()
      options.push(alternative())
    }
  }

  function alternative(): Rule {
    const parts: Rule[] = []
    for (let token = peek(); token !== undefined && token.kind !== 'line' && !isEnd(token); token = peek()) {
      parts.push(repeated(atom()))
    }
    if (isSign('->')) {
      at++
      take('rule')
    }
    return sequence(...parts)
  }

  function repeated(rule: Rule): Rule {
    if (isSign('~')) {
      at++
      const least = times()
      if (!isSign('..')) return repeat(rule, least, least)
      at++
      return repeat(rule, least, times())
    }
    if (!isSign('*') && !isSign('+') && !isSign('?')) return rule
    const sign = take('sign')
    return sign === '?' ? repeat(rule, 0, 1) : repeat(rule, sign === '*' ? 0 : 1)
  }

  function times(): number {
    const count = Number(take('number'))
    if (count < 0 || count > maxTimes) throw unreadable
    return count
  }

  function atom(): Rule {
    const token = peek()
    at++
    switch (token?.kind) {
      case 'string': {
        const said = decode(token.text)
        if (!isSign('..')) return token.flags === 'i' ? inAnyCase(said) : literal(said)
        at++
        return range(said, decode(take('string')))
      }
      case 'pattern':
        return patternRule(token)
      case 'rule':
      case 'terminal':
        if (isSign('{')) throw unreadable
        return { kind: 'reference', name: token.text }
      case 'sign': {
        if (token.text !== '(' && token.text !== '[') throw unreadable
        skipLines()
        const inner = alternatives()
        skipLines()
        take('sign', token.text === '(' ? ')' : ']')
        return token.text === '(' ? inner : repeat(inner, 0, 1)
      }
      default:
        throw unreadable
    }
  }

  function command(): void {
    const name = take('command')
    if (name === 'ignore') return void ignored.push(alternatives())
    if (name !== 'import' || take('rule') !== 'common') throw unreadable
    if (isSign('(')) {
      do {
        at++
        const one = take('terminal')
        imported.set(one, one)
      } while (isSign(','))
      return void take('sign', ')')
    }
    take('sign', '.')
    const origin = take('terminal')
    if (!isSign('->')) return void imported.set(origin, origin)
    at++
    imported.set(take('terminal'), origin)
  }

  for (skipLines(); at < tokens.length; skipLines()) {
    const token = peek()
    if (token?.kind === 'command') {
      command()
      continue
    }
    if (token?.kind !== 'rule' && token?.kind !== 'terminal') throw unreadable
    at++
    // A priority says which reading counts, not what may be said.
    if (isSign('.')) {
      at++
      take('number')
    }
    take('sign', ':')
    skipLines()
    bodies.set(token.text, alternatives())
    if (peek() !== undefined && peek()?.kind !== 'line') throw unreadable
  }
  return { bodies, ignored, imported }
}

function isEnd({ kind, text }: LarkToken): boolean {
  return kind === 'sign' && (text === '|' || text === ')' || text === ']' || text === '->')
}

function decode(text: string): string {
  return text.replace(/\\(?:x([\da-f]{2})|u([\da-f]{4})|(.))/gi, (_, byte, code, plain: string | undefined) => {
    if (plain === undefined) return String.fromCharCode(Number.parseInt(byte ?? code, 16))
    return { n: '\n', t: '\t', r: '\r', f: '\f' }[plain] ?? plain
  })
}

function range(from: string, to: string): Rule {
  const [low = 0, high = -1] = [from, to].map((text) => text.codePointAt(0))
  if (high < low) throw unreadable
  return characters([[low, high]])
}

function inAnyCase(text: string): Rule {
  return sequence(...[...text].map((char) => choice(literal(char.toLowerCase()), literal(char.toUpperCase()))))
}

function patternRule({ text, flags }: LarkToken): Rule {
  // In Lark's patterns, which are Python's or Rust's, a dot leaves out the end of a line and nothing else.
  const dot = flags.includes('s') ? 'all' : 'line'
  const isPlain = /^[su]*$/.test(flags)
  const rule = isPlain ? readPattern(`^(?:${text})$`, { longest: longestPattern, dot }) : undefined
  if (rule === undefined) throw unreadable
  return rule
}

const isTerminal = (name: string): boolean => name === name.toUpperCase()

/** The rules that are reached from the start, under names every notation takes, and without recursion on the left. */
function toTree(bodies: ReadonlyMap<string, Rule>, ignored: readonly Rule[]): GrammarTree {
  const names = new Map<string, string>()
  const rules = new Map<string, Rule>()
  const gap = ignored.length === 0 ? empty : repeat(choice(...ignored.map((rule) => resolve(rule, false))), 0)

  function nameOf(name: string): string {
    const known = names.get(name)
    if (known !== undefined) return known
    const body = bodies.get(name)
    if (body === undefined) throw unreadable
    const own = `text-${name.replaceAll('_', '-')}`
    names.set(name, own)
    rules.set(own, empty)
    rules.set(own, resolve(withoutLeftRecursion(name, body), !isTerminal(name)))
    return own
  }

  /** `hasGaps`: what is ignored may follow each terminal. */
  function resolve(rule: Rule, hasGaps: boolean): Rule {
    switch (rule.kind) {
      case 'reference': {
        const reference: Rule = { kind: 'reference', name: nameOf(rule.name) }
        return hasGaps && isTerminal(rule.name) ? sequence(reference, gap) : reference
      }
      case 'literal':
      case 'class':
        return hasGaps && rule !== empty ? sequence(rule, gap) : rule
      case 'sequence':
        return sequence(...rule.parts.map((part) => resolve(part, hasGaps)))
      case 'choice':
        return choice(...rule.options.map((option) => resolve(option, hasGaps)))
      case 'repeat':
        return repeat(resolve(rule.of, hasGaps), rule.least, rule.most)
      default:
        return rule satisfies never
    }
  }

  const root = sequence(gap, { kind: 'reference', name: nameOf('start') })
  if (isLeftRecursive(rules)) throw unreadable
  return { root, rules }
}

/** `a: a "x" | "y"` says the same as `a: "y" ("x")*`, which every notation takes. */
function withoutLeftRecursion(name: string, body: Rule): Rule {
  const options = body.kind === 'choice' ? body.options : [body]
  const heads = options.map((option) => (option.kind === 'sequence' ? option.parts[0] : option))
  const isSelf = (at: number): boolean => heads[at]?.kind === 'reference' && heads[at].name === name
  const tails = options.flatMap((option, at) =>
    isSelf(at) && option.kind === 'sequence' ? [sequence(...option.parts.slice(1))] : [],
  )
  if (tails.length === 0) return body
  return sequence(choice(...options.filter((_, at) => !isSelf(at))), repeat(choice(...tails), 0))
}

function isLeftRecursive(rules: ReadonlyMap<string, Rule>): boolean {
  const nullable = new Set<string>()
  const isNullable = (rule: Rule): boolean => {
    if (rule.kind === 'reference') return nullable.has(rule.name)
    if (rule.kind === 'literal') return rule.text === ''
    if (rule.kind === 'class') return false
    if (rule.kind === 'repeat') return rule.least === 0 || isNullable(rule.of)
    return rule.kind === 'choice' ? rule.options.some(isNullable) : rule.parts.every(isNullable)
  }
  for (let size = -1; size !== nullable.size; ) {
    size = nullable.size
    for (const [name, rule] of rules) if (isNullable(rule)) nullable.add(name)
  }
  /** The rules a text of this one may begin with. */
  const beginnings = (rule: Rule): readonly string[] => {
    if (rule.kind === 'reference') return [rule.name]
    if (rule.kind !== 'sequence') return partsOf(rule).flatMap(beginnings)
    const end = rule.parts.findIndex((part) => !isNullable(part))
    return rule.parts.slice(0, end === -1 ? undefined : end + 1).flatMap(beginnings)
  }
  return [...rules.keys()].some((start) => {
    const seen = new Set<string>()
    const open = [...beginnings(rules.get(start) ?? empty)]
    for (let name = open.pop(); name !== undefined; name = open.pop()) {
      if (name === start) return true
      if (seen.has(name)) continue
      seen.add(name)
      open.push(...beginnings(rules.get(name) ?? empty))
    }
    return false
  })
}
