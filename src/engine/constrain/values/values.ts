import type { Json, JsonObject } from '../../../protocol/json.ts'
import { own } from '../../../schema/kinds.ts'
import { Kind, type Node } from '../../../schema/node.ts'
import { tupleOf } from '../../../schema/rules.ts'
import type { Detail } from '../detail.ts'
import { oneOf } from '../grammar/factor.ts'
import {
  choice,
  empty,
  type GrammarTree,
  isImpossible,
  literal,
  optional,
  type Rule,
  type RuleBook,
  repeat,
  sequence,
} from '../grammar/tree.ts'
import { boundsOf, largest, shapeOf, smallest, unsaidIn } from './keywords.ts'
import { membersRule } from './members.ts'
import type { Notation } from './notation.ts'
import { type Bounds, canSay, integerRule, isNarrow, numberRule } from './numbers.ts'
import { readPattern, withLengths } from './pattern.ts'

const maxTimes = 400

/** How members are written. */
export interface Written {
  /** Tells it from others. */
  readonly key: string
  member(name: string, node: Node): Rule
  /** A member of another name than these. */
  other(names: readonly string[], node: Node): Rule | undefined
}

/** What rules are made with. */
export interface Means {
  readonly book: RuleBook
  readonly detail: Detail
  /** The names of all tools. */
  readonly tools: readonly string[]
  /** Is told what the grammar does not say. */
  readonly widen: (keyword: string) => void
  /** What its texts may be, whatever their schema says: those of a custom tool. */
  readonly texts?: GrammarTree | undefined
}

/** The values a schema allows, as rules in one notation. */
export class Values {
  readonly book: RuleBook
  readonly notation: Notation
  readonly detail: Detail
  readonly widen: (keyword: string) => void
  readonly texts: GrammarTree | undefined

  constructor({ book, detail, widen, texts }: Omit<Means, 'tools'>, notation: Notation) {
    this.book = book
    this.texts = texts
    this.notation = notation
    this.detail = detail
    this.widen = widen
  }

