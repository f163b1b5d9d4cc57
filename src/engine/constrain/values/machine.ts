import { beyond, codeOf, has, intersection, union, without } from '../grammar/characters.ts'
import type { CharacterSet } from '../grammar/tree.ts'

/** A machine that looks for literals in a text, one character after the other. */
export interface State {
  readonly next: Map<number, number>
  fail: number
  isEnd: boolean
}

/** Where each character leads from a state, save those that would complete a literal. */
export function movesFrom(
  states: readonly State[],
  state: number,
  alphabet: CharacterSet,
): { readonly targets: ReadonlyMap<number, CharacterSet>; readonly others: CharacterSet } {
  const special = new Set<number>()
  for (let at = state; ; at = states[at]?.fail ?? 0) {
    for (const code of states[at]?.next.keys() ?? []) special.add(code)
    if (at === 0) break
  }
  const targets = new Map<number, CharacterSet>()
  // All that leads elsewhere is taken away at once: set by set it is most of the work there is for a text.
  const elsewhere: CharacterSet[number][] = []
  for (const code of special) {
    const target = move(states, state, code)
    if (target === 0) continue
    const range = code === other ? beyond : ([code, code] as const)
    elsewhere.push(range)
    if (states[target]?.isEnd === true || !has(alphabet, code)) continue
    targets.set(target, [...(targets.get(target) ?? []), range])
  }
  for (const [target, set] of targets) targets.set(target, intersection(alphabet, union(set)))
  return { targets, others: without(alphabet, union(elsewhere)) }
}

export function move(states: readonly State[], from: number, code: number): number {
  for (let at = from; ; at = states[at]?.fail ?? 0) {
    const next = states[at]?.next.get(code)
    if (next !== undefined) return next
    if (at === 0) return 0
  }
}

/** Not every notation can tell characters beyond ASCII apart: in a literal one of them stands for all. */
const other = beyond[0]

export function symbolOf(char: string): number {
  return Math.min(codeOf(char), other)
}

export function run(states: readonly State[], text: string): number {
  let at = 0
  for (const char of text) at = move(states, at, symbolOf(char))
  return at
}

/** A machine that knows at each character how much of a literal stands before it (Aho and Corasick). */
export function compile(literals: readonly string[]): readonly State[] {
  const states: State[] = [{ next: new Map(), fail: 0, isEnd: false }]
  for (const text of literals) {
    let at = 0
    for (const char of text) {
      const state = states[at] as State
      const known = state.next.get(symbolOf(char))
      if (known === undefined) {
        state.next.set(symbolOf(char), states.length)
        at = states.length
        states.push({ next: new Map(), fail: 0, isEnd: false })
      } else at = known
    }
    ;(states[at] as State).isEnd = true
  }
  const queue = [...(states[0]?.next.values() ?? [])]
  for (let at = queue.shift(); at !== undefined; at = queue.shift()) {
    const state = states[at] as State
    for (const [code, target] of state.next) {
      const below = states[target] as State
      below.fail = move(states, state.fail, code)
      below.isEnd ||= states[below.fail]?.isEnd === true
      queue.push(target)
    }
  }
  return states
}

/** What holds another one says nothing more. */
export function shortest(literals: readonly string[]): readonly string[] {
  const all = [...new Set(literals)]
  const states = compile(all)
  return all.filter((text) => {
    let at = 0
    const chars = [...text]
    for (const [index, char] of chars.entries()) {
      at = move(states, at, symbolOf(char))
      const isLast = index === chars.length - 1
      // Its own end does not count; a shorter one that ends there does.
      if (states[isLast ? (states[at]?.fail ?? 0) : at]?.isEnd === true) return false
    }
    return true
  })
}
