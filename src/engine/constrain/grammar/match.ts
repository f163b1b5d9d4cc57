import { has } from './characters.ts'
import { printRule } from './print.ts'
import type { GrammarTree, Rule } from './tree.ts'

/** Where a text leaves a grammar. */
export type Match =
  | { readonly fits: true }
  /** `at`: the first character that may not stand there; the length of the text where it only ends too soon. */
  | { readonly fits: false; readonly at: number; readonly expected: readonly string[] }
  /** There were too many readings to follow. */
  | { readonly fits: 'unknown'; readonly at: number }

/** What is still to be said: a rule, and then the rest. Equal ones are one and the same. */
interface Rest {
  readonly rule: Rule
  /** How far into it, for literals, sequences and repetitions. */
  readonly at: number
  readonly then: Rest | undefined
  readonly id: number
}

const mostReadings = 2_000

/**
 * Follows a text through a grammar, all readings at once. Readings that have the same left to say are one, so that the work
 * grows with the text and not with the ways to read it.
 */
export function matchGrammar({ root, rules }: GrammarTree, text: string): Match {
  const ids = new Map<Rule, number>()
  const known = new Map<string, Rest>()

  function rest(rule: Rule, at: number, then: Rest | undefined): Rest {
    const id = ids.get(rule) ?? ids.size
    ids.set(rule, id)
    const key = `${id} ${at} ${then?.id ?? ''}`
    const found = known.get(key) ?? { rule, at, then, id: known.size }
    known.set(key, found)
    return found
  }

  /** Every reading that wants a character next; `undefined` among them: it may end here. */
  function open(from: Iterable<Rest | undefined>): ReadonlySet<Rest | undefined> | undefined {
    const waiting = new Set<Rest | undefined>()
    const seen = new Set<Rest | undefined>(from)
    for (const one of seen) {
      if (seen.size > mostReadings) return undefined
      if (one === undefined) {
        waiting.add(one)
        continue
      }
      const { rule, at, then } = one
      switch (rule.kind) {
        case 'literal':
          if (at < rule.text.length) waiting.add(one)
          else seen.add(then)
          break
        case 'class':
          waiting.add(one)
          break
        case 'reference': {
          const named = rules.get(rule.name)
          if (named !== undefined) seen.add(rest(named, 0, then))
          break
        }
        case 'choice':
          for (const option of rule.options) seen.add(rest(option, 0, then))
          break
        case 'sequence': {
          const part = rule.parts[at]
          seen.add(
            part === undefined ? then : rest(part, 0, at + 1 < rule.parts.length ? rest(rule, at + 1, then) : then),
          )
          break
        }
        case 'repeat': {
          // Without an end, nobody counts further than has to be.
          const next = rule.most === undefined ? Math.min(at + 1, rule.least) : at + 1
          if (at >= rule.least) seen.add(then)
          if (rule.most === undefined || at < rule.most) seen.add(rest(rule.of, 0, rest(rule, next, then)))
          break
        }
        default:
          rule satisfies never
      }
    }
    return waiting
  }

  const states = new Map<string, State>()

  /** The same readings are the same state, and where it leads is found once. */
  function stateOf(from: Iterable<Rest | undefined>): State | undefined {
    const readings = open(from)
    if (readings === undefined) return undefined
    const key = [...readings].map((reading) => reading?.id).join()
    const state = states.get(key) ?? { readings, next: new Map() }
    states.set(key, state)
    return state
  }

  function follow({ readings }: State, char: string): Move {
    const next = new Set<Rest | undefined>()
    for (const reading of readings) {
      if (reading === undefined) continue
      const { rule, at: place, then } = reading
      if (rule.kind === 'literal' && rule.text.startsWith(char, place)) next.add(rest(rule, place + char.length, then))
      if (rule.kind === 'class' && has(rule.set, char.codePointAt(0) ?? 0)) next.add(then)
    }
    if (next.size === 0) return 'nowhere'
    return stateOf(next) ?? 'unknown'
  }

  let state = stateOf([rest(root, 0, undefined)])
  let at = 0
  for (const char of text) {
    if (state === undefined) return { fits: 'unknown', at }
    const next = state.next.get(char) ?? follow(state, char)
    state.next.set(char, next)
    if (next === 'nowhere') return { fits: false, at, expected: expectedBy(state.readings) }
    at += char.length
    state = next === 'unknown' ? undefined : next
  }
  if (state === undefined) return { fits: 'unknown', at }
  const { readings } = state
  return readings.has(undefined) ? { fits: true } : { fits: false, at, expected: expectedBy(readings) }
}

/** All readings of what was read so far, and where characters lead from there. */
interface State {
  readonly readings: ReadonlySet<Rest | undefined>
  readonly next: Map<string, Move>
}

type Move = State | 'nowhere' | 'unknown'

/** What could have stood there, as the grammar writes it; the longest texts first, since they say most. */
function expectedBy(readings: Iterable<Rest | undefined>): readonly string[] {
  const texts = new Set<string>()
  const others = new Set<string>()
  for (const reading of readings) {
    if (reading === undefined) others.add('the end')
    else if (reading.rule.kind === 'literal') texts.add(JSON.stringify(reading.rule.text.slice(reading.at)))
    else others.add(printRule(reading.rule))
  }
  return [...[...texts].toSorted((one, other) => other.length - one.length), ...others]
}
