import { characters, choice, empty, type GrammarTree, type Rule, type RuleBook, sequence } from '../grammar/tree.ts'
import { compile, move, movesFrom, shortest, symbolOf } from './machine.ts'

/** What may follow, from a state of the machine on. */
interface Next {
  readonly key: string
  from(state: number): Rule
}

const tooDeep = new Error('a grammar that refers to itself, or repeats nothing')

/**
 * The texts of a grammar in which certain literals do not stand; undefined where its rules refer to themselves, for then no
 * finite number of rules says it.
 */
export function textsWithout(
  book: RuleBook,
  { root, rules }: GrammarTree,
  literals: readonly string[],
): Rule | undefined {
  const states = compile(shortest(literals))
  const word = book.shorten(JSON.stringify(literals))

  function next(rule: Rule, after: Next, open: readonly string[]): Next {
    const key = book.shorten(`${book.numberOf(rule)} ${after.key}`)
    return {
      key,
      from: (state) => book.define(`texts ${word} ${key} ${state}`, 'input', () => write(rule, state, after, open)),
    }
  }

  /** `open`: the names of rules that this one stands in. */
  function write(rule: Rule, state: number, after: Next, open: readonly string[]): Rule {
    switch (rule.kind) {
      case 'literal': {
        let at = state
        for (const char of rule.text) {
          at = move(states, at, symbolOf(char))
          if (states[at]?.isEnd === true) return choice()
        }
        return sequence(rule, after.from(at))
      }
      case 'class': {
        const { targets, others } = movesFrom(states, state, rule.set)
        const moves = [...targets, ...(others.length === 0 ? [] : [[0, others] as const])]
        return choice(...moves.map(([target, set]) => sequence(characters(set), after.from(target))))
      }
      case 'sequence':
        return rule.parts.reduceRight((rest, part) => next(part, rest, open), after).from(state)
      case 'choice':
        return choice(...rule.options.map((option) => write(option, state, after, open)))
      case 'repeat':
        return times(rule, 0, after, open).from(state)
      case 'reference':
        if (open.includes(rule.name)) throw tooDeep
        return write(rules.get(rule.name) ?? empty, state, after, [...open, rule.name])
      default:
        return rule satisfies never
    }
  }

  function times(rule: Extract<Rule, { kind: 'repeat' }>, count: number, after: Next, open: readonly string[]): Next {
    const { of, least, most } = rule
    if (isNullable(of)) throw tooDeep
    const key = book.shorten(`${book.numberOf(rule)} times ${count} ${after.key}`)
    const from = (state: number): Rule =>
      book.define(`texts ${word} ${key} ${state}`, 'input', () => {
        const more = most === undefined ? Math.min(count + 1, least) : count + 1
        const again = most === undefined || count < most
        return choice(
          ...(count < least ? [] : [after.from(state)]),
          ...(again ? [write(of, state, more === count ? { key, from } : times(rule, more, after, open), open)] : []),
        )
      })
    return { key, from }
  }

  function isNullable(rule: Rule, depth = 0): boolean {
    if (depth > mostDepth) return true
    switch (rule.kind) {
      case 'literal':
        return rule.text === ''
      case 'class':
        return false
      case 'choice':
        return rule.options.some((option) => isNullable(option, depth + 1))
      case 'sequence':
        return rule.parts.every((part) => isNullable(part, depth + 1))
      case 'repeat':
        return rule.least === 0 || isNullable(rule.of, depth + 1)
      case 'reference':
        return isNullable(rules.get(rule.name) ?? empty, depth + 1)
      default:
        return rule satisfies never
    }
  }

  try {
    return write(root, 0, { key: 'end', from: () => empty }, [])
  } catch (thrown) {
    if (thrown === tooDeep) return undefined
    throw thrown
  }
}

const mostDepth = 60
