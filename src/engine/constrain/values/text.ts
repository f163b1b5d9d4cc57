import { anyCharacter, codeOf, has, setOf, without } from '../grammar/characters.ts'
import {
  type CharacterSet,
  characters,
  choice,
  empty,
  type Rule,
  type RuleBook,
  repeat,
  sequence,
} from '../grammar/tree.ts'
import { compile, movesFrom, run, shortest } from './machine.ts'

/** A text in which certain literals do not stand. */
export interface TextLimits {
  readonly literals: readonly string[]
  /** Which characters it may have. */
  readonly alphabet?: CharacterSet
  /** What else counts as one of its characters, and is part of no literal: escapes. */
  readonly escapes?: Rule
  readonly least?: number
  readonly most?: number
  /** It begins as if this stood before it. */
  readonly after?: string
  /** What has to follow: the text is told together with it. */
  readonly following?: Rule
}

/** More rules than this for one text are too many. */
const countedLimit = 300
/** Marks cut shorter than this forbid too much. */
const shortestCounted = 3

/**
 * Literals that can be looked for while characters are counted: where there would be too many rules, shorter ones, so that a
 * few more texts have to be written in another way.
 */
function countable(literals: readonly string[], times: number): readonly string[] {
  for (let length = Math.max(...literals.map((text) => text.length)); ; length--) {
    const cut = shortest(literals.map((text) => [...text].slice(0, length).join('')))
    if (length <= 1 || compile(cut).length * times <= countedLimit) return cut
  }
}

/** Whether so many characters can be counted beside literals that still say what they are. */
export function canCount(literals: readonly string[], times: number): boolean {
  const cut = shortest(literals.map((text) => [...text].slice(0, shortestCounted).join('')))
  return compile(cut).length * times <= countedLimit
}

export function textRule(book: RuleBook, limits: TextLimits): Rule {
  const { alphabet = anyCharacter, escapes, least = 0, most, following = empty } = limits
  const counts = least > 0 || most !== undefined
  const all = shortest(limits.literals)
  const literals = counts && all.length > 0 ? countable(all, most ?? least + 1) : all
  if (literals.every((text) => [...text].length === 1)) {
    const free = without(alphabet, setOf(literals.join('')))
    const one = escapes === undefined ? characters(free) : choice(characters(free), escapes)
    const named = escapes === undefined ? one : book.define(`char ${JSON.stringify(one)}`, 'char', () => one)
    return sequence(repeat(named, least, most), following)
  }
  const states = compile(literals)
  const start = run(states, limits.after ?? '')
  const key = book.shorten(JSON.stringify([literals, alphabet, escapes, counts ? [least, most] : [], following]))

  const fresh = movesFrom(states, 0, alphabet).targets

  /** What nearly every state goes on with alike, said once. */
  function common(): Rule {
    return book.define(`text ${key} common`, 'words', () =>
      choice(
        following,
        ...[...fresh].map(([target, set]) => sequence(characters(set), rest(target, 0))),
        ...(escapes === undefined ? [] : [sequence(escapes, rest(0, 0))]),
      ),
    )
  }

  /** The rest of a text, from a state on, with so many characters already there. */
  function rest(state: number, count: number): Rule {
    return book.define(`text ${key} ${state} ${count}`, 'text', () => {
      const { targets, others } = movesFrom(states, state, alphabet)
      const isCommon = !counts && [...fresh].every(([target, set]) => isSame(targets.get(target), set))
      const options: Rule[] = isCommon ? [common()] : !counts || count >= least ? [following] : []
      if (counts && most !== undefined && count >= most) return choice(...options)
      const next = counts ? (most === undefined ? Math.min(count + 1, least) : count + 1) : 0
      for (const [target, set] of targets) {
        if (!isCommon || !fresh.has(target)) options.push(sequence(characters(set), rest(target, next)))
      }
      if (others.length > 0) options.push(sequence(characters(others), rest(0, next)))
      if (!isCommon && escapes !== undefined) options.push(sequence(escapes, rest(0, next)))
      return choice(...options)
    })
  }
  return rest(start, 0)
}

function isSame(left: CharacterSet | undefined, right: CharacterSet): boolean {
  return left?.length === right.length && left.every(([from, to], at) => from === right[at]?.[0] && to === right[at][1])
}

/**
 * A text of at most so many steps and then its end, which is the only literal it may not have. A step is a character, or a
 * few that could have begun the end.
 */
export function boundedText(book: RuleBook, end: string, steps: number): Rule {
  const states = compile([end])
  const key = book.shorten(end)
  function step(state: number): Rule {
    return book.define(`step ${key} ${state}`, 'step', () => {
      const { targets, others } = movesFrom(states, state, anyCharacter)
      return choice(characters(others), ...[...targets].map(([target, set]) => sequence(characters(set), step(target))))
    })
  }
  return sequence(repeat(step(0), 0, steps), { kind: 'literal', text: end })
}

/** A text that is none of these words. */
export function otherThan(book: RuleBook, words: readonly string[], alphabet: CharacterSet): Rule {
  const key = book.shorten(JSON.stringify([words, alphabet]))
  function rest(prefix: string, among: readonly string[]): Rule {
    return book.define(`other ${key} ${JSON.stringify(prefix)}`, 'other', () => {
      const length = [...prefix].length
      const next = new Map<string, string[]>()
      for (const word of among) {
        const char = [...word][length]
        if (char !== undefined) next.set(char, [...(next.get(char) ?? []), word])
      }
      const free = without(alphabet, setOf([...next.keys()].join('')))
      return choice(
        ...(prefix === '' || among.includes(prefix) ? [] : [empty]),
        sequence(characters(free), repeat(characters(alphabet), 0)),
        ...[...next].flatMap(([char, words]) =>
          has(alphabet, codeOf(char)) ? [sequence({ kind: 'literal', text: char }, rest(prefix + char, words))] : [],
        ),
      )
    })
  }
  return rest('', words)
}
