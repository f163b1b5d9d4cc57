import { expect, test } from 'vitest'
import { createMask, hideHeaders, hidePath } from './redact.ts'

test.each([
  ['Authorization', 'Bearer abc', 'Bearer [hidden]'],
  ['authorization', 'Basic abc', 'Basic [hidden]'],
  ['Authorization', 'abc', '[hidden]'],
  ['Proxy-Authorization', 'Digest x', 'Digest [hidden]'],
  ['X-Api-Key', 'abc', '[hidden]'],
  ['api-key', 'abc', '[hidden]'],
  ['x-goog-api-key', 'abc', '[hidden]'],
  ['x-dragoman-upstream-key', 'abc', '[hidden]'],
  ['Cookie', 'a=b', '[hidden]'],
  ['x-amz-security-token', 'abc', '[hidden]'],
  ['x-auth-request-email', 'me@example.com', '[hidden]'],
  ['x-hub-signature', 'abc', '[hidden]'],
  ['x-note', 'my sk-abcdefghijklmnopqrstuvwx', 'my [hidden]'],
  ['user-agent', 'curl/8', 'curl/8'],
  ['x-keyboard', 'de', 'de'],
  ['accept', 'text/html', 'text/html'],
])('the header %s: %s is kept as %s', (name, value, kept) => {
  expect(hideHeaders([name, value])).toEqual([{ name: name.toLowerCase(), value: kept }])
})

test('values of a query are hidden', () => {
  expect(hidePath('/v1/messages?beta=true&key=abc')).toBe('/v1/messages?beta=***&key=***')
  expect(hidePath('/v1/messages')).toBe('/v1/messages')
})

test.each<[string, readonly string[], string, string]>([
  ['a key that is handed in', ['secret-0123456789'], 'it is secret-0123456789.', 'it is •••••••••••••••••.'],
  ['one in JSON', ['say "0123456789"'], '{"a":"say \\"0123456789\\""}', '{"a":"••••••••••••••••••"}'],
  [
    'a word somebody uses for a key',
    ['none', 'ollama', 'dragoman'],
    'none, ollama, dragoman',
    'none, ollama, dragoman',
  ],
  ['a key of a well-known service', [], 'ghp_abcdefghijklmnopqrstuvwxyz0123456789', '•'.repeat(40)],
  ['prose about keys', [], 'a bearer token, sk-learn, hf_hub, eyJ', 'a bearer token, sk-learn, hf_hub, eyJ'],
])('in a text, %s', (_, secrets, text, masked) => {
  expect(createMask(secrets)(text)).toBe(masked)
  expect(masked).toHaveLength(text.length)
})
