import { expect, test } from 'vitest'
import { collect } from '../../../test/engine/collect.ts'
import { peek, skipSpace, stands, standsAfterSpace, take, takeAny, takeRun } from './literals.ts'
import { attempt, look, more, run } from './running.ts'
import { isSpace, refuted, Source, type Step } from './source.ts'

/** Reads so many characters, pushing single ones as they are needed. */
function readOn(source: Source, text: string): void {
  for (const char of text) {
    if (source.at === source.text.length && !source.advance()) source.push(char)
    expect(source.text.charAt(source.at)).toBe(char)
    source.at++
  }
}

test.each([
  ['a few pieces', 'abcdef'],
  ['more pieces than one block holds', 'ab'.repeat(400)],
])('what was marked is read again: %s', (_, text) => {
  const source = new Source()
  readOn(source, 'before')
  const start = source.mark()
  readOn(source, text)
  expect(source.since(start)).toBe(text)
  const inner = source.mark()
  expect(inner - start).toBe(text.length)
  readOn(source, 'inside')
  expect([source.since(inner), source.since(start)]).toEqual(['inside', `${text}inside`])
  source.goTo(inner)
  readOn(source, 'in')
  expect(source.since(start)).toBe(`${text}in`)
  source.goTo(start)
  readOn(source, `${text}inside`)
  expect([source.since(start), source.position]).toEqual([`${text}inside`, 12 + text.length])
})

test('what lies ahead is there again, also beyond the end', () => {
  const source = new Source()
  const start = source.mark()
  readOn(source, 'abc')
  source.end()
  source.goTo(start)
  expect([source.isOver, source.ended]).toEqual([true, false])
  readOn(source, 'abc')
  expect([source.ended, source.advance()]).toEqual([true, false])
  source.goTo(start + 1)
  source.goTo(start + 3)
  expect([source.position, source.ended]).toEqual([3, true])
})

test('text comes to hand in one piece where a reader looks over the seam', () => {
  const source = new Source()
  source.mark()
  source.push('abc')
  source.at = 2
  source.push('def')
  expect(source.text).toBe('cdef')
  source.goTo(0)
  expect(source.text).toBe('ab')
  source.at = 1
  expect([source.advance(), source.text, source.position]).toEqual([true, 'bcdef', 1])
})

test('of a long chunk only the head is copied to the seam', () => {
  const source = new Source()
  source.mark()
  source.push('ab')
  source.at = 2
  source.push('c'.repeat(5000))
  source.goTo(1)
  source.advance()
  expect([source.text.length, source.work]).toEqual([1 + 1024, 5002 + 1 + 1])
  readOn(source, `b${'c'.repeat(5000)}`)
  expect(source.since(0).length).toBe(5002)
})

test('what is read again, or copied, counts as work', () => {
  const source = new Source()
  source.push('abc')
  const mark = source.mark()
  source.at = 2
  source.goTo(mark)
  expect(source.work).toBe(5)
  source.at = 3
  source.since(mark)
  expect(source.work).toBe(8)
})

test.each([
  [0, 65_536, true],
  [0, 65_537, false],
  [1000, 69_536, true],
  [1000, 69_537, false],
])('a reading begun at %i may go on for %i characters: %s', (start, length, may) => {
  const source = new Source()
  source.push('a'.repeat(start + length))
  source.at = start + length
  expect(source.mayGoOn(start)).toBe(may)
})

test('readings in vain leave the next ones less, but never nothing', () => {
  const source = new Source()
  source.push('a'.repeat(200_000))
  const readInVain = (length: number): boolean => {
    const start = source.mark()
    source.at = length
    const may = source.mayGoOn(start)
    source.giveUp(start)
    source.release()
    return may
  }
  expect(readInVain(64)).toBe(true)
  // The first cost 64 characters; the next 20,000 leave half of what was free, less what was read.
  expect([readInVain(20_000), readInVain(12_705), readInVain(20_000)]).toEqual([true, false, false])
  expect([readInVain(64), readInVain(65)]).toEqual([true, false])
})

