import { expect, test } from 'vitest'
import { toFullName } from './ollama.ts'

test.each([
  ['tiny', 'Tiny:latest'],
  ['tiny', 'library/tiny'],
  ['tiny', 'library/tiny:latest'],
  ['tiny', 'registry.ollama.ai/library/tiny:latest'],
  ['me/Tiny', 'me/tiny:latest'],
  ['hf.co/me/tiny-GGUF:Q4', 'HF.co/me/tiny-gguf:q4'],
])('%s and %s are one model', (one, other) => {
  expect(toFullName(one)).toBe(toFullName(other))
})

test.each([
  ['tiny', 'tiny:1b'],
  ['tiny', 'me/tiny'],
  ['tiny', 'teeny'],
  ['me/tiny', 'hf.co/me/tiny'],
])('%s and %s are two', (one, other) => {
  expect(toFullName(one)).not.toBe(toFullName(other))
})
