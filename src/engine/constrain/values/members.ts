import { choice, empty, type Rule, type RuleBook, repeat, sequence } from '../grammar/tree.ts'

export interface Member {
  readonly rule: Rule
  readonly isRequired: boolean
}

export interface MemberOptions {
  /** Between two. */
  readonly separator: Rule
  /** Any number of these at the end. */
  readonly others?: Rule
  /** In whatever order; there are twice as many rules for each more. */
  readonly anyOrder: boolean
}

/** Members of which those that are required must stand and none stands twice. */
export function membersRule(book: RuleBook, key: string, members: readonly Member[], options: MemberOptions): Rule {
  return options.anyOrder ? inAnyOrder(book, key, members, options) : inOrder(book, key, members, options)
}

function inOrder(book: RuleBook, key: string, members: readonly Member[], { separator, others }: MemberOptions): Rule {
  function rest(index: number, isFirst: boolean): Rule {
    const member = members[index]
    if (member === undefined) return ending(separator, others, isFirst)
    return book.define(`members ${key} ${index} ${isFirst}`, 'rest', () => {
      const present = sequence(isFirst ? empty : separator, member.rule, rest(index + 1, false))
      return member.isRequired ? present : choice(present, rest(index + 1, isFirst))
    })
  }
  return rest(0, true)
}

function inAnyOrder(book: RuleBook, key: string, members: readonly Member[], options: MemberOptions): Rule {
  const { separator, others } = options
  function rest(there: number): Rule {
    return book.define(`members ${key} ${there}`, 'rest', () => {
      const isEnough = members.every(({ isRequired }, index) => !isRequired || (there & (1 << index)) !== 0)
      const isFirst = there === 0
      return choice(
        ...(isEnough ? [ending(separator, others, isFirst)] : []),
        ...members.flatMap(({ rule }, index) =>
          (there & (1 << index)) !== 0 ? [] : [sequence(isFirst ? empty : separator, rule, rest(there | (1 << index)))],
        ),
      )
    })
  }
  return rest(0)
}

function ending(separator: Rule, others: Rule | undefined, isFirst: boolean): Rule {
  if (others === undefined) return empty
  const more = repeat(sequence(separator, others), 0)
  return isFirst ? choice(empty, sequence(others, more)) : more
}
