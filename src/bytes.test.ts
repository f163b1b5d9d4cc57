import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { byteLength, digestOf, fromBase64Url, sha256, sha256Hex, sha256Url, toBase64Url } from './bytes.ts'

const texts = ['', 'abc', 'Grüße 🐉', ...[55, 56, 63, 64, 65, 1000, 70_000].map((length) => 'x'.repeat(length))]

test.each(texts.map((text) => [text.slice(0, 20), text]))('the digest of %s is the same everywhere', (_, text) => {
  const expected = createHash('sha256').update(text).digest()
  expect(Buffer.from(digestOf(new TextEncoder().encode(text)))).toEqual(expected)
  expect(Buffer.from(sha256(text))).toEqual(expected)
  expect(sha256Hex(text)).toBe(expected.toString('hex'))
  expect(sha256Url(text)).toBe(expected.toString('base64url'))
})

test.each(texts.map((text) => [text.slice(0, 20), text]))('%s comes back out of base64', (_, text) => {
  expect(toBase64Url(text)).toBe(Buffer.from(text).toString('base64url'))
  expect(fromBase64Url(toBase64Url(text))).toBe(text)
  expect(byteLength(text)).toBe(Buffer.byteLength(text))
})

test('what is no base64 is an empty text', () => {
  expect(fromBase64Url('a*b')).toBe('')
})
