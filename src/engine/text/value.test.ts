import { expect, test } from 'vitest'
import { createDecoder, createLayout, toJsonText } from './value.ts'

function through(
  create: (write: (text: string) => void) => { push(text: string): void },
  pieces: readonly string[],
): string {
  let out = ''
  const { push } = create((text) => void (out += text))
  for (const piece of pieces) push(piece)
  return out
}

test.each([
  ['\na\n', 'a'],
  ['\r\na\r\n', 'a'],
  ['\n\na\n\n', '\na\n'],
  ['a', 'a'],
  ['a\n b', 'a\n b'],
  [' a ', ' a '],
  ['\n', ''],
  ['\ra', '\ra'],
])('%j is laid out around %j', (text, inner) => {
  expect(through(createLayout, [text])).toBe(inner)
  expect(through(createLayout, text.split(''))).toBe(inner)
})

test.each([
  ['a &amp;&amp; b', 'a && b'],
  ['&lt;b&gt; &quot;&apos;', '<b> "\''],
  ['&amp;lt;', '&lt;'],
  ['&#65;&#x41;&#X1F642;', 'AA🙂'],
  ['&#x10ffff;&#x110000;', '\u{10ffff}&#x110000;'],
  ['&nbsp; & ;', '&nbsp; & ;'],
  ['&toString;', '&toString;'],
  ['a & b', 'a & b'],
])('%j says %j', (text, plain) => {
  expect(through(createDecoder, [`${text}            .`])).toBe(`${plain}            .`)
  expect(through(createDecoder, `${text}            .`.split(''))).toBe(`${plain}            .`)
})

test.each(['plain', 'a"b', 'a\\b', 'a\nb', '\u0000', 'é🙂', '\ud800', '\udc00x', '\u007f\u2028', 'x\ud83d', '\u001f '])(
  '%j inside a JSON string',
  (text) => {
    expect(toJsonText(text)).toBe(JSON.stringify(text).slice(1, -1))
  },
)
