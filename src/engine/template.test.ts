import { expect, test } from 'vitest'
import { collect } from '../../test/engine/collect.ts'
import { compileTemplate, literalsOf, openerOf, printTemplate, readTokens, tokensAfterOpener } from './template.ts'

test('a template is literals and slots', () => {
  expect(compileTemplate('<call>\n<fn name="{name}">\n')).toEqual([
    { literal: '<call>' },
    { literal: '<fn name=' },
    { slot: 'name' },
    { literal: '>' },
  ])
  expect(literalsOf('</a></b>')).toEqual(['</a>', '</b>'])
  expect(openerOf('Action: {name}')).toBe('Action:')
  expect(openerOf('{name}(')).toBe('')
  expect(tokensAfterOpener('{name}(')).toEqual([{ slot: 'name' }, { literal: '(' }])
  expect(tokensAfterOpener('<a>{x}')).toEqual([{ slot: 'x' }])
  expect(printTemplate('{a}{b}{a}', { a: '1' })).toBe('1{b}1')
})

const tag = compileTemplate('<fn name="{name}">\n')
const pair = compileTemplate('<k>{key}</k>\n<v>')
const typed = compileTemplate('<p key="{key}" type="{type}">')

test.each<[string, typeof tag, Record<string, string>, string]>([
  ['<fn name="a">!', tag, { name: 'a' }, '!'],
  ["<fn name='a'>!", tag, { name: 'a' }, '!'],
  ['<fn name=a>!', tag, { name: 'a' }, '!'],
  ['<fn name= "a b" >!', tag, { name: 'a b' }, '!'],
  ['<fn name="a"/>!', tag, { name: 'a', '/': '' }, '!'],
  ['<fn name=a/>!', tag, { name: 'a', '/': '' }, '!'],
  ['<fn name="a" x="1" y=2>!', tag, { name: 'a', x: '1', y: '2' }, '!'],
  ['<fn name="a &amp; &quot;b&quot;">!', tag, { name: 'a & "b"' }, '!'],
  ['<fn name="a"\n<p>', tag, { name: 'a' }, '<p>'],
  ['<k>a</k>\n  <v>!', pair, { key: 'a' }, '!'],
  ['<k>a</k>\\n<v>!', pair, { key: 'a' }, '!'],
  ['<k> a </k><v>!', pair, { key: 'a' }, '!'],
  ['<k>a</k></c>', pair, { key: 'a', orphan: '' }, '</c>'],
  ['<p key="a" type="b">!', typed, { key: 'a', type: 'b' }, '!'],
  ['<p key="a">!', typed, { key: 'a' }, '!'],
])('%s', (text, tokens, slots, rest) => {
  const read = collect(text, (source) => readTokens(source, tokens, 0))
  expect({ slots: Object.fromEntries(read.result ?? []), rest: read.rest }).toEqual({ slots, rest })
})

test.each(['<fx name="a">', '<fn name="">', `<fn name="${'a'.repeat(300)}">`, '<fn nam'])(
  '%s is no such tag',
  (text) => {
    expect(collect(text, (source) => readTokens(source, tag, 0)).result).toBeUndefined()
  },
)
