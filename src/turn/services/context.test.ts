import { expect, test } from 'vitest'
import type { ContextWindow } from '../../upstreams/upstream.ts'
import { openGuard } from '../prompt/guard/guard.ts'
import { assumedContext, contextWarning, toolsWarning } from './context.ts'

test.each<[string, ContextWindow, string | undefined]>([
  [
    'a small context of a model that could have more',
    { tokens: 4_096, most: 131_072, cuts: true, remedy: 'Set more.' },
    'tiny gets 4,096 of its 131,072 tokens of context. Anything that does not fit is cut off without an error. Set more.',
  ],
  [
    'a model that is not loaded yet',
    { most: 131_072, cuts: true },
    'tiny may get only 4,096 of its 131,072 tokens of context. Anything that does not fit is cut off without an error.',
  ],
  ['a large context', { tokens: 32_768, most: 131_072, cuts: true }, undefined],
  ['all the model can have', { tokens: 8_192, most: 8_192, cuts: true }, undefined],
  ['a service that refuses what does not fit', { tokens: 4_096, most: 131_072 }, undefined],
  ['a service that says nothing', {}, undefined],
])('%s', (_, window, warning) => {
  expect(contextWarning('tiny', window)).toBe(warning)
})

test.each<[string, ContextWindow, number | undefined]>([
  ['a model that is not loaded yet', { most: 131_072, cuts: true }, 4_096],
  ['a smaller model that is not loaded yet', { most: 2_048, cuts: true }, 2_048],
  ['a service that refuses what does not fit', { most: 131_072 }, undefined],
])('a client is to assume what the warning names: %s', (_, window, tokens) => {
  expect(assumedContext(window)).toBe(tokens)
})

const tool = { kind: 'function', name: 'read', description: 'x'.repeat(8_000) } as const
test.each<[string, string, ContextWindow, string | undefined]>([
  ['natively, more than half', '', { tokens: 4_000 }, '2013 of 4000 tokens'],
  ['natively, less', '', { tokens: 5_000 }, undefined],
  ['in words, more than half', 'y'.repeat(20_000), { tokens: 8_192 }, '5000 of 8192 tokens'],
  ['of a service that says nothing', 'y'.repeat(20_000), {}, undefined],
])('tools that take much of a context are told: %s', (_, taught, window, detail) => {
  const request = { model: 'm', messages: [], tools: [tool], sampling: {}, extra: {} }
  const notes = toolsWarning({ request, guard: openGuard, notes: [], taught }, window)
  expect(notes.map((note) => note.detail)).toEqual(detail === undefined ? [] : [detail])
})
