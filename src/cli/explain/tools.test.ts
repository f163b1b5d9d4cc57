import { expect, test } from 'vitest'
import { toTools } from './answer.ts'

const bare = { name: 'ls', description: 'List', parameters: { type: 'object', properties: {} } }
const full = { type: 'function', function: bare }

test.each<[string, unknown]>([
  ["OpenAI's array", [full]],
  ['a request', { model: 'm', tools: [full] }],
  ['an older request', { functions: [bare] }],
  ['bare functions', [bare]],
  ['one bare function', bare],
  ['one tool', full],
  ['a tool without its type', [{ function: bare }]],
  ['a flat tool', [{ type: 'function', ...bare }]],
  ['the same tool twice', [bare, bare]],
])('%s gives the tool', (_, value) => {
  expect(toTools(value)).toEqual([{ kind: 'function', ...bare }])
})

test('custom tools stay custom, nothing is no tools', () => {
  expect(toTools([{ type: 'custom', custom: { name: 'patch' } }])).toMatchObject([{ kind: 'custom', name: 'patch' }])
  expect(toTools(undefined)).toEqual([])
  expect(toTools([])).toEqual([])
})

test.each([[[{ type: 'function' }]], [[{ name: 'a b' }]], [[bare, { name: 'ls' }]], ['ls']])(
  '%j is refused',
  (value) => {
    expect(() => toTools(value)).toThrow()
  },
)
