import { expect, test } from 'vitest'
import { sayFormat } from './format.ts'

test.each([
  [undefined, /^$/],
  [{ type: 'text' }, /^$/],
  [{ type: 'json_object' }, /one JSON object and nothing else, without a code fence\.$/],
  [{ type: 'json_schema', json_schema: { name: 'x' } }, /without a code fence\.$/],
  [
    { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } },
    /fits this JSON Schema: \{"type": "object"\}$/,
  ],
])('%j is said in words', (format, words) => {
  expect(sayFormat(format)).toMatch(words)
})
