import { describe, expect, test } from 'vitest'
import { codexPatch, codexScript } from '../../../../test/constrain/codex-grammars.ts'
import { matchGrammar } from '../grammar/match.ts'
import { printEbnf, printGbnf } from '../grammar/print.ts'
import { readLark } from './lark.ts'

const arithmetic = `
start: expr
expr: term (SP ADD SP term)* -> add
    | term
term: factor (SP MUL SP factor)*
factor: INT | "(" expr ")"
SP: " "
ADD: "+"
MUL: "*"
%import common.INT
`
const list = `
// A list of names.
?start: "[" [name ("," name)*] "]"
name.2: CNAME | ESCAPED_STRING | ("a".."c")~2..3 "!"
%import common (CNAME, ESCAPED_STRING, WS)
%ignore WS
`
const left = 'start: sum\nsum: sum "+" NUMBER | NUMBER\nNUMBER: /\\d+/'
const keyword = 'start: "select"i /[^;]+/ ";"'

const patch = (...lines: readonly string[]): string => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

interface Case {
  readonly grammar: string
  readonly fit: readonly string[]
  readonly unfit: readonly string[]
}

const cases: Readonly<Record<string, Case>> = {
  'a patch': {
    grammar: codexPatch,
    fit: [
      patch('*** Add File: a.txt', '+one', '+', '+ two'),
      `${patch('*** Delete File: a b.txt')}\n`,
      patch(
        '*** Update File: a.ts',
        '*** Move to: b.ts',
        '@@ class A',
        ' x',
        '-y',
        '+z',
        '@@',
        '+end',
        '*** End of File',
      ),
      patch('*** Update File: a.ts', '@@', '+\u2028 in a line', '*** Add File: b', '+x'),
    ],
    unfit: [
      '',
      patch(),
      patch('*** Add File: a.txt'),
      patch('*** Update File: a.ts', 'x', '-y'),
      `\n${patch('*** Delete File: a')}`,
      `${patch('*** Delete File: a')}\n\n`,
      '```\n*** Begin Patch\n```',
    ],
  },
  'a script': { grammar: codexScript, fit: ['text(1)', '// @exec: {"a": 1}\nx\n'], unfit: [''] },
  'a sum': { grammar: arithmetic, fit: ['1', '1 + 2 * (3 + 4)'], unfit: ['1+2', '(1', '1 +'] },
  'a list': {
    grammar: list,
    fit: ['[]', '[ a , "b \\" c" ]', '\n[ab!,cc!]'],
    unfit: ['[a b]', '[a,]', '[abca!]'],
  },
  'a rule that begins with itself': { grammar: left, fit: ['1', '1+22+3'], unfit: ['+1', '1+'] },
  'a word in any case': { grammar: keyword, fit: ['SELECT 1;', 'Select x;'], unfit: ['SELEC;', 'select 1'] },
}

describe.each(Object.entries(cases))('%s', (_, { grammar, fit, unfit }) => {
  const tree = readLark(grammar)
  if (tree === undefined) throw new Error('not read')

  test.each(fit)('fits: %j', (text) => expect(matchGrammar(tree, text)).toEqual({ fits: true }))
  test.each(unfit)('does not fit: %j', (text) => expect(matchGrammar(tree, text)).toMatchObject({ fits: false }))

  test('is printed with names every notation takes', () => {
    for (const print of [printGbnf, printEbnf]) {
      const rules = print(tree).trim().split('\n')
      const names = rules.map((rule) => rule.split(' ::= ')[0] ?? '')
      expect(names).toEqual([...new Set(names)])
      for (const name of names) expect(name).toMatch(/^[a-z][A-Za-z0-9-]*$/)
    }
  })
})

test('a patch, as llama.cpp reads it', () => {
  const tree = readLark(codexPatch)
  expect(tree && printGbnf(tree)).toMatchInlineSnapshot(`
    "root ::= text-start
    text-start ::= text-begin-patch text-hunk+ text-end-patch
    text-begin-patch ::= "*** Begin Patch" text-LF
    text-LF ::= "\\n"
    text-hunk ::= text-add-hunk | text-delete-hunk | text-update-hunk
    text-add-hunk ::= "*** Add File: " text-filename text-LF text-add-line+
    text-filename ::= [^\\u000A]+
    text-add-line ::= "+" [^\\u000A]* text-LF
    text-delete-hunk ::= "*** Delete File: " text-filename text-LF
    text-update-hunk ::= "*** Update File: " text-filename text-LF text-change-move? text-change?
    text-change-move ::= "*** Move to: " text-filename text-LF
    text-change ::= (text-change-context | text-change-line)+ text-eof-line?
    text-change-context ::= ("@@" | "@@ " [^\\u000A]+) text-LF
    text-change-line ::= ("+" | "-" | " ") [^\\u000A]* text-LF
    text-eof-line ::= "*** End of File" text-LF
    text-end-patch ::= "*** End Patch" text-LF?
    "
  `)
})

test.each([
  ['no start', 'a: "x"'],
  ['a rule that is not there', 'start: b'],
  ['a template', 'start: _sep{a, ","}\na: "x"'],
  ['a pattern that looks ahead', 'start: /a(?=b)/'],
  ['a terminal that is declared elsewhere', '%declare INDENT\nstart: INDENT'],
  ['an unknown import', 'start: X\n%import common.X'],
  ['JSON in it', 'start: %json {"type": "object"}'],
  ['recursion on the left over two rules', 'start: a\na: b "x" | "y"\nb: a "z"'],
  ['an open parenthesis', 'start: ("a"'],
  ['characters that are no words', 'start: $'],
])('a grammar with %s is not read', (_, grammar) => {
  expect(readLark(grammar)).toBeUndefined()
})
