import { describe, expect, test } from 'vitest'
import { Beats, Tape } from './tape.ts'

const long = 'x'.repeat(65_535)

describe('a tape', () => {
  test.each<[string, readonly string[]]>([
    ['nothing', []],
    ['a few words', ['a', 'b', 'c']],
    ['more than is packed at once', [long, long, long, 'end']],
    ['a character cut in two where it is packed', [`${long}\ud83d`, '\ude00 and on']],
    ['what takes three bytes', ['ਗ'.repeat(20_000), '¶'.repeat(20_000)]],
    ['more than a block holds', ['ਗ'.repeat(700_000)]],
    ['a mark of byte order', ['\ufeffa', '\ufeffb']],
  ])('gives back %s', (_, pieces) => {
    const tape = new Tape(1_000_000)
    for (const piece of pieces) tape.push(piece)
    expect(tape.text).toBe(pieces.join(''))
    expect(tape.kept).toBe(tape.length)
  })

  test('keeps so much, and counts the rest', () => {
    const tape = new Tape(70_000)
    for (let nth = 0; nth < 3; nth++) tape.push(long)
    expect(tape.text).toBe('x'.repeat(70_000))
    expect(tape).toMatchObject({ kept: 70_000, length: 3 * long.length, isTruncated: true })
  })

  test('can begin again, and can forget', () => {
    const tape = new Tape(200_000)
    tape.push(long + long)
    tape.clear()
    tape.push('new')
    expect(tape).toMatchObject({ text: 'new', length: 3 })
    tape.forget()
    expect(tape).toMatchObject({ text: '', length: 3, isTruncated: true })
  })
})

describe('beats', () => {
  test('what comes in one millisecond is one', () => {
    const beats = new Beats()
    for (const [ms, length] of [
      [1, 2],
      [1, 3],
      [4, 0],
      [5, 1],
    ] as const)
      beats.add(ms, length)
    expect(beats.list()).toEqual([
      [1, 5],
      [5, 1],
    ])
  })

  test('of a very long answer neighbours become one, and nothing is lost', () => {
    const beats = new Beats()
    for (let ms = 0; ms < 100_000; ms++) beats.add(ms, 2)
    expect(beats.count).toBeLessThan(4096)
    expect(beats.list().reduce((sum, [, length]) => sum + length, 0)).toBe(200_000)
  })
})
