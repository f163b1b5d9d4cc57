import { choice, empty, type GrammarTree, mapParts, partsOf, type Rule } from './tree.ts'

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
  const inOrder = [...pruned.keys()].flatMap((name): [string, Rule][] => {
    const rule = reached.get(name)
    return rule === undefined ? [] : [[name, rule]]
  })
  return { root: begin, rules: new Map(inOrder) }
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
    case 'reference':
      return sayable.has(rule.name)
    case 'choice':
      return rule.options.some((option) => isSayable(option, sayable))
    case 'repeat':
      return rule.least === 0 || isSayable(rule.of, sayable)
    default:
      return partsOf(rule).every((part) => isSayable(part, sayable))
  }
}

function prune(rule: Rule, sayable: ReadonlySet<string>): Rule {
  if (!isSayable(rule, sayable)) return choice()
  if (rule.kind === 'repeat' && !isSayable(rule.of, sayable)) return empty
  return mapParts(rule, (part) => prune(part, sayable))
}

/** Said in a word, so that it needs no name. */
function isSmall(rule: Rule, name: string): boolean {
  return (rule.kind === 'reference' && rule.name !== name) || rule.kind === 'literal' || rule.kind === 'class'
}

function substitute(rule: Rule, aliases: ReadonlyMap<string, Rule>, depth: number): Rule {
  if (rule.kind !== 'reference') return mapParts(rule, (part) => substitute(part, aliases, depth))
  const alias = aliases.get(rule.name)
  return alias === undefined || depth > 20 ? rule : substitute(alias, aliases, depth + 1)
}

function namesIn(rule: Rule): string[] {
  return rule.kind === 'reference' ? [rule.name] : partsOf(rule).flatMap(namesIn)
}
