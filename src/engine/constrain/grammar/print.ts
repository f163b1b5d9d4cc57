import { beyond, union } from './characters.ts'
import type { CharacterSet, GrammarTree, Rule } from './tree.ts'

/** More repetitions than this at once are refused or slow: they are told as blocks. */
const blockSize = 50
const atOnce = 400

/** A grammar as llama.cpp reads it. */
export function printGbnf(tree: GrammarTree): string {
  return printGrammar(tree, (set) => set)
}

/** The same for xgrammar, which knows no ranges of characters beyond ASCII: it is all of them or none. */
export function printEbnf(tree: GrammarTree): string {
  return printGrammar(tree, (set) => {
    const isBeyond = set.some(([, to]) => to >= beyond[0])
    return isBeyond ? union(set, [beyond]) : set
  })
}

type Spell = (set: CharacterSet) => CharacterSet

function printGrammar({ root, rules }: GrammarTree, spell: Spell): string {
  const lines = [`root ::= ${printRule(root, 'choice', spell)}`]
  for (const [name, rule] of rules) lines.push(`${name} ::= ${printRule(rule, 'choice', spell)}`)
  return `${lines.join('\n')}\n`
}

type Place = 'choice' | 'sequence' | 'item'

/** A rule as it stands in a grammar. */
export function printRule(rule: Rule, place: Place = 'choice', spell: Spell = (set) => set): string {
  switch (rule.kind) {
    case 'literal':
      return printLiteral(rule.text)
    case 'reference':
      return rule.name
    case 'class':
      return printSet(spell(rule.set))
    case 'sequence': {
      const text = rule.parts.map((part) => printRule(part, 'sequence', spell)).join(' ')
      return place === 'item' ? `(${text})` : text
    }
    case 'choice': {
      const text = rule.options.map((option) => printRule(option, 'choice', spell)).join(' | ')
      return place === 'choice' ? text : `(${text})`
    }
    case 'repeat': {
      // Only llama.cpp reads one sign of repetition right behind another.
      const text = printRepeat(rule, spell)
      return place === 'item' ? `(${text})` : text
    }
    default:
      return rule satisfies never
  }
}

function printRepeat({ of, least, most }: Extract<Rule, { kind: 'repeat' }>, spell: Spell): string {
  const item = printRule(of, 'item', spell)
  if (most === undefined && least === 0) return `${item}*`
  if (most === undefined) return least === 1 ? `${item}+` : `${item}{${least},}`
  if (least === 0 && most === 1) return `${item}?`
  if (most <= atOnce) return least === most ? `${item}{${most}}` : `${item}{${least},${most}}`
  const blocks = Math.floor(most / blockSize)
  return `(${item}{${blockSize}}){0,${blocks}} ${item}{0,${blockSize - 1}}`
}

const named = new Map([
  [9, '\\t'],
  [10, '\\n'],
  [13, '\\r'],
  [34, '\\"'],
  [92, '\\\\'],
])

function printLiteral(text: string): string {
  let out = ''
  for (const char of text) {
    const code = char.codePointAt(0) ?? 0
    out += named.get(code) ?? (code < 32 || (code >= 127 && code < 160) || isOdd(code) ? escaped(code) : char)
  }
  return `"${out}"`
}

/** What is left out is told where it is short; xgrammar knows only ASCII there. */
function printSet(set: CharacterSet): string {
  const gaps = gapsOf(set)
  const isNegated = set.at(-1)?.[1] === 0x10ffff && gaps.length > 0 && gaps.every(([, to]) => to < 128)
  const shown = (isNegated ? gaps : set).map(([from, to]) =>
    from === to ? inSet(from) : `${inSet(from)}-${inSet(to)}`,
  )
  return `[${isNegated ? '^' : ''}${shown.join('')}]`
}

function gapsOf(set: CharacterSet): CharacterSet {
  const gaps: [number, number][] = []
  let next = 0
  for (const [from, to] of set) {
    if (from > next) gaps.push([next, from - 1])
    next = to + 1
  }
  return gaps
}

function inSet(code: number): string {
  const char = String.fromCodePoint(code)
  return code > 32 && code < 127 && !'\\]^-["'.includes(char) ? char : escaped(code)
}

/** Halves of characters and marks of direction or order of bytes. */
function isOdd(code: number): boolean {
  return (code >= 0xd800 && code <= 0xdfff) || code === 0xfeff || (code >= 0x2028 && code <= 0x202e)
}

function escaped(code: number): string {
  const hex = code.toString(16).toUpperCase()
  // Not `\\x`: xgrammar reads on for as long as there are digits.
  return code <= 0xffff ? `\\u${hex.padStart(4, '0')}` : `\\U${hex.padStart(8, '0')}`
}
