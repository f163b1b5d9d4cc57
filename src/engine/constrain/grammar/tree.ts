/** What a text may be, small enough that every notation of grammars has words for it. */
export type Rule =
  | { readonly kind: 'literal'; readonly text: string }
  | { readonly kind: 'sequence'; readonly parts: readonly Rule[] }
  | { readonly kind: 'choice'; readonly options: readonly Rule[] }
  /** Without `most` there is no end to it. */
  | { readonly kind: 'repeat'; readonly of: Rule; readonly least: number; readonly most?: number }
  | { readonly kind: 'class'; readonly set: CharacterSet }
  | { readonly kind: 'reference'; readonly name: string }

/** Ranges of code points, in order and apart from each other. */
export type CharacterSet = readonly (readonly [from: number, to: number])[]

/** A whole grammar: it begins with its root. */
export interface GrammarTree {
  readonly root: Rule
  readonly rules: ReadonlyMap<string, Rule>
}

export const empty: Rule = { kind: 'literal', text: '' }

export function literal(text: string): Rule {
  return text === '' ? empty : { kind: 'literal', text }
}

export function sequence(...parts: readonly Rule[]): Rule {
  const flat: Rule[] = []
  for (const part of parts.flatMap((one) => (one.kind === 'sequence' ? one.parts : [one]))) {
    const last = flat.at(-1)
    if (part === empty) continue
    if (part.kind === 'literal' && last?.kind === 'literal') flat[flat.length - 1] = literal(last.text + part.text)
    else flat.push(part)
  }
  const [only] = flat
  if (only === undefined) return empty
  return flat.length === 1 ? only : { kind: 'sequence', parts: flat }
}

/** One of these; of none, nothing can be said. */
export function choice(...options: readonly Rule[]): Rule {
  const flat = options.flatMap((one) => (one.kind === 'choice' ? one.options : [one]))
  const distinct = [...new Map(flat.map((one) => [keyOf(one), one])).values()]
  const [only] = distinct
  return distinct.length === 1 && only !== undefined ? only : { kind: 'choice', options: distinct }
}

/** What is small is compared by what it says, all else by what it is. */
function keyOf(rule: Rule): unknown {
  if (rule.kind === 'literal') return `l ${rule.text}`
  return rule.kind === 'reference' ? `r ${rule.name}` : rule
}

export function optional(rule: Rule): Rule {
  return repeat(rule, 0, 1)
}

export function repeat(of: Rule, least: number, most?: number): Rule {
  if (most === 0 || of === empty) return empty
  if (least === 1 && most === 1) return of
  return { kind: 'repeat', of, least, ...(most === undefined ? {} : { most }) }
}

/** One of these characters. */
export function characters(set: CharacterSet): Rule {
  const [only] = set
  if (only === undefined) return { kind: 'choice', options: [] }
  const [from, to] = only
  return set.length === 1 && from === to ? literal(String.fromCodePoint(from)) : { kind: 'class', set }
}

/** Whether nothing can be said by it. */
export function isImpossible(rule: Rule): boolean {
  return rule.kind === 'choice' && rule.options.length === 0
}

/** The rules right below this one. */
export function partsOf(rule: Rule): readonly Rule[] {
  switch (rule.kind) {
    case 'sequence':
      return rule.parts
    case 'choice':
      return rule.options
    case 'repeat':
      return [rule.of]
    default:
      return []
  }
}

/** The same rule with the rules right below it changed. */
export function mapParts(rule: Rule, change: (part: Rule) => Rule): Rule {
  switch (rule.kind) {
    case 'sequence':
      return sequence(...rule.parts.map(change))
    case 'choice':
      return choice(...rule.options.map(change))
    case 'repeat':
      return repeat(change(rule.of), rule.least, rule.most)
    default:
      return rule
  }
}

/** A grammar that grew too large to go on with. */
export const tooLarge = new Error('the grammar is too large')

/** So many tools tell what the others will be like. */
const enoughToTell = 8

/** Rules by name, each made once; one that refers to itself is named before it is made. */
export class RuleBook {
  readonly #limit: number
  #size = 0
  /** What the first tools took, most of which the others share. */
  #shared = 0

  /** `limit`: about how many characters all rules together may have. */
  constructor(limit: number) {
    this.#limit = limit
  }

  readonly rules = new Map<string, Rule>()
  readonly #names = new Map<string, Rule>()
  readonly #counts = new Map<string, number>()
  readonly #numbers = new Map<object, number>()

  /** How far it is: with so much of it done, what would be too large at the end is known before that. */
  expect(done: number, of: number): void {
    if (done === enoughToTell) this.#shared = this.#size
    if (done < 2 * enoughToTell) return
    const growth = (this.#size - this.#shared) / (done - enoughToTell)
    if (this.#shared + growth * (of - enoughToTell) > this.#limit * 1.2) throw tooLarge
  }

  /** Things without a name, such as places of a schema, by number. */
  numberOf(thing: object): number {
    const number = this.#numbers.get(thing) ?? this.#numbers.size
    this.#numbers.set(thing, number)
    return number
  }

  readonly #words = new Map<string, number>()

  /** A short word for a long one, which is to be part of many keys. */
  shorten(key: string): string {
    const number = this.#words.get(key) ?? this.#words.size
    this.#words.set(key, number)
    return String(number)
  }

  /** The rule known by this key, or made now under a name that begins with `word`. */
  define(key: string, word: string, make: () => Rule): Rule {
    const known = this.#names.get(key)
    if (known !== undefined) return known
    const count = this.#counts.get(word) ?? 0
    this.#counts.set(word, count + 1)
    const name = count === 0 ? word : `${word}${count}`
    const reference: Rule = { kind: 'reference', name }
    this.#names.set(key, reference)
    this.rules.set(name, empty)
    const rule = make()
    this.#size += name.length + sizeOf(rule)
    if (this.#size > this.#limit) throw tooLarge
    this.rules.set(name, rule)
    return reference
  }
}

/** About how many characters a rule has when it is printed; never more. */
function sizeOf(rule: Rule): number {
  switch (rule.kind) {
    case 'literal':
      return rule.text.length + 2
    case 'reference':
      return rule.name.length
    case 'class':
      return rule.set.length + 2
    default:
      return partsOf(rule).reduce((sum, part) => sum + sizeOf(part), 0)
  }
}
