import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { compileTemplate, literalsOf, openerOf, printTemplate, readTokens, tokensAfterOpener } from './template.ts'

test('a template is literals and slots', () => {
  expect(compileTemplate('<call>\n<fn name="{name}">\n').tokens).toEqual([
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

const { tokens: tag } = compileTemplate('<fn name="{name}">\n')
const { tokens: pair } = compileTemplate('<k>{key}</k>\n<v>')
const { tokens: typed } = compileTemplate('<p key="{key}" type="{type}">')

test.each<[string, typeof tag, Record<string, string>, string]>([
  ['<fn name="a">!', tag, { name: 'a' }, '!'],
  ["<fn name='a'>!", tag, { name: 'a' }, '!'],
  ['<fn name=a>!', tag, { name: 'a' }, '!'],
  ['<fn name= "a b" >!', tag, { name: 'a b' }, '!'],
  ['<fn name="a"/>!', tag, { name: 'a', '/': '' }, '!'],
  ['<fn name=a/>!', tag, { name: 'a', '/': '' }, '!'],
  ['<fn name="a" x="1" y=2>!', tag, { name: 'a', x: '1', y: '2' }, '!'],
  ['<fn name="a &amp; &quot;b&quot;">!', tag, { name: 'a & "b"' }, '!'],
  ['<fn name="a"\n<p>', tag, { name: 'a', unclosed: '' }, '<p>'],
  ['<k>a</k>\n  <v>!', pair, { key: 'a' }, '!'],
  ['<k>a</k>\\n<v>!', pair, { key: 'a' }, '!'],
  ['<k> a </k><v>!', pair, { key: 'a' }, '!'],
  ['<k>a</k></c>', pair, { key: 'a', orphan: '' }, '</c>'],
  ['<p key="a" type="b">!', typed, { key: 'a', type: 'b' }, '!'],
  ['<p key="a">!', typed, { key: 'a' }, '!'],
])('%s', (text, tokens, slots, rest) => {
  const read = collect(text, (source) => readTokens(source, tokens))
  expect({ slots: Object.fromEntries(read.result ?? []), rest: read.rest }).toEqual({ slots, rest })
})

test.each(['<fx name="a">', '<fn name="">', `<fn name="${'a'.repeat(300)}">`, '<fn nam'])(
  '%s is no such tag',
  (text) => {
    expect(collect(text, (source) => readTokens(source, tag)).result).toBeUndefined()
  },
)

test.each([...'<>{}[]()"\'`,=|｜\\ \t\n\r'])('a name without quotes ends before %j', (end) => {
  const read = collect(`<f=ab${end}c`, (source) => readTokens(source, compileTemplate('<f={name}').tokens))
  expect(read.result?.get('name')).toBe('ab')
})

test.each<[string, string, Record<string, string>, string]>([
  ['do {name}; {id}', 'do a;b!', { name: 'a', id: 'b!' }, ''],
  ['do {name} to {id}', 'do set to it', { name: 'set', id: 'it' }, ''],
  ['<c id="{id}">', '<c id="">!', { id: '' }, '!'],
  ['<p={key}>', '<p=a/>!', { key: 'a/' }, '!'],
  ['<k>{key}</k>\n<v>', '<k>a\\n</k>\\n<v>!', { key: 'a' }, '!'],
  ['<k>{key}</k>\n<v>', '<k>a</k></c>', { key: 'a', orphan: '' }, '</c>'],
  ['<k>{key}</k>\n<v>', '<k>a</k>x</c>', { key: 'a' }, 'x</c>'],
  ['<fn name="{name}">', '<fn name=a">!', { name: 'a' }, '!'],
  ['<fn name="{name}">', '<fn name="a\nb">!', { name: 'a' }, '!'],
  ['<fn name="{name}">', `<fn name="${'a'.repeat(256)}">!`, { name: 'a'.repeat(256) }, '!'],
  ['<fn name="{name}">', `<fn name="a" ${'x'.repeat(257)}>!`, { name: 'a' }, '!'],
  ['<fn name="{name}">', `<fn name="a" x:y-z = 'b c' d>!`, { name: 'a', 'x:y-z': 'b c' }, '!'],
])('%s is read from %s', (template, text, slots, rest) => {
  const read = collect(text, (source) => readTokens(source, compileTemplate(template).tokens))
  expect({ slots: Object.fromEntries(read.result ?? []), rest: read.rest }).toEqual({ slots, rest })
})

test.each([
  ['<fn name="{name}">', `<fn name="${'a'.repeat(257)}">`],
  ['<fn name="{name}">', `<fn name="a" ${'x'.repeat(258)}>`],
  ['<fn name="{name}">', '<fn name="a" x\n>'],
  ['<fn name="{name}">', '<fn name="a" x<p>'],
  ['<fn name="{name}">', '<fn name="a" x'],
  ['<fn name="{name}">', '<fn name=a'],
  ['<fn name="{name}">', '<fn name="a'],
  ['call {name}>', 'bell x>'],
  ['Action: {name}\nInput:', 'Action: a b Input:'],
  ['<k>{key}</k>\n<v>', '<k>a<w>'],
])('%s is not what stands in %s', (template, text) => {
  expect(collect(text, (source) => readTokens(source, compileTemplate(template).tokens)).result).toBeUndefined()
})

test('a tag that goes on otherwise is none', () => {
  expect(collect('"a"</c>', (source) => readTokens(source, typed.slice(1))).result).toBeUndefined()
})

test('a template is read from any of its tokens on', () => {
  const read = collect('"a">!', (source) => readTokens(source, tag.slice(1)))
  expect([read.result?.get('name'), read.rest]).toEqual(['a', '!'])
})

const { tokens: key } = compileTemplate('<k>{key}</k>\n<v>')
const { tokens: parameter } = compileTemplate('<p={key}>')

test.each([
  ['<k>"a"</k><v>!', key, 'a'],
  ["<k>'a'</k><v>!", key, 'a'],
  ['<k>a\n</k><v>!', key, 'a'],
  ['<k>a\n  </k><v>!', key, 'a'],
  ['<k>a<1</k><v>!', key, 'a<1'],
  [`<k>${'a'.repeat(256)}</k><v>!`, key, 'a'.repeat(256)],
  ['<p="a">!', parameter, 'a'],
  ["<p='a'>!", parameter, 'a'],
  ['<p=a">!', parameter, 'a'],
  ["<p=a'>!", parameter, 'a'],
  ['<p=a  >!', parameter, 'a'],
  ['<p=a zone>!', parameter, 'a'],
  ['<p=a x="b > c">!', parameter, 'a'],
  ["<p=a x='b > c'>!", parameter, 'a'],
  ['<p=a x="b"c"d">!', parameter, 'a'],
])('the key in %s stands up to its end, whatever else its tag has', (text, tokens, name) => {
  const read = collect(text, (source) => readTokens(source, tokens))
  expect([read.result?.get('key'), read.rest]).toEqual([name, '!'])
})

test.each(['<k>a\nb</k><v>', '<k>a<b></k><v>', '<k></k><v>', `<k>${'a'.repeat(258)}</k><v>`, '<k>a</'])(
  '%j holds no key',
  (text) => {
    expect(collect(text, (source) => readTokens(source, key)).result).toBeUndefined()
  },
)
