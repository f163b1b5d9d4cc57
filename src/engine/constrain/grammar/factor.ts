import { choice, literal, type Rule, sequence } from './tree.ts'

/** Few are easily told apart, and read better. */
const few = 30

export function oneOf(options: readonly Rule[]): Rule {
  return options.length > few ? factored(options) : choice(...options)
}

/**
 * The same choice with what its options begin with in common said once: a service that follows hundreds of names at the same
 * time is slow.
 */
export function factored(options: readonly Rule[]): Rule {
  const groups = new Map<string, { readonly text: string; readonly rest: Rule }[]>()
  const others: Rule[] = []
  for (const option of options) {
    const [text, rest] = begin(option)
    const [first] = text
    if (first === undefined) others.push(option)
    else if (!groups.get(first)?.push({ text, rest })) groups.set(first, [{ text, rest }])
  }
  const begun = [...groups.values()].map((group): Rule => {
    const [only] = group
    if (group.length === 1 && only !== undefined) return sequence(literal(only.text), only.rest)
    const common = group.map(({ text }) => text).reduce(commonPrefix)
    return sequence(
      literal(common),
      factored(group.map(({ text, rest }) => sequence(literal(text.slice(common.length)), rest))),
    )
  })
  return choice(...begun, ...others)
}

function begin(rule: Rule): readonly [text: string, rest: Rule] {
  if (rule.kind === 'literal') return [rule.text, literal('')]
  const [first, ...rest] = rule.kind === 'sequence' ? rule.parts : []
  return first?.kind === 'literal' ? [first.text, sequence(...rest)] : ['', rule]
}

function commonPrefix(left: string, right: string): string {
  const [one, other] = [[...left], [...right]]
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return one.slice(0, length).join('')
}
