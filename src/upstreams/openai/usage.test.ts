import { expect, test } from 'vitest'
import { cannotFit, isCut, isSwallowed } from './usage.ts'

const size = (characters: number, bytes = characters) => ({ characters, bytes })

test.each<[string, number, number, number | undefined, number | undefined, boolean]>([
  ['36,000 characters were 2,050 tokens, of an unknown context', 36_000, 2_050, undefined, undefined, true],
  ['36,000 characters were 9,000 tokens', 36_000, 9_000, undefined, undefined, false],
  ['36,000 characters of long words were 6,000 tokens', 36_000, 6_000, undefined, undefined, false],
  ['20,000 characters were 3,000 tokens in a context of 4,096', 20_000, 3_000, 4_096, undefined, true],
  ['15,000 characters were 3,700 tokens in a context of 4,096', 15_000, 3_700, 4_096, undefined, false],
  ['20,000 characters were 4,900 tokens in a context of 8,192', 20_000, 4_900, 8_192, undefined, false],
  ['half of the context is left of 9,000 bytes', 9_000, 2_050, 4_096, undefined, true],
  ['a model with small tokens was given 9,000 characters', 9_000, 3_130, 4_096, 0.95, true],
  ['a model with small tokens was given 4,000 characters', 4_000, 3_990, 4_096, 0.95, false],
  ['fewer bytes than the context has tokens', 4_000, 10, 4_096, undefined, false],
  ['fewer bytes than any context has tokens', 2_000, 10, undefined, undefined, false],
  ['nothing was counted', 36_000, 0, 4_096, undefined, false],
])('%s', (_, characters, reported, context, ratio, expected) => {
  expect(isCut({ size: size(characters), reported, context, characters: ratio })).toBe(expected)
})

test('what cannot fit is known before', () => {
  expect(cannotFit(size(40_000), 4_096)).toBe(true)
  expect(cannotFit(size(30_000), 4_096)).toBe(false)
  expect(cannotFit(size(400_000), undefined)).toBe(false)
})

test.each<[string, number, number, number, number, boolean]>([
  ['a hundred tokens and six characters', 100, 0, 6, 0, true],
  ['a hundred tokens and four hundred characters', 100, 0, 400, 0, false],
  ['a hundred tokens of one byte each', 100, 0, 100, 0, false],
  ['a hundred tokens, ninety of them thoughts kept back', 100, 90, 40, 0, false],
  ['thirty tokens of a call without arguments', 30, 0, 6, 1, false],
  ['a few tokens and nothing', 5, 0, 0, 0, false],
])('%s: was something swallowed?', (_, completionTokens, reasoningTokens, bytes, calls, expected) => {
  expect(isSwallowed({ promptTokens: 1, completionTokens, reasoningTokens }, bytes, calls)).toBe(expected)
})
