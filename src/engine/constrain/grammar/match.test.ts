import { expect, test } from 'vitest'
import { dialects } from '../../../dialects/registry.ts'
import type { Tool } from '../../../protocol/tool.ts'
import { printCalls } from '../../print.ts'
import { constrain } from '../constrain.ts'
import { matchGrammar } from './match.ts'
import { characters, choice, type GrammarTree, literal, optional, repeat, sequence } from './tree.ts'

const tool: Tool = {
  kind: 'function',
  name: 'write',
  parameters: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}

test.each(dialects)(
  '$name: what is printed fits, what is cut off ends too soon, and a wrong name is found',
  (dialect) => {
    const { tree } = constrain({ dialect, tools: [tool], choice: { mode: 'auto' }, others: dialects })
    const say = (name: string) => printCalls(dialect, [{ id: 'call_1', name, arguments: '{"path": "a b"}' }], [tool])
    const text = say('write')
    expect(matchGrammar(tree, text)).toEqual({ fits: true })
    expect(matchGrammar(tree, `So.\n${text}`)).toEqual({ fits: true })
    const cut = matchGrammar(
      constrain({ dialect, tools: [tool], choice: { mode: 'required' } }).tree,
      text.slice(0, -1),
    )
    expect(cut).toMatchObject({ fits: false, at: text.length - 1 })
  },
)

const list = (of: Parameters<typeof repeat>[0]): GrammarTree => ({ root: of, rules: new Map() })
const letter = characters([[97, 122]])

test.each<[string, GrammarTree, string, object]>([
  ['a count', list(repeat(literal('ab'), 2, 3)), 'abab', { fits: true }],
  ['too few', list(repeat(literal('ab'), 2, 3)), 'ab', { fits: false, at: 2, expected: ['"ab"'] }],
  ['too many', list(repeat(literal('a'), 0, 2)), 'aaa', { fits: false, at: 2, expected: ['the end'] }],
  ['nothing again and again', list(repeat(optional(literal('a')), 3)), 'aa', { fits: true }],
  ['letters', list(repeat(letter, 1)), 'abc1', { fits: false, at: 3, expected: ['[a-z]', 'the end'] }],
  ['a character of two halves', list(literal('a🙂b')), 'a🙂c', { fits: false, at: 3, expected: ['"b"'] }],
  ['either', list(choice(literal('one'), literal('only'))), 'ox', { fits: false, at: 1, expected: ['"nly"', '"ne"'] }],
])('%s', (_, tree, text, expected) => {
  const match = matchGrammar(tree, text)
  if (match.fits === false)
    expect({ ...match, expected: [...match.expected].sort() }).toEqual({
      ...expected,
      expected: [...(expected as { expected: string[] }).expected].sort(),
    })
  else expect(match).toEqual(expected)
})

test('recursion goes as deep as the text', () => {
  const value = { kind: 'reference', name: 'value' } as const
  const tree: GrammarTree = {
    root: value,
    rules: new Map([['value', choice(literal('x'), sequence(literal('('), value, literal(')')))]]),
  }
  const deep = `${'('.repeat(2_000)}x${')'.repeat(2_000)}`
  expect(matchGrammar(tree, deep)).toEqual({ fits: true })
  expect(matchGrammar(tree, deep.slice(0, -1))).toEqual({ fits: false, at: 4_000, expected: ['")"'] })
})

test('the work grows with the text, not faster', () => {
  const [dialect] = dialects
  if (dialect === undefined) throw new Error('there are no dialects')
  const { tree } = constrain({ dialect, tools: [tool], choice: { mode: 'auto' }, others: dialects })
  const time = (length: number) => {
    const text = 'Some words < and more. '.repeat(length)
    const started = performance.now()
    matchGrammar(tree, text)
    return performance.now() - started
  }
  time(250)
  expect(time(2_000)).toBeLessThan(20 * Math.max(time(250), 1))
})
