import { expect, test } from 'vitest'
import type { Request } from '../../../protocol/request.ts'
import type { ModelCard } from '../../../turn/turn.ts'
import { fitToContext } from './room.ts'

const request: Request = {
  model: 'm',
  messages: [{ role: 'user', content: 'x'.repeat(10_000) }],
  tools: [],
  sampling: {},
  maxTokens: 32_000,
  extra: {},
}

function context(card: Partial<ModelCard>, tokens: number) {
  let counted = 0
  return {
    models: async () => [{ id: 'm', ownedBy: 'local', tools: 'auto' as const, ...card }],
    countTokens: async () => {
      counted += 1
      return tokens
    },
    get counted() {
      return counted
    },
  }
}

test.each<[string, Partial<ModelCard>, number, number, boolean]>([
  ['an unknown context', {}, 2_500, 32_000, false],
  ['a large context', { contextLength: 200_000 }, 2_500, 32_000, false],
  ['a small context', { contextLength: 8_192 }, 2_500, 5_692, true],
  ['a context that is just large enough', { contextLength: 34_500 }, 2_500, 32_000, false],
  ['a limit of the service', { contextLength: 200_000, outputLimit: 4_096 }, 2_500, 4_096, false],
  ['a limit of the service above what is left', { contextLength: 8_192, outputLimit: 8_192 }, 5_000, 3_192, true],
  ['a context that is full to the last token', { contextLength: 8_192 }, 8_192, 1, true],
])('%s', async (_, card, tokens, maxTokens, isFull) => {
  const fitted = await fitToContext(request, context(card, tokens))
  expect(fitted.request.maxTokens).toBe(maxTokens)
  expect(fitted.isFull).toBe(isFull)
  expect(fitted.request.notes?.map(({ kind }) => kind)).toEqual(maxTokens === 32_000 ? undefined : ['limit_lowered'])
})

test('tokens are counted only where they could be too many', async () => {
  const wide = context({ contextLength: 200_000 }, 2_500)
  await fitToContext(request, wide)
  expect(wide.counted).toBe(0)
})

test('a prompt that does not fit is refused in the words agents look for', async () => {
  await expect(fitToContext(request, context({ contextLength: 8_192 }, 9_000))).rejects.toMatchObject({
    code: 'context_length_exceeded',
    message: 'prompt is too long: 9000 tokens > 8192 maximum',
  })
})
