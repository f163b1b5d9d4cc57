import { expect, test } from 'vitest'
import { hermes } from '../../dialects/hermes.ts'
import { mistralV11 } from '../../dialects/mistral-v11.ts'
import { startOf } from './start.ts'

test.each([
  ['Hello.', 'text'],
  ['<think>Hm.</think>Hello.', 'text'],
  ['Hm.</think>Hello.', 'reasoning'],
  ['Use <tool_call> then.</think>Hello.', 'reasoning'],
  ['<tool_call>{"name": "ping"}</think></tool_call>', 'text'],
  ['The closer is `</think>`.', 'text'],
  ['The closer is </think>, I say.', 'text'],
  ['Write "</think>\nthere.', 'text'],
  ['Hm.[/THINK]Hello.', 'text'],
] as const)('%s begins in %s', (text, start) => {
  expect(startOf(text, hermes)).toBe(start)
})

test('a dialect has its own marks of thoughts', () => {
  expect(startOf('Hm.[/THINK]Hello.', mistralV11)).toBe('reasoning')
})

test('without a dialect the common marks count', () => {
  expect(startOf('Hm.</think>Hello.', undefined)).toBe('reasoning')
})