  value(node: Node): Rule {
    if (!node.declared || !this.detail.schemas) return this.any()
    return this.#define(node, 'value', () =>
      choice(...node.branches.map((branch) => this.#branch(branch.node, branch.rules))),
    )
  }

  /** An object's members as `write` has them, for those who have no braces around them. */
  members(node: Node, rules: readonly JsonObject[], separator: Rule, write: Written): Rule {
    const { members, others } = shapeOf(node, rules)
    this.leave(rules)
    if (!this.detail.schemas) {
      // The same argument of many tools is one rule, in whatever number.
      const shared = members.map(({ name, node: member }) =>
        this.book.define(`member ${this.notation.key} ${name}`, 'member', () => write.member(name, member)),
      )
      const one = choice(...shared)
      return shared.length === 0 ? empty : optional(sequence(one, repeat(sequence(separator, one), 0)))
    }
    const written = members.map((member) => ({
      rule: write.member(member.name, member.node),
      isRequired: member.isRequired,
    }))
    const other =
      others === undefined
        ? undefined
        : write.other(
            members.map(({ name }) => name),
            others,
          )
    return membersRule(this.book, `${this.notation.key} ${write.key} ${this.#numberOf(node)}`, written, {
      separator,
      anyOrder: members.length <= this.detail.anyOrder,
      ...(other === undefined ? {} : { others: other }),
    })
  }

  /** Tells what of these rules no grammar says. */
  leave(rules: readonly JsonObject[]): void {
    for (const keyword of unsaidIn(rules)) this.widen(keyword)
  }

  /** Of the kinds of values only these. */
  ofKinds(node: Node, kinds: number): Rule {
    if (!node.declared || !this.detail.schemas) return this.#anyOf(kinds)
    return this.#define(node, `value ${kinds}`, () =>
      choice(...node.branches.map((branch) => this.#branch(branch.node, branch.rules, kinds))),
    )
  }

  /** Any value at all. */
  any(): Rule {
    return this.#anyOf(Kind.any)
  }

  #anyOf(kinds: number): Rule {
    const { notation, book } = this
    const { words, space, comma, colon } = notation
    const options: Rule[] = []
    const value = (): Rule => this.any()
    if ((kinds & Kind.string) !== 0) options.push(notation.text(0, undefined))
    if ((kinds & (Kind.number | Kind.integer)) !== 0) options.push(this.#number({}))
    if ((kinds & Kind.boolean) !== 0) options.push(literal(words.true), literal(words.false))
    if ((kinds & Kind.null) !== 0) options.push(literal(words.null))
    return book.define(`any ${notation.key} ${kinds}`, 'any', () => {
      if ((kinds & Kind.array) !== 0) options.push(list('[', value(), space, comma, ']'))
      if ((kinds & Kind.object) !== 0) {
        const member = sequence(choice(notation.text(0, undefined), notation.otherProperty([])), colon, value())
        options.push(list('{', member, space, comma, '}'))
      }
      return choice(...options)
    })
  }

  constant(value: Json): Rule {
    const { words, space, comma, colon } = this.notation
    if (value === null) return literal(words.null)
    if (typeof value === 'boolean') return literal(words[`${value}`])
    if (typeof value === 'number') return literal(JSON.stringify(value))
    if (typeof value === 'string') return this.notation.constant(value)
    const items = Array.isArray(value)
      ? (value as readonly Json[]).map((item) => this.constant(item))
      : Object.entries(value).map(([name, member]) =>
          sequence(this.notation.property(name), colon, this.constant(member as Json)),
        )
    const inner = items.flatMap((item, index) => (index === 0 ? [item] : [comma, item]))
    const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}']
    return sequence(literal(open), space, ...inner, items.length === 0 ? empty : space, literal(close))
  }

  #branch(node: Node, rules: readonly JsonObject[], kinds: number = Kind.any): Rule {
    this.leave(rules)
    if (node.values !== undefined) {
      return oneOf(node.values.filter((value) => (kindOf(value) & kinds) !== 0).map((value) => this.constant(value)))
    }
    const { words } = this.notation
    const types = node.types & kinds
    const options: Rule[] = []
    if ((types & Kind.string) !== 0) options.push(this.#string(rules))
    if ((types & Kind.number) !== 0) options.push(this.#number(this.#bounds(rules)))
    else if ((types & Kind.integer) !== 0) options.push(this.#integer(this.#bounds(rules)))
    if ((types & Kind.boolean) !== 0) options.push(literal(words.true), literal(words.false))
    if ((types & Kind.null) !== 0) options.push(literal(words.null))
    if ((types & Kind.array) !== 0) options.push(this.#array(node, rules))
    if ((types & Kind.object) !== 0) options.push(this.#object(node, rules))
    return choice(...options)
  }

  #string(rules: readonly JsonObject[]): Rule {
    const least = largest(rules, 'minLength')
    const most = smallest(rules, 'maxLength')
    const matching = this.matching(rules)
    const written = matching === undefined ? undefined : this.notation.matching(matching)
    if (written !== undefined) return written
    this.leaveTexts(rules)
    const { from, to } = this.lengths(least, most, 'minLength', 'maxLength')
    return this.notation.text(from, to)
  }

  /** The texts that may stand here, where there is a rule for them that can be said. */
  matching(rules: readonly JsonObject[]): GrammarTree | undefined {
    if (!this.detail.bounds) return undefined
    if (this.texts !== undefined) return this.texts
    const root = this.#pattern(rules)
    return root && { root, rules: new Map() }
  }

  /** Tells what is left unsaid of them. */
  leaveTexts(rules: readonly JsonObject[]): void {
    if (this.texts !== undefined) this.widen('grammar')
    if (rules.some((rule) => Object.hasOwn(rule, 'pattern'))) this.widen('pattern')
  }

  /** What the one pattern of these rules allows, where it can be said. */
  #pattern(rules: readonly JsonObject[]): Rule | undefined {
    const patterns = rules.map((rule) => own(rule, 'pattern')).filter((pattern) => typeof pattern === 'string')
    const [pattern] = patterns
    if (pattern === undefined || patterns.length > 1) return undefined
    const read = readPattern(pattern)
    if (read === undefined) return undefined
    const sized = withLengths(read, largest(rules, 'minLength'), smallest(rules, 'maxLength'))
    if (sized === undefined) this.widen('maxLength')
    return sized ?? read
  }

  /** Bounds of a length as far as they are told. */
  lengths(
    least: number | undefined,
    most: number | undefined,
    leastKeyword: string,
    mostKeyword: string,
  ): { readonly from: number; readonly to: number | undefined } {
    const saysLeast = least === undefined || (this.detail.bounds && least <= maxTimes)
    const saysMost = most === undefined || (this.detail.bounds && most <= maxTimes)
    if (!saysLeast) this.widen(leastKeyword)
    if (!saysMost) this.widen(mostKeyword)
    const from = saysLeast ? (least ?? 0) : 0
    return { from, to: saysMost ? (most === undefined ? undefined : Math.max(from, most)) : undefined }
  }

  #bounds(rules: readonly JsonObject[]): Bounds {
    const bounds = boundsOf(rules)
    const isEmpty = Object.keys(bounds).length === 0
    if (isEmpty || (this.detail.bounds && canSay(bounds))) return bounds
    this.widen('minimum')
    return {}
  }

  #number(bounds: Bounds): Rule {
    if (isNarrow(bounds)) this.widen('minimum')
    return this.book.define(`number ${JSON.stringify(bounds)}`, 'number', () => numberRule(bounds))
  }

  #integer(bounds: Bounds): Rule {
    return this.book.define(`integer ${JSON.stringify(bounds)}`, 'integer', () => integerRule(bounds))
  }

