import { choice, empty, type GrammarTree, isImpossible, type Rule, repeat, sequence } from './tree.ts'

/**
 * The same grammar without what can never be said or reached, which services refuse, and without rules that only name
 * another one.
 */
export function tidy({ root, rules }: GrammarTree): GrammarTree {
  const sayable = findSayable(rules)
  const pruned = new Map([...rules].map(([name, rule]) => [name, prune(rule, sayable)]))
  const aliases = new Map([...pruned].flatMap(([name, rule]) => (isSmall(rule, name) ? [[name, rule] as const] : [])))
  const resolve = (rule: Rule): Rule => substitute(rule, aliases, 0)
  const begin = resolve(prune(root, sayable))
  const reached = new Map<string, Rule>()
  const open = namesIn(begin)
  for (let name = open.pop(); name !== undefined; name = open.pop()) {
    const rule = pruned.get(name)
    if (rule === undefined || reached.has(name)) continue
    const resolved = resolve(rule)
    reached.set(name, resolved)
    open.push(...namesIn(resolved))
  }
  return { root: begin, rules: new Map([...pruned.keys()].flatMap((name) => entry(reached, name))) }
}

function entry(rules: ReadonlyMap<string, Rule>, name: string): readonly (readonly [string, Rule])[] {
  const rule = rules.get(name)
  return rule === undefined ? [] : [[name, rule]]
}

/** The rules by which something can be said that has an end. */
function findSayable(rules: ReadonlyMap<string, Rule>): ReadonlySet<string> {
  const sayable = new Set<string>()
  for (let grown = true; grown; ) {
    grown = false
    for (const [name, rule] of rules) {
      if (sayable.has(name) || !isSayable(rule, sayable)) continue
      sayable.add(name)
      grown = true
    }
  }
  return sayable
}

function isSayable(rule: Rule, sayable: ReadonlySet<string>): boolean {
  switch (rule.kind) {
    case 'literal':
    case 'class':
      return true
    case 'reference':
      return sayable.has(rule.name)
    case 'sequence':
      return rule.parts.every((part) => isSayable(part, sayable))
    case 'choice':
      return rule.options.some((option) => isSayable(option, sayable))
    case 'repeat':
      return rule.least === 0 || isSayable(rule.of, sayable)
    default:
      return rule satisfies never
  }
}

function prune(rule: Rule, sayable: ReadonlySet<string>): Rule {
  if (!isSayable(rule, sayable)) return choice()
  if (rule.kind === 'sequence') return sequence(...rule.parts.map((part) => prune(part, sayable)))
  if (rule.kind === 'choice') {
    return choice(...rule.options.map((option) => prune(option, sayable)).filter((option) => !isImpossible(option)))
  }
  if (rule.kind !== 'repeat') return rule
  const of = prune(rule.of, sayable)
  return isImpossible(of) ? empty : repeat(of, rule.least, rule.most)
}

/** Said in a word, so that it needs no name. */
function isSmall(rule: Rule, name: string): boolean {
  return (rule.kind === 'reference' && rule.name !== name) || rule.kind === 'literal' || rule.kind === 'class'
}

function substitute(rule: Rule, aliases: ReadonlyMap<string, Rule>, depth: number): Rule {
  switch (rule.kind) {
    case 'reference': {
      const alias = aliases.get(rule.name)
      return alias === undefined || depth > 20 ? rule : substitute(alias, aliases, depth + 1)
    }
    case 'sequence':
      return sequence(...rule.parts.map((part) => substitute(part, aliases, depth)))
    case 'choice':
      return choice(...rule.options.map((option) => substitute(option, aliases, depth)))
    case 'repeat':
      return repeat(substitute(rule.of, aliases, depth), rule.least, rule.most)
    default:
      return rule
  }
}

function namesIn(rule: Rule): string[] {
  if (rule.kind === 'reference') return [rule.name]
  if (rule.kind === 'repeat') return namesIn(rule.of)
  if (rule.kind === 'sequence') return rule.parts.flatMap(namesIn)
  return rule.kind === 'choice' ? rule.options.flatMap(namesIn) : []
}