test('what is not certain sees no more of the text than may be read in vain', () => {
  const source = new Source()
  source.push('a'.repeat(70_000))
  const before = source.limit(0)
  expect([source.text.length, source.isAtLimit, source.ended]).toEqual([65_536, true, true])
  expect(source.advance()).toBe(false)
  source.unlimit(before)
  source.at = source.text.length
  expect([source.isAtLimit, source.advance(), source.text.length]).toEqual([false, true, 70_000 - 65_536])
})

test('an attempt that comes to nothing goes back, and so does a look', () => {
  const read = (result: boolean | undefined | typeof refuted) =>
    function* (source: Source): Step<unknown> {
      return yield* attempt(source, function* () {
        yield* take(source, 'a')
        if (result === refuted) throw refuted
        return result
      })
    }
  expect(collect('ab', read(true))).toMatchObject({ result: true, rest: 'b' })
  for (const nothing of [false, undefined, refuted] as const)
    expect(collect('ab', read(nothing))).toMatchObject({ rest: 'ab' })
  expect(collect('ab', (source) => look(source, () => take(source, 'a')))).toMatchObject({ result: true, rest: 'ab' })
  expect(() =>
    collect('ab', (source) =>
      attempt(source, function* () {
        yield* more(source)
        throw new Error('other')
      }),
    ),
  ).toThrow('other')
})

test('white space is looked over once', () => {
  const source = new Source()
  source.push(`${' '.repeat(1000)}x`)
  const reading = function* (): Step<void> {
    for (let i = 0; i < 100; i++) yield* standsAfterSpace(source, ['x'])
  }
  run(source, reading())
  expect([source.position, source.passSpace(), source.position]).toEqual([0, true, 1000])
})

test('the fast path takes whole chunks, which are kept all the same', () => {
  const source = new Source()
  const taken: string[] = []
  source.push('ab')
  const mark = source.mark()
  source.fast = (chunk) => chunk !== '!' && taken.push(chunk) > 0
  expect(source.push('c')).toBe(false)
  source.at = 3
  expect([source.push('de'), source.push('f'), source.push('!'), source.push('g')]).toEqual([true, true, false, false])
  expect([taken, source.text, source.position]).toEqual([['de', 'f'], '!g', 6])
  source.at++
  expect(source.since(mark)).toBe('abcdef!')
  source.goTo(mark)
  readOn(source, 'abcdef!g')
})

test('the fast path is there only while its reader waits', () => {
  const source = new Source()
  const waiting = more(source, () => false)
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
  expect(collect<unknown>(text, (source) => read(source))).toMatchObject({ result, rest })
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
  const read = collect(text, (source) => standsAfterSpace(source, ['<a>', '<b']))
  expect(read).toMatchObject({ result: there, rest: text })
})

test('a mark further on is waited for only while it can still come', () => {
  const source = new Source()
  source.push(' <')
  const waiting = standsAfterSpace(source, ['<a>'])
  expect(waiting.next().done).toBe(false)
  source.push('b')
  expect(waiting.next()).toEqual({ done: true, value: false })
})

test.each([
  ['abc;d', 5, 'abc', ';d'],
  ['abc', 3, 'abc', ''],
  ['abcd', 3, undefined, ''],
  [';', 3, '', ';'],
])('of %j at most %i characters before a stop are %j', (text, most, result, rest) => {
  const read = collect(text, (source) => takeRun(source, most, (code) => code === 59))
  expect(read).toMatchObject(result === undefined ? { result } : { result, rest })
})

test('the fast path ends at a limit, and whoever waits there is resumed', () => {
  const source = new Source()
  source.push('ab')
  source.at = 2
  source.limit(-16_384)
  const room = 64
  source.fast = () => true
  expect(source.push('c'.repeat(room))).toBe(true)
  expect(source.push('d')).toBe(false)
  expect([source.ended, source.position]).toEqual([true, 2 + room])
})