  #array(node: Node, rules: readonly JsonObject[]): Rule {
    const { space, comma } = this.notation
    const placed = rules.reduce((longest, rule) => Math.max(longest, tupleOf(rule).length), 0)
    const { from, to } = this.lengths(largest(rules, 'minItems'), smallest(rules, 'maxItems'), 'minItems', 'maxItems')
    const further = this.value(node.item(placed))
    const hasFurther = !isImpossible(this.#resolved(further))
    const next = this.book.define(`next ${this.notation.key} ${JSON.stringify(further)}`, 'next', () =>
      sequence(comma, further),
    )
    const tail = (index: number): Rule => {
      const least = Math.max(0, from - index)
      const most = to === undefined ? undefined : Math.max(0, to - index)
      if (index >= placed) return hasFurther ? repeat(next, least, most) : empty
      if (most === 0) return empty
      const here = sequence(comma, this.value(node.item(index)), tail(index + 1))
      return least > 0 ? here : optional(here)
    }
    if (to === 0 || (placed === 0 && !hasFurther)) return sequence(literal('['), space, literal(']'))
    const items = sequence(this.value(node.item(0)), tail(1))
    return sequence(literal('['), space, from > 0 ? items : optional(items), space, literal(']'))
  }

  #object(node: Node, rules: readonly JsonObject[]): Rule {
    const { notation } = this
    const { space, colon, comma } = notation
    const inner = this.members(node, rules, comma, {
      key: 'json',
      member: (name, member) => sequence(notation.property(name), colon, this.value(member)),
      other: (names, other) => sequence(notation.otherProperty(names), colon, this.value(other)),
    })
    return sequence(literal('{'), space, inner, inner === empty ? empty : space, literal('}'))
  }

  #define(node: Node, word: string, make: () => Rule): Rule {
    return this.book.define(`${word} ${this.notation.key} ${this.#numberOf(node)}`, 'value', make)
  }

  #resolved(rule: Rule): Rule {
    return rule.kind === 'reference' ? (this.book.rules.get(rule.name) ?? rule) : rule
  }

  #numberOf(node: Node): string {
    return String(this.book.numberOf(node))
  }
}

function list(open: string, item: Rule, space: Rule, comma: Rule, close: string): Rule {
  const items = optional(sequence(item, repeat(sequence(comma, item), 0)))
  return sequence(literal(open), space, items, space, literal(close))
}

function kindOf(value: Json): number {
  if (value === null) return Kind.null
  if (typeof value === 'boolean') return Kind.boolean
  if (typeof value === 'number') return Kind.number | Kind.integer
  if (typeof value === 'string') return Kind.string
  return Array.isArray(value) ? Kind.array : Kind.object
}
