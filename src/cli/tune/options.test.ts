import { expect, test } from 'vitest'
import { dialects } from '../../dialects/registry.ts'
import { chooseWays, readBudget, readShare } from './options.ts'

const usual = { all: false, model: 'qwen3-coder-30b', takesNative: true, takesTemplate: false }

test('the ways that fit a model begin with native and its own dialect, and have the common ones', () => {
  const ways = chooseWays(usual)
  expect(ways.slice(0, 2)).toEqual(['native', 'qwen3-coder'])
  for (const way of ['hermes', 'json-fence', 'xml-name-args']) expect(ways).toContain(way)
  expect(new Set(ways).size).toBe(ways.length)
  expect(ways.slice(-2)).toEqual(['qwen3-coder+reminder=off', 'qwen3-coder+listing=signatures'])
  expect(chooseWays({ ...usual, takesNative: false })).not.toContain('native')
  expect(chooseWays({ ...usual, takesTemplate: true }).slice(0, 2)).toEqual(['native', 'template'])
})

test('all of them are all dialects and native', () => {
  expect(chooseWays({ ...usual, all: true }).length).toBe(dialects.length + 1)
})

test('named ones come in their order, once each', () => {
  expect(chooseWays({ ...usual, named: 'hermes, native,hermes' })).toEqual(['hermes', 'native'])
  expect(chooseWays({ ...usual, named: 'hermes,roo-xml+reminder=on' })).toEqual(['hermes', 'roo-xml+reminder=on'])
})

test.each<[string, () => unknown, string]>([
  [
    'a format there is none of',
    () => chooseWays({ ...usual, named: 'hermse' }),
    'There is no format "hermse". Did you mean "hermes"?',
  ],
  [
    'a setting that is not raced',
    () => chooseWays({ ...usual, named: 'hermes+loop=stop' }),
    'There is no format "hermes+loop=stop".',
  ],
  ['none at all', () => chooseWays({ ...usual, named: ' ,' }), 'at least one name'],
  ['both ways to choose', () => chooseWays({ ...usual, named: 'hermes', all: true }), 'either --dialects or --all'],
  [
    'native where there is none',
    () => chooseWays({ ...usual, named: 'native', takesNative: false }),
    'no native tool calls',
  ],
  [
    'template where the server has no such way',
    () => chooseWays({ ...usual, named: 'template+reminder=on' }),
    "chat template can't be made to tell the tools",
  ],
  ['no time', () => readBudget('soon'), '--budget must be a time'],
  ['a margin of nothing', () => readShare('margin', '0'), '--margin must be'],
  ['a margin of all', () => readShare('margin', '100'), '--margin must be'],
])('%s is told in words', (_, choose, words) => {
  expect(choose).toThrow(words)
})

test('figures are read', () => {
  expect(readBudget('30m')).toBe(1_800_000)
  expect(readBudget(undefined)).toBe(Number.POSITIVE_INFINITY)
  expect(readShare('margin', '2.5')).toBe(0.025)
})
