import { expect, test } from 'vitest'
import { collect } from '../../test/engine/collect.ts'
import { isSpace, more, moreOf, peek, Source, skipSpace, stands, standsAfterSpace, take, takeAny } from './source.ts'

/** Reads so many characters, pushing single ones as they are needed. */
function readOn(source: Source, text: string): void {
  for (const char of text) {
    if (source.at === source.text.length) source.push(char)
    expect(source.text.charAt(source.at)).toBe(char)
    source.at++
  }
}

test.each([
  ['a few pieces', 'abcdef'],
  ['more pieces than one block holds', 'ab'.repeat(400)],
])('what was kept is read again: %s', (_, text) => {
  const source = new Source()
  readOn(source, 'before')
  const start = source.keep()
  readOn(source, text)
  expect(source.since(start)).toBe(text)
  const inner = source.keep()
  expect(inner - start).toBe(text.length)
  readOn(source, 'inside')
  expect([source.since(inner), source.since(start)]).toEqual(['inside', `${text}inside`])
  source.rewind(inner)
  readOn(source, 'in')
  expect(source.since(start)).toBe(`${text}in`)
  source.rewind(start)
  readOn(source, `${text}inside`)
  expect([source.since(start), source.position]).toEqual([`${text}inside`, 12 + text.length])
})

test('a keep begins anew once the last was let go', () => {
  const source = new Source()
  source.push('abcdef')
  source.keep()
  source.at = 2
  source.push('g')
  source.letGo()
  const mark = source.keep()
  source.at++
  source.push('h')
  expect([mark, source.since(mark), source.text]).toEqual([2, 'c', 'defgh'])
  source.rewind(mark)
  expect([source.text, source.position]).toEqual(['cdefgh', 2])
})

test('all that is read counts as work, what is read again twice', () => {
  const source = new Source()
  source.push('abc')
  const mark = source.keep()
  source.at = 2
  source.rewind(mark)
  expect([source.work, source.reread]).toEqual([5, 2])
})

test.each([
  [0, 4096, false],
  [0, 4097, true],
  [10, 4136, false],
  [10, 4137, true],
  [10_000, 4137, false],
])('of %i characters, %i read again: weary is %s', (fresh, reread, isWeary) => {
  const source = Object.assign(new Source(), { work: fresh + reread, reread })
  expect(source.isWeary).toBe(isWeary)
})

test('the fast path takes whole chunks, which are kept all the same', () => {
  const source = new Source()
  const taken: string[] = []
  source.push('ab')
  const mark = source.keep()
  source.fast = (chunk) => chunk !== '!' && taken.push(chunk) > 0
  expect(source.push('c')).toBe(false)
  source.at = 3
  expect([source.push('de'), source.push('f'), source.push('!'), source.push('g')]).toEqual([true, true, false, false])
  expect([taken, source.text, source.position, source.work]).toEqual([['de', 'f'], '!g', 6, 8])
  source.at++
  expect(source.since(mark)).toBe('abcdef!')
  source.rewind(mark)
  expect([source.text, source.position]).toEqual(['abcdef!g', 0])
})

test('the fast path is there only while its reader waits', () => {
  const source = new Source()
  const waiting = moreOf(source, () => false)
  expect([waiting.next().done, source.fast !== undefined]).toEqual([false, true])
  source.push('a')
  expect([waiting.next(), source.fast]).toEqual([{ done: true, value: true }, undefined])
})

test.each([
  [8, false],
  [9, true],
  [13, true],
  [14, false],
  [31, false],
  [32, true],
  [33, false],
  [Number.NaN, false],
])('character %d is white space: %s', (code, space) => {
  expect(isSpace(code)).toBe(space)
})

test.each([
  ['more', '', more, false, ''],
  ['more', 'a', more, true, 'a'],
  ['peek', '', peek, -1, ''],
  ['peek', 'ab', peek, 97, 'ab'],
  ['skipSpace', ' \n a', skipSpace, 97, 'a'],
  ['skipSpace', ' \n ', skipSpace, -1, ''],
] as const)('%s of %j', (_, text, read, result, rest) => {
  expect(collect<unknown>(text, read)).toMatchObject({ result, rest })
})

test.each([
  ['<ab>', '<ab>', true],
  ['<ab>c', '<ab>', true],
  ['<ab', '<ab>', false],
  ['<abc>', '<ab>', false],
  ['', '<ab>', false],
  ['x', '', true],
])('of %j, %j stands next: %s', (text, literal, there) => {
  expect(collect(text, (source) => stands(source, literal))).toMatchObject({ result: there, rest: text })
  const rest = there ? text.slice(literal.length) : text
  expect(collect(text, (source) => take(source, literal))).toMatchObject({ result: there, rest })
})

test('a literal is known not to stand next as soon as it cannot', () => {
  const source = new Source()
  source.push('<a')
  const waiting = stands(source, '<ab>')
  expect(waiting.next().done).toBe(false)
  source.push('c')
  expect(waiting.next()).toEqual({ done: true, value: false })
})

test.each([
  ['</a>x', '</a>', 'x'],
  ['</ab>x', '</ab>', 'x'],
  ['</c>x', undefined, '</c>x'],
])('of several closers %j begins with %s', (text, literal, rest) => {
  expect(collect(text, (source) => takeAny(source, ['</a>', '</ab>']))).toMatchObject({ result: literal, rest })
})

test.each([
  ['<a>', true],
  [' \n <a>', true],
  [' <b', true],
  ['\n<', false],
  [' <c>', false],
  ['x<a>', false],
])('after white space, one of the marks stands in %j: %s', (text, there) => {
  for (const atEnd of [true, false]) {
    const read = collect(text, (source) => standsAfterSpace(source, ['<a>', '<b'], atEnd))
    expect(read).toMatchObject({ result: there, rest: text })
  }
})

test.each([
  ['', true],
  [' \n', false],
])('after the white space %j the end may stand for a mark: %s', (text, atEnd) => {
  expect(collect(text, (source) => standsAfterSpace(source, ['<a>'], atEnd)).result).toBe(atEnd)
})

test('a mark further on is waited for only while it can still come', () => {
  const source = new Source()
  source.push(' <')
  const waiting = standsAfterSpace(source, ['<a>'], false)
  expect(waiting.next().done).toBe(false)
  source.push('b')
  expect(waiting.next()).toEqual({ done: true, value: false })
})
