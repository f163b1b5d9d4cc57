import { describe, expect, test } from 'vitest'
import { createSseReader } from './sse.ts'

function cutAll(text: string, size: number) {
  const bytes = new TextEncoder().encode(text)
  const reader = createSseReader()
  const events: string[] = []
  for (let at = 0; at < bytes.length; at += size)
    events.push(...reader.push(bytes.subarray(at, at + size)).map(({ data }) => data))
  events.push(...reader.end().map(({ data }) => data))
  return { events, hasEvents: reader.hasEvents }
}

describe('an event stream is cut the same at every packet size', () => {
  const streams: [string, string, string[]][] = [
    ['plain events', 'data: a\n\ndata: b\n\n', ['a', 'b']],
    ['comments and other fields', ': ping\n\nevent: x\nid: 7\nretry: 5\ndata: a\n\n:\n\n', ['a']],
    ['carriage returns', 'data: a\r\n\r\ndata: b\r\rdata: c\n\n', ['a', 'b', 'c']],
    ['characters of several bytes', 'data: grün 🐉 漢字\n\n', ['grün 🐉 漢字']],
    ['a byte order mark later on', 'data: a\n\ndata: \ufeffb\n\n', ['a', '\ufeffb']],
    ['a byte order mark', '\ufeffdata: a\n\n', ['a']],
    ['several data lines', 'data: a\ndata: b\n\n', ['a\nb']],
    ['a last event without its blank line', 'data: a\n\ndata: [DONE]', ['a', '[DONE]']],
    ['line separators inside data', 'data: a\u2028b\n\n', ['a\u2028b']],
  ]
  for (const [name, text, expected] of streams) {
    test.each([1, 2, 3, 7, 1000])(`${name}, %i bytes a packet`, (size) => {
      expect(cutAll(text, size).events).toEqual(expected)
    })
  }
})

test.each(['<!doctype html><html></html>', '{"a":1}\n{"a":2}\n'])('bytes without events can be told: %s', (text) => {
  expect(cutAll(text, 5).hasEvents).toBe(false)
})

test('an event that never ends is refused at the limit', () => {
  const reader = createSseReader(1000)
  const piece = new TextEncoder().encode(`data: ${'x'.repeat(400)}`)
  reader.push(piece)
  reader.push(piece)
  expect(() => reader.push(piece)).toThrow(expect.objectContaining({ code: 'upstream_malformed' }))
})

test.each([
  'data: {"a":1}',
  'data:x',
  'data:  two blanks',
  'data: ',
  'data:',
  'data: a\rdata: b',
  'data: a\nid: 7',
  ': hm',
])('an event of its own is what it is in pieces: %j', (lines) => {
  const text = `${lines}\n\n`
  const whole = createSseReader()
  const cut = createSseReader()
  expect(whole.pushText(text)).toEqual([...text].flatMap((character) => cut.pushText(character)))
  expect(whole.isBetween).toBe(true)
})
