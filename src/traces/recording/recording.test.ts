import { expect, test } from 'vitest'
import type { Beat } from '../exchange.ts'
import { addBeat, append, isTruncated, type KeptText, toKept } from './recording.ts'

test('so much of a text is kept, and the rest is counted', () => {
  const kept: KeptText = { text: '', length: 0 }
  for (const piece of ['ab', 'cd', 'ef']) append(kept, piece, 5)
  expect(kept).toEqual({ text: 'abcde', length: 6 })
  expect(isTruncated(kept)).toBe(true)
})

test.each<[string, string | Uint8Array, number, KeptText]>([
  ['a text', 'größe', 10, { text: 'größe', length: 5 }],
  ['a text that is cut', 'größe', 2, { text: 'gr', length: 5 }],
  ['bytes', Buffer.from('größe'), 10, { text: 'größe', length: 5 }],
  ['bytes that are cut inside a character', Buffer.from('größe'), 3, { text: 'gr', length: 7 }],
  ['bytes with a mark of byte order', Buffer.from('\ufeffa'), 10, { text: '\ufeffa', length: 2 }],
])('a whole body: %s', (_, body, most, kept) => {
  expect(toKept(body, most)).toEqual(kept)
})

test('what comes in one millisecond is one beat', () => {
  const beats: Beat[] = []
  for (const [ms, length] of [
    [1, 2],
    [1, 3],
    [4, 0],
    [5, 1],
  ] as const)
    addBeat(beats, ms, length)
  expect(beats).toEqual([
    [1, 5],
    [5, 1],
  ])
})

test('of a very long answer neighbours become one beat, and nothing is lost', () => {
  const beats: Beat[] = []
  for (let ms = 0; ms < 100_000; ms++) addBeat(beats, ms, 2)
  expect(beats.length).toBeLessThan(4096)
  expect(beats.reduce((sum, [, length]) => sum + length, 0)).toBe(200_000)
})
