import { expect, test } from 'vitest'
import { Frames } from './frames.ts'

const encoder = new TextEncoder()
const event = (content: string, id = 'a', more = '') =>
  `data: {"id":"${id}","delta":{"content":${JSON.stringify(content)}}${more}}\n\n`
/** Any text that is JSON with such a string has the hole. */
const holeIn = (text: string, value: string) =>
  (JSON.parse(text.slice(5)) as { delta: { content: string } }).delta.content === value
    ? ('content' as const)
    : undefined

function learnt(first = 'word', id = 'a', more = '') {
  const frames = new Frames<'content'>()
  const text = event(first, id, more)
  frames.learn(encoder.encode(text), text, first, holeIn)
  return frames
}

test.each(['more', 'ü', '漢', '🐉', 'a "quoted" word', 'line\nbreak', '\\', '\\"', '\\\\"', '\u2028', '","x":"'])(
  'a string in the known frame is read as a parser reads it: %j',
  (said) => {
    const frames = learnt()
    const bytes = encoder.encode(event(said))
    expect(frames.read(bytes, 0)).toBe(said)
    expect(frames.end).toBe(bytes.length)
  },
)

test('events that follow each other are read one by one', () => {
  const frames = learnt()
  const text = encoder.encode(event('one') + event('two'))
  expect(frames.read(text, 0)).toBe('one')
  expect(frames.read(text, frames.end)).toBe('two')
})

test.each([
  ['with another frame', event('more', 'b')],
  ['with more in it', event('more').replace('}}\n', ',"finish_reason":"stop"}}\n')],
  ['that is cut off', event('more').slice(0, -1)],
  ['that is cut off inside its string', event('more').slice(0, 38)],
  ['whose string is none', event('more').replace('more', '\\x')],
  ['with a raw tab, which JSON forbids', event('more').replace('more', 'a\tb')],
  ['with an empty string', event('')],
])('an event %s is for the parser', (_, text) => {
  expect(learnt().read(encoder.encode(text), 0)).toBeUndefined()
})

test.each([
  ['stands twice in it', 'a'],
  ['needs an escape', 'a\nb'],
  ['is empty', ''],
])('no frame is learnt where the string %s', (_, first) => {
  expect(learnt(first).read(encoder.encode(event('more')), 0)).toBeUndefined()
})

test('where every event is new, no more frames are learnt after a while', () => {
  const frames = new Frames<'content'>()
  let asked = 0
  for (let count = 0; count < 100; count++) {
    const text = event('word', `id-${count}`)
    frames.learn(encoder.encode(text), text, 'word', (other, value) => {
      asked += 1
      return holeIn(other, value)
    })
  }
  expect(asked).toBeLessThan(10)
})

const ids = Array.from({ length: 9 }, (_, length) => 'x'.repeat(length + 1))
const ends = ['', ',"n":1', ',"finish_reason":null']

test.each(ids.flatMap((id) => ends.map((more) => [id, more] as const)))(
  'an event is found wherever it stands, and every byte of its frame counts: %s %s',
  (id, more) => {
    const frames = learnt('word', id, more)
    const text = event('more', id, more)
    const value = text.indexOf('more')
    const bytes = encoder.encode(`${id}${text}${text}`).subarray(id.length)
    expect([frames.read(bytes, 0), frames.end]).toEqual(['more', text.length])
    for (let at = 0; at < text.length; at++) {
      if (at >= value && at < value + 'more'.length) continue
      const other = encoder.encode(text)
      other[at] = (other[at] ?? 0) ^ 1
      expect(frames.read(other, 0)).toBeUndefined()
    }
  },
)

test('bytes that are no characters are read as a decoder reads them', () => {
  const bytes = encoder.encode(event('mo\u00e9re'.replace('\\u00e9', 'é')))
  const at = bytes.indexOf(0xc3)
  bytes[at + 1] = 0x41
  expect(learnt().read(bytes, 0)).toBe('mo\ufffdAre')
})

test('a frame with characters of several bytes is known by its bytes', () => {
  const frames = learnt('word', '漢é')
  expect(frames.read(encoder.encode(event('more', '漢é')), 0)).toBe('more')
  expect(frames.read(encoder.encode(event('more', '漢è')), 0)).toBeUndefined()
})

test('no frame is learnt of bytes that are no characters', () => {
  const frames = new Frames<'content'>()
  const bytes = encoder.encode(event('word', 'é'))
  bytes[bytes.indexOf(0xc3)] = 0xff
  frames.learn(bytes, new TextDecoder().decode(bytes), 'word', holeIn)
  expect(frames.read(bytes, 0)).toBeUndefined()
})
