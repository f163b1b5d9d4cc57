import { expect, test } from 'vitest'
import { Frame } from './frames.ts'

const event = (content: string, id = 'a', more = '') =>
  `data: {"id":"${id}","delta":{"content":${JSON.stringify(content)}}${more}}\n\n`
/** Any text that is JSON with such a string has the hole. */
const holeIn = (text: string, value: string) =>
  (JSON.parse(text.slice(5)) as { delta: { content: string } }).delta.content === value
    ? ('content' as const)
    : undefined

function learnt(first = 'word', id = 'a', more = '') {
  const frames = new Frame<'content'>()
  const text = event(first, id, more)
  frames.learn(text, first, holeIn)
  return frames
}

test.each(['more', 'ü', '漢', '🐉', 'a "quoted" word', 'line\nbreak', '\\', '\\"', '\\\\"', '\u2028', '","x":"'])(
  'a string in the known frame is read as a parser reads it: %j',
  (said) => {
    const frames = learnt()
    const text = event(said)
    expect(frames.read(text, 0)).toBe(said)
    expect(frames.end).toBe(text.length)
  },
)

test('events that follow each other are read one by one', () => {
  const frames = learnt()
  const text = event('one') + event('two')
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
  expect(learnt().read(text, 0)).toBeUndefined()
})

test.each([
  ['stands twice in it', 'a'],
  ['is empty', ''],
])('no frame is learnt where the string %s', (_, first) => {
  expect(learnt(first).read(event('more'), 0)).toBeUndefined()
})

test('where every event is new, no more frames are learnt after a while', () => {
  const frames = new Frame<'content'>()
  let asked = 0
  for (let count = 0; count < 100; count++) {
    const text = event('word', `id-${count}`)
    frames.learn(text, 'word', (other, value) => {
      asked += 1
      return holeIn(other, value)
    })
  }
  expect(asked).toBeLessThan(10)
})

test('every character of a frame counts', () => {
  const frames = learnt('word', '漢é')
  const text = event('more', '漢é')
  const value = text.indexOf('more')
  expect([frames.read(`x${text}`, 1), frames.end]).toEqual(['more', text.length + 1])
  for (let at = 0; at < text.length; at++) {
    if (at >= value && at < value + 'more'.length) continue
    const other = `${text.slice(0, at)}~${text.slice(at + 1)}`
    expect(frames.read(other, 0)).toBeUndefined()
  }
})
