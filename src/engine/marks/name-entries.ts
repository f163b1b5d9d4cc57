import { type Dialect, hasNameMarks } from '../../dialects/dialect.ts'
import { type EntriesOf, type Entry, entriesOf, expect, expectTokens, trustOf } from './entries.ts'
import { spellingsOf } from './names.ts'
import { literalsOf, openerOf, printTemplate, tokensAfterOpener } from './template.ts'
import { think } from './vocabulary.ts'

/** The marks that open calls in any dialect, tools' own names among them. */
export const allEntriesOf: EntriesOf = (dialect, names, anyName) => {
  const { grammar } = dialect
  if (!hasNameMarks(grammar)) return entriesOf(dialect)
  const entries: [string, Entry][] = []
  const known = new Set(names)
  for (const name of known) {
    if (grammar.arguments.as === 'tagged') entries.push([name, untagged(dialect, name)])
    for (const spelling of spellingsOf(name)) {
      if (spelling === name || !known.has(spelling)) entries.push(...named(dialect, spelling))
    }
  }
  for (const open of anyName ? grammar.call.open : []) {
    const tokens = tokensAfterOpener(open)
    const expects = expectTokens(dialect, tokens)
    if (openerOf(open) !== '')
      entries.push([openerOf(open), { dialect, at: 'call', tokens, trust: 'faint', inline: true, expects }])
  }
  return entries
}

/** The ways into a call whose tag is named like the tool. */
function named(dialect: Dialect, name: string): readonly [string, Entry][] {
  return dialect.grammar.call.open.flatMap((open): [string, Entry][] => {
    // `<ping` and then `>`, because `/>` may stand there too.
    const [opener = '', ...rest] = literalsOf(printTemplate(open, { name })).flatMap((literal, i) =>
      i === 0 && literal.endsWith('>') ? [literal.slice(0, -1), '>'] : [literal],
    )
    const tokens = rest.map((literal) => ({ literal }))
    const expects = expectTokens(dialect, tokens)
    const entry: Entry = { dialect, at: 'call', tokens, name, trust: trustOf(dialect, open), expects }
    if (rest[0] !== '>') return [[opener, entry]]
    // The tag may be another mark, too: `<answer>`. Where it begins thoughts, an argument after it tells.
    const tag = `${opener}>`
    const isThought = think.open.includes(tag)
    const after = expect([isThought ? '<' : ''], isThought && dialect.grammar.arguments.as === 'yaml')
    const whole: [string, Entry] = [tag, { ...entry, tokens: tokens.slice(1), expects: after }]
    return [[opener, entry], whole]
  })
}

/** A tool's name and then its arguments, where the model forgot to make a tag of the name. */
function untagged(dialect: Dialect, name: string): Entry {
  const expects = expect(['<', ':'])
  return { dialect, at: 'name', tokens: [], name, trust: 'faint', expects }
}
